"""Replays and animations of matches."""

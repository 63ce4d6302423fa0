"""Replays on screen, films, and trying moves from any point of a match."""

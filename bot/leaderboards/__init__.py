"""Leaderboards, profiles and rivals."""

"""Tests of leaderboards, profiles and rivals."""

"""Tests of matches, ratings and pictures."""

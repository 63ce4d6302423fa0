"""Matches, their clocks, ratings, boards and pictures: what a match is and does."""

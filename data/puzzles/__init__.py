"""Analyses, puzzles and imported records."""

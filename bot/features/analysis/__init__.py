"""Analysis after a match, and puzzles made from it."""

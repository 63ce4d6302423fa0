"""Puzzles: positions in which one move is clearly best."""

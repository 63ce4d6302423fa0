"""Computers at the board, and what they say of matches: hints, analyses, puzzles.

All thinking happens in processes of its own, never on the event loop.
"""

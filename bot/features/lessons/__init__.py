"""The rules of games, and lessons."""

"""Ratings of players: what they mean, how results change them, and who is how far."""

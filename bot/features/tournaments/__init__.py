"""Tournaments: their formats, rounds and standings."""

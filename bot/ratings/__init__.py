"""Ratings: how results become ratings."""

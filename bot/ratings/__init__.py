"""Ratings computed from results."""

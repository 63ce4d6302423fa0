"""Ladders: an order of players that is always open, and changes by challenges."""

"""Conditional moves: planned by players in advance, played as soon as they fit."""

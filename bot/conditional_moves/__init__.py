"""Moves that players decide on beforehand, played as soon as they fit."""

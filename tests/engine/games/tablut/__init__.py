"""Tablut: every rule, every ruling, and the picture."""

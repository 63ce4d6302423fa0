"""Tablut: every rule of the document, every ruling, and the picture."""

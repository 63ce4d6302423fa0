"""Paints scenes: a :class:`engine.scene.Scene` becomes a PNG or a GIF. Knows no game."""

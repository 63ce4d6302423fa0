"""Paints scenes: a :class:`engine.scene.Scene` becomes a PNG, a GIF or an SVG. Knows no game."""

from render.fonts import drawable, writable
from render.painter import Painter
from render.raster import WIDTH, draw_afresh
from render.theme import DEFAULT, THEMES, Theme

__all__ = ["DEFAULT", "THEMES", "WIDTH", "Painter", "Theme", "draw_afresh", "drawable", "writable"]

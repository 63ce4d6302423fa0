"""Paints charts. They rarely recur, so only their palette is cached.

Each shape is drawn oversized by itself, reduced, and laid on the picture: this way only a few masks
are oversized, and not the whole colour picture.
"""

from __future__ import annotations

from typing import Final

from PIL import Image

from engine.scene import Ink, Scene
from render.brush import Brush, Drawing, drawn_mask
from render.geometry import Box, drawn, written
from render.palette import CHARTS, palette
from render.png import packed, png
from render.raster import WIDTH, Frame, round_corners
from render.theme import DEFAULT, THEMES

_LEVEL: Final = 6
"""zlib-ng's effort: charts are compressed only once, and are full of figures."""


class Pen(Brush):
    """A brush for an RGB picture of its final size."""

    def _paint(self, draw: Drawing, ink: Ink, box: Box) -> None:
        self._stain(drawn_mask(draw, box), ink, (box.left, box.top))

    def _stain(self, mask: Image.Image, ink: Ink, place: tuple[int, int]) -> None:
        scale = self._oversize
        (left, dx), (top, dy) = (divmod(edge, scale) for edge in place)
        width, height = (-(-edge // scale) for edge in (mask.width + dx, mask.height + dy))
        if (width * scale, height * scale) != mask.size:
            whole = Image.new("L", (width * scale, height * scale), 0)
            whole.paste(mask, (dx, dy))
            mask = whole
        if scale > 1:
            mask = mask.reduce(scale)
        self._image.paste(self._theme.rgb(ink), (left, top, left + width, top + height), mask)


def painted(chart: Scene, *, theme: str = DEFAULT, width: int = WIDTH) -> bytes:
    """Return a chart as a PNG.

    Args:
        chart: only its board is painted; its inks are those of charts, all opaque.
        theme: the name of a theme.
        width: in pixels.

    Raises:
        KeyError: no theme of that name.
        ValueError: too narrow or too wide.
    """
    chosen = THEMES[theme]
    frame = Frame.of(chart.board, width)
    image = Image.new("RGB", (frame.width, frame.height), chosen.rgb(Ink.PAGE))
    at = (frame.left, 0)
    Pen(image, chosen, frame.unit, at).draw(drawn(chart.board.shapes))
    Pen(image, chosen, frame.unit, at, 1).draw(written(chart.board.shapes))
    colours = palette(chosen, CHARTS)
    raster = colours.quantised(image)
    round_corners(raster, colours, frame)
    return png(raster.size, [packed(raster, _LEVEL)], colours)

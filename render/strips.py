"""How a picture is cut into strips, along the rows of its board, and what is in each.

What changes from one turn to the next is on a few rows of squares; the strips of the other rows
stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from PIL import Image

from engine.scene import Board, Rect, Scene, Sprite, Text
from render.raster import Frame, Tile

_ROW: Final = 3
"""The number of surfaces side by side that make a row."""
_SMALLEST: Final = 0.5
"""Lower shapes, in board units, are ornaments."""
_WIDE: Final = 0.8
"""A shape this wide, relative to the board, is a panel if it lies above or below all rows.

A panel's text changes independently.
"""
_RIM: Final = 0.03
"""How far a panel's outline reaches beyond it, in board units."""
_LABEL: Final = 0.26
"""How far a seat's label reaches above and below its middle, in board units."""
_HIGHEST: Final = 2.5
"""Taller gaps between rows, in board units, are cut further."""


def labels(scene: Scene) -> tuple[float, ...]:
    """Return the heights, in board units, at which seats or their players are named."""
    heights = {s.y for s in scene.above if isinstance(s, Text) and s.seat is not None}
    return tuple(sorted(heights))


def cuts(board: Board, frame: Frame, labels: Iterable[float] = ()) -> tuple[int, ...]:
    """Return the pixel rows at which strips begin, then the height of the picture.

    Each of the ``labels`` is in a strip of its own: it differs from match to match, and what is above
    and below it does not.
    """
    surfaces = Counter(
        (shape.y, shape.y + shape.height)
        for shape in board.shapes
        if isinstance(shape, Rect) and shape.height >= _SMALLEST
    )
    rows = sorted(row for row, number in surfaces.items() if number >= _ROW)
    places = [0.0]
    if rows:
        first, last = rows[0][0], rows[-1][1]
        panels = [
            shape
            for shape in board.shapes
            if isinstance(shape, Rect) and shape.width >= _WIDE * board.width
        ]
        places += sorted(
            shape.y + shape.height + _RIM for shape in panels if shape.y + shape.height < first
        )
        places.append(first)
        places += [(above[1] + below[0]) / 2 for above, below in pairwise(rows)]
        places.append(last)
        places += sorted(shape.y - _RIM for shape in panels if shape.y > last)
    places.append(board.height)
    whole = {0, frame.height}
    for start, end in pairwise(places):
        parts = max(1, round((end - start) / _HIGHEST))
        whole |= {round((start + (end - start) * i / parts) * frame.unit) for i in range(parts)}
    for label in labels:
        top, bottom = (round((label + side) * frame.unit) for side in (-_LABEL, _LABEL))
        whole = {row for row in whole if not top < row < bottom} | {top, bottom}
    return tuple(sorted(row for row in whole if 0 <= row <= frame.height))


@dataclass(frozen=True, slots=True)
class Ground:
    """A board in pixels."""

    image: Image.Image
    number: int
    """Identifies it in keys."""
    cuts: tuple[int, ...]
    """The first rows of its pictures' strips, then its height."""
    strip_at: bytes
    """The strip of each row."""
    height: int
    laid: dict[tuple[int, float, float], tuple[Sprite, Laid]] = field(default_factory=dict)
    """What was laid there before, by the identity of its sprite and its place."""


class Laid:
    """A tile at its place in a picture."""

    __slots__ = ("bottom", "box", "code", "first", "last", "left", "right", "tile", "top")

    def __init__(self, tile: Tile, edge: int, x: float, y: float, ground: Ground) -> None:
        self.tile = tile
        self.left = left = round(edge + x) + tile.left
        self.top = top = round(y) + tile.top
        self.right = left + tile.width
        self.bottom = bottom = top + tile.height
        self.box = (left, top, self.right, bottom)
        self.code = tile.number << 32 | (left & 0xFFFF) << 16 | top & 0xFFFF
        # The first and the last strip that it touches.
        end = ground.height - 1
        self.first = ground.strip_at[0 if top < 0 else min(top, end)]
        self.last = ground.strip_at[0 if bottom < 1 else min(bottom - 1, end)]

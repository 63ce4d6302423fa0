"""Shapes without paint: their bounds, positions and parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final

from engine.scene import Disc, Line, Polygon, Rect, Shape, Text, rows
from render import fonts

Point = tuple[float, float]

HEAD: Final = 3.4
"""The width of an arrow head in widths of its line."""
DASH: Final = 2.2
"""The length of a dash, and of the gap after it, in widths of their line."""
CORNER: Final = 0.3
"""The radius of a picture's corners in board units."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box of whole pixels."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top


def origin(shape: Shape) -> Point:
    """Return the point that positions a shape."""
    match shape:
        case Rect() | Disc() | Text():
            return shape.x, shape.y
        case Polygon() | Line():
            return shape.points[0]


def bounds(shapes: Iterable[Shape], unit: int) -> Box:
    """Return the bounding box of shapes, in pixels from the origin, for a unit in pixels."""
    corners = [_corners(shape, unit) for shape in shapes]
    return Box(
        int(min(c[0] for c in corners) // 1) - 1,
        int(min(c[1] for c in corners) // 1) - 1,
        int(max(c[2] for c in corners) // 1) + 2,
        int(max(c[3] for c in corners) // 1) + 2,
    )


def drawn(shapes: Iterable[Shape]) -> list[Shape]:
    """Return all shapes except texts."""
    return [shape for shape in shapes if not isinstance(shape, Text)]


def written(shapes: Iterable[Shape]) -> list[Text]:
    """Return the texts, which lie on top of a board's or sprite's other shapes."""
    return [shape for shape in shapes if isinstance(shape, Text)]


def arrow(points: Sequence[Point], width: float) -> tuple[list[Point], list[Point]]:
    """Return an arrow's shaft, and the corners of its head."""
    # The shaft ends inside the head, or its round end would blunt the tip.
    end = towards(points[-1], points[-2], HEAD * width * 0.6)
    return [*points[:-1], end], _arrow_head(points, width)


def _arrow_head(points: Sequence[Point], width: float) -> list[Point]:
    tip = points[-1]
    length = HEAD * width
    base = towards(tip, points[-2], length)
    dx, dy = (tip[0] - base[0]) / length, (tip[1] - base[1]) / length
    half = length * 0.52
    return [
        tip,
        (base[0] - dy * half, base[1] + dx * half),
        (base[0] + dy * half, base[1] - dx * half),
    ]


def towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point at a distance from the start towards the end, or beyond it."""
    span = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    share = distance / span
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def dashes(points: Sequence[Point], dash: float, gap: float) -> Iterator[list[Point]]:
    """Yield the pieces of a dashed line; a piece may turn a corner."""
    piece: list[Point] = [points[0]]
    left, drawn = dash, True
    for corner in points[1:]:
        here = piece[-1]
        while (span := hypot(corner[0] - here[0], corner[1] - here[1])) > left:
            here = towards(here, corner, left)
            if drawn:
                yield [*piece, here]
            piece, drawn = [here], not drawn
            left = dash if drawn else gap
        left -= span
        piece.append(corner)
    if drawn and len(piece) > 1:
        yield piece


def _corners(shape: Shape, unit: int) -> tuple[float, float, float, float]:
    """Return a shape's left, top, right and bottom, in pixels from the origin."""
    reach = 0.0
    match shape:
        case Rect(x, y, width, height):
            points: tuple[Point, ...] = ((x, y), (x + width, y + height))
        case Disc(x, y, radius):
            points, reach = ((x, y),), radius
        case Polygon(points):
            reach = shape.edge_width
        case Line(points):
            reach = shape.width * (HEAD if shape.arrow else 1)
        case Text():
            boxes = [_written(row, unit) for row in rows(shape)]
            lefts, tops, rights, bottoms = zip(*boxes, strict=True)
            return min(lefts), min(tops), max(rights), max(bottoms)
    xs, ys = zip(*points, strict=True)
    return (
        (min(xs) - reach) * unit,
        (min(ys) - reach) * unit,
        (max(xs) + reach) * unit,
        (max(ys) + reach) * unit,
    )


def _written(row: Text, unit: int) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a line of text, in pixels from the origin."""
    left, top, right, bottom = extent(row, letters(row, unit))
    x, y = row.x * unit, row.y * unit
    return x + left - 2, y + top - 2, x + right + 2, y + bottom + 2


def letters(text: Text, unit: float) -> int:
    """Return a text's height in pixels: its size, or less if it has little room."""
    size = max(1, round(text.size * unit))
    if not text.room:
        return size
    left, _, right, _ = extent(text, size)
    width, room = right - left, text.room * unit
    return size if width <= room else max(1, int(size * room / width))


def extent(text: Text, size: int) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of a text in pixels, from its anchor."""
    return fonts.extent(text.text, size, text.anchor, bold=text.bold)

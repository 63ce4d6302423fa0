"""Shapes without paint: their bounds, positions and parts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import Final

import fontpkg
from font_source_sans_pro import font_files_otf
from PIL import ImageFont, features

from engine.scene import Disc, Line, Polygon, Rect, Shape, Text, rows

Point = tuple[float, float]

BOLD: Final = 0.02
"""How much a bold letter is thickened on each side, relative to its size: the font is light."""
HEAD: Final = 3.4
"""The width of an arrow head in widths of its line."""
_NO_LETTER: Final = "\U0010fffe"
"""A character missing from every font: drawn as the font's replacement glyph."""
_TRIED: Final = 24
"""The size at which letters are drawn to test for a glyph."""
_DEVANAGARI: Final = re.compile("[\u0900-\u097f]")
_FACES: Final[tuple[tuple[str, float], ...]] = (
    (font_files_otf["SourceSansProSemibold"], 1.1),
    (str(fontpkg.path("noto-sans-devanagari")), 1.0),
)
"""The fonts for European letters and for Hindi, and how much each must be enlarged."""
_WEIGHT: Final = (600.0, 100.0)
"""The weight and width of the second font, which is variable."""


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


@lru_cache(maxsize=64)
def font(size: int, face: int = 0) -> ImageFont.FreeTypeFont:
    """Return a font for pictures, ``size`` pixels high: see `face`."""
    file, fuller = _FACES[face]
    found = ImageFont.truetype(file, round(size * fuller))
    if face:
        found.set_variation_by_axes(list(_WEIGHT))
    return found


def face(text: str) -> int:
    """Return the index of a text's font: the second has the letters of Hindi, and figures."""
    return 0 if text.isascii() or not _DEVANAGARI.search(text) else 1


def writable(text: str) -> bool:
    """Return whether a text has all its glyphs and can be shaped as its script requires."""
    if text.isascii():
        return True
    chosen = face(text)
    # Without Raqm the signs of Devanagari would stand side by side, unreadable.
    return (not chosen or _joins()) and all(_has_letter(letter, chosen) for letter in text)


@lru_cache(maxsize=1)
def _joins() -> bool:
    return features.check_feature("raqm") is True


@lru_cache(maxsize=4096)
def _has_letter(letter: str, chosen: int) -> bool:
    return letter.isspace() or _mask(letter, chosen) != _mask(_NO_LETTER, chosen)


def _mask(letter: str, chosen: int) -> bytes:
    return bytes(font(_TRIED, chosen).getmask(letter))


def arrow_head(points: Sequence[Point], width: float) -> list[Point]:
    """Return the corners of the arrow head at the end of a line."""
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
    return _extent(text.text, size, text.anchor, bold=text.bold)


@lru_cache(maxsize=1024)
def _extent(text: str, size: int, anchor: str, *, bold: bool) -> tuple[float, float, float, float]:
    # Figures and letters recur constantly, and measuring them takes as long as drawing them.
    stroke = BOLD * size if bold else 0
    return font(size, face(text)).getbbox(text, anchor=anchor, stroke_width=stroke)

"""Draws shapes: the only place where board units become pixels.

Shapes are drawn several times too large and reduced, which smooths every edge alike. Edges of
rectangles are first moved to whole pixels, so that squares come out crisp and of equal size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import hypot
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw, ImageFont

from engine.scene import Disc, Line, Polygon, Rect, Text, Texture, moved
from render.texture import VARIANTS, surface, tones

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.scene import Ink, Shape
    from render.theme import Rgba, Theme

OVERSIZE: Final = 3
"""How many times too large shapes are drawn."""

_BOLD: Final = 0.02
"""How much a bold letter is thickened on each side, as a part of its size: the font is light."""
_STEPS: Final = [min(255, (value + 21) // 42 * 42) for value in range(256)]
"""The edges of letters in few steps: nobody sees it, and each further one costs bytes."""
_HEAD: Final = 3.4
"""The width of an arrow head in widths of its line."""

Point = tuple[float, float]


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
    """Return the point by which a shape is placed."""
    match shape:
        case Rect() | Disc() | Text():
            return shape.x, shape.y
        case Polygon() | Line():
            return shape.points[0]


def bounds(shapes: Iterable[Shape], unit: int) -> Box:
    """Return the box, in pixels from the origin, that the shapes touch when a unit is so long."""
    corners = [_corners(shape, unit) for shape in shapes]
    return Box(
        int(min(c[0] for c in corners) // 1) - 1,
        int(min(c[1] for c in corners) // 1) - 1,
        int(max(c[2] for c in corners) // 1) + 2,
        int(max(c[3] for c in corners) // 1) + 2,
    )


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """Return Pillow's own font, so many pixels high."""
    return ImageFont.load_default(size)


class Brush:
    """Draws shapes of a theme on an image.

    Args:
        image: RGBA, drawn on in place.
        theme: gives inks their colours.
        unit: the length of a board unit in pixels of the reduced picture.
        at: the pixel of the reduced picture where (0, 0) lies.
        oversize: how many times larger than the reduced picture the image is.

    """

    def __init__(
        self, image: Image.Image, theme: Theme, unit: int, at: Point, oversize: int = OVERSIZE
    ) -> None:
        self._image = image
        self._theme = theme
        self._unit = unit
        self._at = at
        self._oversize = oversize

    def draw(self, shapes: Iterable[Shape], dx: float = 0.0, dy: float = 0.0) -> None:
        """Draw the shapes in order, moved by so many board units."""
        for shape in shapes:
            match moved(shape, dx, dy) if dx or dy else shape:
                case Rect() as rect:
                    self._rect(rect)
                case Disc() as disc:
                    self._disc(disc)
                case Polygon() as polygon:
                    self._polygon(polygon)
                case Line() as line:
                    self._line(line)
                case Text() as text:
                    self._text(text)

    # ------------------------------------------------------------------ from units to pixels

    def _length(self, units: float) -> float:
        return units * self._unit * self._oversize

    def _stroke(self, units: float) -> int:
        """Return the width of a stroke: none is thinner than a pixel of the reduced picture."""
        return max(self._oversize, round(self._length(units)))

    def _point(self, point: Point) -> Point:
        x, y = point
        left, top = self._at
        scale = self._oversize
        return (left + x * self._unit) * scale, (top + y * self._unit) * scale

    def _snapped(self, x: float, y: float) -> tuple[int, int]:
        left, top = self._at
        return (
            round(left + x * self._unit) * self._oversize,
            round(top + y * self._unit) * self._oversize,
        )

    # ------------------------------------------------------------------ the shapes

    def _rect(self, rect: Rect) -> None:
        left, top = self._snapped(rect.x, rect.y)
        right, bottom = self._snapped(rect.x + rect.width, rect.y + rect.height)
        radius = self._length(rect.radius)
        size = (max(1, right - left), max(1, bottom - top))
        mask = Image.new("L", size, 0)
        inside = (0, 0, size[0] - 1, size[1] - 1)
        ImageDraw.Draw(mask).rounded_rectangle(inside, radius, fill=255)
        if rect.fill is not None:
            if rect.texture is Texture.FLAT or not self._theme.grain:
                self._stain(mask, rect.fill, (left, top))
            else:
                self._veneer(mask, rect, rect.fill, (left, top))
        if rect.edge is not None:
            edge = Image.new("L", size, 0)
            ImageDraw.Draw(edge).rounded_rectangle(
                inside, radius, outline=255, width=self._stroke(rect.edge_width)
            )
            self._stain(edge, rect.edge, (left, top))

    def _veneer(self, mask: Image.Image, rect: Rect, fill: Ink, place: tuple[int, int]) -> None:
        width, height = (-(-side // self._oversize) for side in mask.size)
        # Which piece of the stuff a surface is cut from follows from its place, so that
        # neighbours differ and the same board always looks the same.
        variant = (round(rect.x) + round(rect.y)) % VARIANTS
        grid = tones(rect.texture, width, height, self._unit, variant)
        piece = surface(grid, self._theme.rgb(fill), self._theme.grain)
        large = piece.resize(
            (width * self._oversize, height * self._oversize), Image.Resampling.NEAREST
        ).crop((0, 0, *mask.size))
        large.putalpha(mask)
        self._image.alpha_composite(large, *_visible(large, place))

    def _disc(self, disc: Disc) -> None:
        x, y = self._point((disc.x, disc.y))
        radius = self._length(disc.radius)
        box = Box(
            int(x - radius) - 1, int(y - radius) - 1, int(x + radius) + 2, int(y + radius) + 2
        )
        around = (
            x - radius - box.left,
            y - radius - box.top,
            x + radius - box.left - 1,
            y + radius - box.top - 1,
        )
        if disc.fill is not None:
            mask = Image.new("L", box.size, 0)
            ImageDraw.Draw(mask).ellipse(around, fill=255)
            self._stain(mask, disc.fill, (box.left, box.top))
        if disc.edge is not None:
            mask = Image.new("L", box.size, 0)
            ImageDraw.Draw(mask).ellipse(around, outline=255, width=self._stroke(disc.edge_width))
            self._stain(mask, disc.edge, (box.left, box.top))

    def _polygon(self, polygon: Polygon) -> None:
        points = [self._point(point) for point in polygon.points]
        if polygon.fill is not None:
            self._stroke_mask(points, 0, polygon.fill, filled=True)
        if polygon.edge is not None:
            width = self._stroke(polygon.edge_width)
            self._stroke_mask([*points, points[0]], width, polygon.edge)

    def _line(self, line: Line) -> None:
        points = [self._point(point) for point in line.points]
        width = self._stroke(line.width)
        parts = [points]
        if line.arrow:
            head = _head(points, width)
            self._stroke_mask(head, 0, line.ink, filled=True)
            # The shaft ends inside the head, or its round end would blunt the tip.
            shaft_end = _towards(points[-1], points[-2], _HEAD * width * 0.6)
            parts = [[*points[:-1], shaft_end]]
        if line.dashed:
            parts = list(_dashes(parts[0], width * 2.2, width * 2.2))
        for part in parts:
            self._stroke_mask(part, width, line.ink)

    def _text(self, text: Text) -> None:
        size = max(1, round(self._length(text.size)))
        x, y = self._point((text.x, text.y))
        # Type is crisp only where its baseline lies on whole pixels of the reduced picture.
        x, y = (round(v / self._oversize) * self._oversize for v in (x, y))
        bold = _BOLD * size if text.bold else 0
        left, top, right, bottom = _extent(text, size)
        place = (int(x + left) - 2, int(y + top) - 2)
        mask = Image.new("L", (int(right - left) + 5, int(bottom - top) + 5), 0)
        ImageDraw.Draw(mask).text(
            (x - place[0], y - place[1]),
            text.text,
            fill=255,
            font=font(size),
            anchor=text.anchor,
            stroke_width=bold,
        )
        self._stain(mask.point(_STEPS), text.ink, place)

    # ------------------------------------------------------------------ colour on the image

    def _stroke_mask(
        self, points: Sequence[Point], width: int, ink: Ink, *, filled: bool = False
    ) -> None:
        reach = width / 2 + 2
        left = int(min(x for x, _ in points) - reach)
        top = int(min(y for _, y in points) - reach)
        right = int(max(x for x, _ in points) + reach) + 1
        bottom = int(max(y for _, y in points) + reach) + 1
        mask = Image.new("L", (right - left, bottom - top), 0)
        draw = ImageDraw.Draw(mask)
        local = [(x - left, y - top) for x, y in points]
        if filled:
            draw.polygon(local, fill=255)
        else:
            draw.line(local, fill=255, width=width, joint="curve")
            for x, y in (local[0], local[-1]):
                draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=255)
        self._stain(mask, ink, (left, top))

    def _stain(self, mask: Image.Image, ink: Ink, place: tuple[int, int]) -> None:
        """Lay a colour on the image where the mask says."""
        colour: Rgba = self._theme.colours[ink]
        if colour[3] == 0:
            return
        layer = Image.new("RGBA", mask.size, colour)
        opacity = colour[3]
        layer.putalpha(
            mask if opacity == 255 else mask.point([v * opacity // 255 for v in range(256)])
        )
        self._image.alpha_composite(layer, *_visible(layer, place))


def _visible(layer: Image.Image, place: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where to paste a layer, and from which of its own points on: it may stick out."""
    x, y = place
    return (max(0, x), max(0, y)), (min(max(0, -x), layer.width), min(max(0, -y), layer.height))


def _head(points: Sequence[Point], width: float) -> list[Point]:
    tip = points[-1]
    length = _HEAD * width
    base = _towards(tip, points[-2], length)
    dx, dy = (tip[0] - base[0]) / length, (tip[1] - base[1]) / length
    half = length * 0.52
    return [
        tip,
        (base[0] - dy * half, base[1] + dx * half),
        (base[0] + dy * half, base[1] - dx * half),
    ]


def _towards(start: Point, end: Point, distance: float) -> Point:
    """Return the point so far from the start on the way to the end, or beyond it."""
    span = hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    share = distance / span
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _dashes(points: Sequence[Point], dash: float, gap: float) -> Iterator[list[Point]]:
    """Yield the pieces of a dashed line; a piece may turn a corner."""
    piece: list[Point] = [points[0]]
    left, drawn = dash, True
    for corner in points[1:]:
        here = piece[-1]
        while (span := hypot(corner[0] - here[0], corner[1] - here[1])) > left:
            here = _towards(here, corner, left)
            if drawn:
                yield [*piece, here]
            piece, drawn = [here], not drawn
            left = dash if drawn else gap
        left -= span
        piece.append(corner)
    if drawn and len(piece) > 1:
        yield piece


def _corners(shape: Shape, unit: int) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of what a shape touches, in pixels from the origin."""
    reach = 0.0
    match shape:
        case Rect(x, y, width, height):
            points: tuple[Point, ...] = ((x, y), (x + width, y + height))
        case Disc(x, y, radius):
            points, reach = ((x, y),), radius
        case Polygon(points):
            reach = shape.edge_width
        case Line(points):
            reach = shape.width * (_HEAD if shape.arrow else 1)
        case Text():
            left, top, right, bottom = _extent(shape, max(1, round(shape.size * unit)))
            x, y = shape.x * unit, shape.y * unit
            return x + left - 2, y + top - 2, x + right + 2, y + bottom + 2
    xs, ys = zip(*points, strict=True)
    return (
        (min(xs) - reach) * unit,
        (min(ys) - reach) * unit,
        (max(xs) + reach) * unit,
        (max(ys) + reach) * unit,
    )


def _extent(text: Text, size: int) -> tuple[float, float, float, float]:
    bold = _BOLD * size if text.bold else 0
    return font(size).getbbox(text.text, anchor=text.anchor, stroke_width=bold)

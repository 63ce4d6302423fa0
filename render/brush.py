"""Draws shapes: the only place where board units become pixels.

Shapes are drawn several times too large and reduced, which smooths every edge alike. Edges of
rectangles are first moved to whole pixels, so that squares come out crisp and of equal size.
"""

from __future__ import annotations

from functools import lru_cache
from math import floor
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw

from engine.scene import Disc, Line, Polygon, Rect, Text, Texture, moved, rows
from render.geometry import (
    BOLD,
    HEAD,
    Box,
    Point,
    arrow_head,
    dashes,
    face,
    font,
    letters,
    towards,
)
from render.texture import VARIANTS, surface, tones

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.scene import Ink, Shape
    from render.theme import Rgba, Theme

OVERSIZE: Final = 3
"""How many times too large shapes are drawn."""

_WRITTEN: Final = 512
"""How many pieces of lettering are kept: figures and letters come again and again."""

_STEPS: Final = [min(255, (value + 32) // 64 * 64) for value in range(256)]
"""The edges of letters in few steps: nobody sees it, and each further one costs bytes."""


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
                    for row in rows(text):
                        self._text(row)

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
            head = arrow_head(points, width)
            self._stroke_mask(head, 0, line.ink, filled=True)
            # The shaft ends inside the head, or its round end would blunt the tip.
            shaft_end = towards(points[-1], points[-2], HEAD * width * 0.6)
            parts = [[*points[:-1], shaft_end]]
        if line.dashed:
            parts = list(dashes(parts[0], width * 2.2, width * 2.2))
        for part in parts:
            self._stroke_mask(part, width, line.ink)

    def _text(self, text: Text) -> None:
        size = letters(text, self._unit * self._oversize)
        x, y = self._point((text.x, text.y))
        # Type is crisp only where its baseline lies on whole pixels of the reduced picture.
        x, y = (round(v / self._oversize) * self._oversize for v in (x, y))
        mask, left, top = _lettering(text.text, size, text.anchor, bold=text.bold)
        self._stain(mask, text.ink, (int(x) + left, int(y) + top))

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
            local = [(round(x), round(y)) for x, y in local]
            draw.line(local, fill=255, width=width, joint="curve")
            for x, y in (local[0], local[-1]):
                # Round ends exactly as wide as the line, which Pillow puts so about its middle.
                first = (x - (width - 1) // 2, y - (width - 1) // 2)
                draw.ellipse((*first, first[0] + width - 1, first[1] + width - 1), fill=255)
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


@lru_cache(maxsize=_WRITTEN)
def _lettering(text: str, size: int, anchor: str, *, bold: bool) -> tuple[Image.Image, int, int]:
    """Return a line of text as a mask, and where its left and top lie from its anchor."""
    stroke = BOLD * size if bold else 0
    written = font(size, face(text))
    left, top, right, bottom = written.getbbox(text, anchor=anchor, stroke_width=stroke)
    left, top = floor(left) - 2, floor(top) - 2
    mask = Image.new("L", (int(right) - left + 3, int(bottom) - top + 3), 0)
    ImageDraw.Draw(mask).text(
        (-left, -top), text, fill=255, font=written, anchor=anchor, stroke_width=stroke
    )
    return mask.point(_STEPS), left, top


def _visible(layer: Image.Image, place: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where to paste a layer, and from which of its own points on: it may stick out."""
    x, y = place
    return (max(0, x), max(0, y)), (min(max(0, -x), layer.width), min(max(0, -y), layer.height))

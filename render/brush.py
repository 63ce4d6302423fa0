"""Draws shapes: the only place where board units become pixels.

Shapes are drawn oversized and reduced, which smooths every edge alike. Edges of rectangles are
first moved to whole pixels, so that squares come out crisp and equal in size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import floor
from typing import Final

from PIL import Image, ImageDraw

from engine.scene import Disc, Ink, Line, Polygon, Rect, Shape, Text, Texture, moved, rows
from render.cache import Cache
from render.fonts import lettering
from render.geometry import DASH, Box, Point, arrow, dashes, letters
from render.texture import VARIANTS, surface, tones
from render.theme import Rgba, Theme

_Colour = Rgba | int
"""The colour to draw with, or its amount in a mask."""
Drawing = Callable[[ImageDraw.ImageDraw, Point, _Colour], None]
"""Draws on an image whose corner lies at a point."""

OVERSIZE: Final = 3
"""The factor by which shapes are drawn oversized."""

_WRITTEN: Final = 6_000_000
"""Bytes of lettering kept: figures and letters recur constantly, and a name on its match's pictures."""

_STEPS: Final = [min(255, (value + 32) // 64 * 64) for value in range(256)]
"""The edges of letters in few steps: more would be invisible, and each costs bytes."""


class Brush:
    """Draws shapes of a theme on an image.

    Args:
        image: RGBA, or RGB if nothing of it is see-through; drawn on in place.
        theme: gives inks their colours.
        unit: the length of a board unit in pixels of the reduced picture.
        at: the pixel of the reduced picture where (0, 0) lies.
        oversize: how many times larger than the reduced picture the image is.

    """

    def __init__(
        self, image: Image.Image, theme: Theme, unit: int, at: Point, oversize: int = OVERSIZE
    ) -> None:
        self._image = image
        self._pen = ImageDraw.Draw(image)
        self._theme = theme
        self._unit = unit
        self._at = at
        self._oversize = oversize

    def draw(self, shapes: Iterable[Shape], dx: float = 0.0, dy: float = 0.0) -> None:
        """Draw the shapes in order, moved by ``dx`` and ``dy`` board units."""
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
        """Return the width of a stroke, at least one pixel of the reduced picture."""
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
        box = Box(left, top, max(left + 1, right), max(top + 1, bottom))
        radius = self._length(rect.radius)
        inside = ((box.left, box.top), (box.right - 1, box.bottom - 1))
        if rect.fill is not None:

            def fill(pen: ImageDraw.ImageDraw, at: Point, colour: _Colour) -> None:
                pen.rounded_rectangle(_from(at, inside), radius, fill=colour)

            if rect.texture is Texture.FLAT or not self._theme.grain:
                self._paint(fill, rect.fill, box)
            else:
                self._veneer(fill, rect, rect.fill, box)
        if rect.edge is not None:
            width = self._stroke(rect.edge_width)

            def edge(pen: ImageDraw.ImageDraw, at: Point, colour: _Colour) -> None:
                pen.rounded_rectangle(_from(at, inside), radius, outline=colour, width=width)

            self._paint(edge, rect.edge, box)

    def _veneer(self, draw: Drawing, rect: Rect, fill: Ink, box: Box) -> None:
        part = self._inside(box)
        if part is None:
            return
        scale = self._oversize
        width, height = (-(-side // scale) for side in box.size)
        # A surface's position chooses its piece of texture, so that neighbours differ and the same
        # board always looks the same.
        variant = (round(rect.x) + round(rect.y)) % VARIANTS
        grid = tones(rect.texture, width, height, self._unit, variant)
        left, top = (part.left - box.left) // scale, (part.top - box.top) // scale
        width, height = (-(-side // scale) for side in part.size)
        piece = surface(
            grid.crop((left, top, left + width, top + height)),
            self._theme.rgb(fill),
            self._theme.grain,
        )
        large = piece.resize((width * scale, height * scale), Image.Resampling.NEAREST)
        large = large.crop((0, 0, *part.size))
        mask = drawn_mask(draw, part) if rect.radius else None
        self._image.paste(large, (part.left, part.top), mask)

    def _disc(self, disc: Disc) -> None:
        x, y = self._point((disc.x, disc.y))
        radius = self._length(disc.radius)
        box = Box(
            int(x - radius) - 1, int(y - radius) - 1, int(x + radius) + 2, int(y + radius) + 2
        )
        around = ((x - radius, y - radius), (x + radius - 1, y + radius - 1))
        if disc.fill is not None:

            def fill(pen: ImageDraw.ImageDraw, at: Point, colour: _Colour) -> None:
                pen.ellipse(_from(at, around), fill=colour)

            self._paint(fill, disc.fill, box)
        if disc.edge is not None:
            width = self._stroke(disc.edge_width)

            def edge(pen: ImageDraw.ImageDraw, at: Point, colour: _Colour) -> None:
                pen.ellipse(_from(at, around), outline=colour, width=width)

            self._paint(edge, disc.edge, box)

    def _polygon(self, polygon: Polygon) -> None:
        points = [self._point(point) for point in polygon.points]
        if polygon.fill is not None:
            self._area(points, polygon.fill)
        if polygon.edge is not None:
            self._strokes([*points, points[0]], self._stroke(polygon.edge_width), polygon.edge)

    def _line(self, line: Line) -> None:
        points = [self._point(point) for point in line.points]
        width = self._stroke(line.width)
        parts = [points]
        if line.arrow:
            shaft, head = arrow(points, width)
            self._area(head, line.ink)
            parts = [shaft]
        if line.dashed:
            parts = list(dashes(parts[0], width * DASH, width * DASH))
        for part in parts:
            self._strokes(part, width, line.ink)

    def _text(self, text: Text) -> None:
        size = letters(text, self._unit * self._oversize)
        x, y = self._point((text.x, text.y))
        # Type is crisp only if its baseline lies on whole pixels of the reduced picture.
        x, y = (round(v / self._oversize) * self._oversize for v in (x, y))
        mask, left, top = _lettering(text.text, size, text.anchor, bold=text.bold)
        self._stain(mask, text.ink, (int(x) + left, int(y) + top))

    # ------------------------------------------------------------------ colour on the image

    def _area(self, points: Sequence[Point], ink: Ink) -> None:
        def fill(pen: ImageDraw.ImageDraw, at: Point, colour: _Colour) -> None:
            pen.polygon(_from(at, points), fill=colour)

        self._paint(fill, ink, _around(points, 0))

    def _strokes(self, points: Sequence[Point], width: int, ink: Ink) -> None:
        def draw(pen: ImageDraw.ImageDraw, at: Point, colour: _Colour) -> None:
            local = _from(at, [(x + 0.5, y + 0.5) for x, y in points])
            pen.line(local, fill=colour, width=width, joint="curve")
            for x, y in (local[0], local[-1]):
                # Round ends exactly as wide as the line, which Pillow centres like this.
                first = (x - (width - 1) // 2, y - (width - 1) // 2)
                pen.ellipse((*first, first[0] + width - 1, first[1] + width - 1), fill=colour)

        self._paint(draw, ink, _around(points, width))

    def _paint(self, draw: Drawing, ink: Ink, box: Box) -> None:
        """Draw in a colour: straight onto the image if it is opaque, otherwise through a mask."""
        part = self._inside(box)
        if part is None:
            return
        colour = self._theme.colours[ink]
        if colour[3] == 255:
            draw(self._pen, (0, 0), colour)
        elif colour[3]:
            self._stain(drawn_mask(draw, part), ink, (part.left, part.top))

    def _inside(self, box: Box) -> Box | None:
        """Return the part of a box inside the image, if any."""
        left, top = max(0, box.left), max(0, box.top)
        right, bottom = min(self._image.width, box.right), min(self._image.height, box.bottom)
        return Box(left, top, right, bottom) if left < right and top < bottom else None

    def _stain(self, mask: Image.Image, ink: Ink, place: tuple[int, int]) -> None:
        """Lay a colour on the image through a mask."""
        colour: Rgba = self._theme.colours[ink]
        opacity = colour[3]
        if opacity == 0:
            return
        if opacity < 255:
            mask = mask.point([v * opacity // 255 for v in range(256)])
        if self._image.mode == "RGB":
            box = (*place, place[0] + mask.width, place[1] + mask.height)
            self._image.paste(colour[:3], box, mask)
            return
        layer = Image.new("RGBA", mask.size, colour)
        layer.putalpha(mask)
        self._image.alpha_composite(layer, *_visible(layer, place))


def drawn_mask(draw: Drawing, box: Box) -> Image.Image:
    """Return a mask of what is drawn in a box."""
    mask = Image.new("L", box.size, 0)
    draw(ImageDraw.Draw(mask), (box.left, box.top), 255)
    return mask


def _from(at: Point, points: Sequence[Point]) -> list[Point]:
    """Return points relative to a corner, in whole pixels wherever that corner is."""
    return [(floor(x - at[0]), floor(y - at[1])) for x, y in points]


def _around(points: Sequence[Point], width: int) -> Box:
    """Return a box with room for strokes of this width."""
    reach = width / 2 + 2
    return Box(
        int(min(x for x, _ in points) - reach),
        int(min(y for _, y in points) - reach),
        int(max(x for x, _ in points) + reach) + 1,
        int(max(y for _, y in points) + reach) + 1,
    )


_Lettering = tuple[Image.Image, int, int]
_lettered: Cache[tuple[str, int, str, bool], _Lettering] = Cache(
    _WRITTEN, lambda kept: kept[0].width * kept[0].height + 500
)


def _lettering(text: str, size: int, anchor: str, *, bold: bool) -> _Lettering:
    """Return a line of text as a mask, and its left and top relative to its anchor."""

    def made() -> _Lettering:
        mask, left, top = lettering(text, size, anchor, bold=bold)
        return mask.point(_STEPS), left, top

    return _lettered.get((text, size, anchor, bold), made)


def _visible(layer: Image.Image, place: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return where to paste a layer, and its first visible point: it may stick out."""
    x, y = place
    return (max(0, x), max(0, y)), (min(max(0, -x), layer.width), min(max(0, -y), layer.height))

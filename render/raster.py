"""From scenes to pixels: the cached rasters, and a plain drawing to compare them with."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final

from PIL import Image, ImageDraw

from engine.scene import Board, Ink, Scene, Sprite
from render.brush import OVERSIZE, Brush
from render.geometry import CORNER, bounds, drawn, written
from render.palette import CLEAR, Palette, palette
from render.theme import ALL, DEFAULT, Theme

WIDTH: Final = 1000
"""The default width of a picture, in pixels."""
NARROWEST: Final = 200
WIDEST: Final = 2000
_BAND: Final = 96
"""How many rows of a board are drawn at once.

Oversized, a whole board takes 20 MB, and as much again while a surface is laid on it, which the
allocator would never give back.
"""


@dataclass(frozen=True, slots=True)
class Frame:
    """A board's placement in a picture, in pixels."""

    width: int
    height: int
    unit: int
    left: int
    """The board's own left edge: the remainder of whole units goes to the sides."""

    @classmethod
    def of(cls, board: Board, width: int) -> Frame:
        """Return the frame of a board in a picture ``width`` pixels wide.

        Raises:
            ValueError: too narrow or too wide.
        """
        if not NARROWEST <= width <= WIDEST:
            raise ValueError(f"width must be {NARROWEST} to {WIDEST} pixels, not {width}")
        unit = max(1, int(width / board.width))
        return cls(width, ceil(board.height * unit), unit, round((width - board.width * unit) / 2))


@dataclass(frozen=True, slots=True)
class Tile:
    """The place of a sprite's pixels, from the point that positions it. Takes next to no memory."""

    sprite: Sprite
    unit: int
    """The length of a board unit in pixels."""
    number: int
    """Identifies the tile in keys."""
    left: int
    top: int
    width: int
    height: int
    passing: bool
    """Whether it is on one match's pictures only, as a player's name is."""


@dataclass(frozen=True, slots=True)
class Pixels:
    """A sprite in pixels."""

    image: Image.Image
    """RGBA, no larger than what is visible."""
    left: int
    """How far right of the point that positions the sprite the image begins."""
    top: int
    visible: Image.Image
    """Mode L, 255 wherever the sprite is visible at all."""


_VISIBLE: Final = [0] + [255] * 255


def draw_afresh(scene: Scene, *, theme: str = DEFAULT, width: int = WIDTH) -> Image.Image:
    """Return a scene as an RGB image drawn from scratch: slow and plain, the reference for `png`.

    Raises:
        KeyError: no theme of that name.
        ValueError: too narrow or too wide.

    """
    chosen = ALL[theme]
    frame = Frame.of(scene.board, width)
    large = (frame.width * OVERSIZE, frame.height * OVERSIZE)
    image = Image.new("RGBA", large, chosen.colours[Ink.PAGE])
    brush = Brush(image, chosen, frame.unit, (frame.left, 0))
    brush.draw(scene.board.shapes)
    brush.draw(scene.below)
    for token in scene.tokens:
        brush.draw(token.sprite.shapes, token.x, token.y)
    brush.draw(scene.above)
    return image.reduce(OVERSIZE).convert("RGB")


def rastered_board(board: Board, theme: Theme, frame: Frame) -> Image.Image:
    """Return a board on its page in the colours of the theme's palette, corners rounded."""
    page, shapes = theme.rgb(Ink.PAGE), drawn(board.shapes)
    image = Image.new("RGB", (frame.width, frame.height), page)
    for top in range(0, frame.height, _BAND):
        height = min(_BAND, frame.height - top)
        band = Image.new("RGB", (frame.width * OVERSIZE, height * OVERSIZE), page)
        Brush(band, theme, frame.unit, (frame.left, -top)).draw(shapes)
        image.paste(band.reduce(OVERSIZE), (0, top))
    Brush(image, theme, frame.unit, (frame.left, 0), 1).draw(written(board.shapes))
    chosen = palette(theme)
    raster = chosen.quantised(image)
    raster.putpalette(chosen.table)
    round_corners(raster, chosen, frame)
    return raster


def rastered(sprite: Sprite, theme: Theme, unit: int) -> Pixels:
    """Return a sprite in pixels, at ``unit`` pixels to a unit."""
    box = bounds(sprite.shapes, unit)
    width, height = box.size
    at = (-box.left, -box.top)
    shapes = drawn(sprite.shapes)
    # Names have nothing to be reduced, and there are many of them.
    scale = OVERSIZE if shapes else 1
    image = Image.new("RGBA", (width * scale, height * scale), (0, 0, 0, 0))
    if shapes:
        Brush(image, theme, unit, at).draw(shapes)
        image = image.reduce(OVERSIZE)
    Brush(image, theme, unit, at, 1).draw(written(sprite.shapes))
    # A transparent margin would only make it overlap things it does not cover.
    seen = image.getchannel("A").getbbox() or (0, 0, 1, 1)
    image = image.crop(seen)
    visible = image.getchannel("A").point(_VISIBLE)
    return Pixels(image, box.left + seen[0], box.top + seen[1], visible)


def laid(pixels: Pixels, ground: Image.Image, theme: Theme) -> Image.Image:
    """Return a patch of a picture with a sprite on it."""
    colours = ground.convert("RGBA")
    colours.alpha_composite(pixels.image)
    patch = ground.copy()
    patch.paste(palette(theme).quantised(colours.convert("RGB")), (0, 0), pixels.visible)
    return patch


def round_corners(image: Image.Image, chosen: Palette, frame: Frame) -> None:
    """Make the corners transparent, so that the picture suits any background.

    In a GIF, which has no partial transparency, they keep the colour of the page.
    """
    radius = max(1, round(CORNER * frame.unit))
    side = radius * OVERSIZE * 2
    mask = Image.new("L", (side, side), 0)
    ImageDraw.Draw(mask).ellipse((0, 0, side - 1, side - 1), fill=255)
    mask = mask.reduce(OVERSIZE)
    steps = [*CLEAR, 255]
    nearest = [min(range(len(steps)), key=lambda i: abs(steps[i] - v)) for v in range(256)]
    first = chosen.first_clear
    numbers = mask.point([first + step for step in nearest])
    cut = mask.point([255 if step < len(CLEAR) else 0 for step in nearest])
    for x, from_x in ((0, 0), (image.width - radius, radius)):
        for y, from_y in ((0, 0), (image.height - radius, radius)):
            part = (from_x, from_y, from_x + radius, from_y + radius)
            corner = Image.frombytes("P", (radius, radius), numbers.crop(part).tobytes())
            image.paste(corner, (x, y), cut.crop(part))

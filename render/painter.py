"""The painter: everything dear is made once, and a picture is put together from it.

A board is rastered once for each theme and width. A sprite or mark is rastered once for each
theme and size, then laid on whatever lies below it, brought to the theme's palette, and that too
is kept: the next time the same thing lies on the same ground it is a copy of some bytes. What
remains for each picture is pasting numbers of colours and writing the PNG.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from itertools import count
from math import ceil
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw

from engine.scene import Ink, Sprite, Text, moved
from render.brush import OVERSIZE, Brush, bounds, origin
from render.cache import Cache
from render.palette import CLEAR, palette
from render.png import png
from render.theme import DEFAULT, THEMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.scene import Board, Scene, Shape
    from render.brush import Point
    from render.theme import Theme

WIDTH: Final = 1000
"""How wide a picture is unless told otherwise, in pixels."""
NARROWEST: Final = 200
WIDEST: Final = 2000
CORNER: Final = 0.3
"""The radius of a picture's corners in board units."""

_BOARDS: Final = 16_000_000
_SPRITES: Final = 16_000_000
_PATCHES: Final = 32_000_000
"""How many bytes of boards, sprites and finished patches are kept."""


@dataclass(frozen=True, slots=True)
class Frame:
    """How a board lies in a picture, in pixels."""

    width: int
    height: int
    unit: int
    left: int
    """Where the board's own left edge lies: what does not make a whole unit goes to the sides."""

    @classmethod
    def of(cls, board: Board, width: int) -> Frame:
        """Return the frame of a board in a picture so wide.

        Raises:
            ValueError: too narrow or too wide.

        """
        if not NARROWEST <= width <= WIDEST:
            raise ValueError(f"a picture is {NARROWEST} to {WIDEST} pixels wide, not {width}")
        unit = max(1, int(width / board.width))
        return cls(width, ceil(board.height * unit), unit, round((width - board.width * unit) / 2))


@dataclass(frozen=True, slots=True)
class Tile:
    """A sprite in pixels, RGBA, and where it lies from the point that places it."""

    image: Image.Image
    left: int
    top: int
    visible: Image.Image
    """Mode L, 255 wherever the sprite shows at all."""
    number: int
    """Names the tile in keys."""


class Painter:
    """Paints scenes. Holds caches only: share one, between threads too."""

    def __init__(self) -> None:
        self._boards: Cache[tuple[Board, str, int], Image.Image] = Cache(_BOARDS, _weight)
        self._tiles: Cache[tuple[Sprite, str, int], Tile] = Cache(
            _SPRITES, lambda tile: 5 * _weight(tile.image)
        )
        self._patches: Cache[tuple[int, bytes], Image.Image] = Cache(
            _PATCHES, lambda image: 2 * _weight(image) + 500
        )
        self._numbers = count()

    def png(self, scene: Scene, *, theme: str = DEFAULT, width: int = WIDTH) -> bytes:
        """Return a scene as a PNG.

        Raises:
            KeyError: no theme of that name.
            ValueError: too narrow or too wide.

        """
        chosen = THEMES[theme]
        return png(self._painted(scene, chosen, width), palette(chosen))

    def gif(
        self,
        scenes: Sequence[Scene],
        *,
        theme: str = DEFAULT,
        width: int = WIDTH,
        durations: Sequence[int],
    ) -> bytes:
        """Return scenes as a GIF that runs again and again.

        Neighbours that look the same become one frame that is shown for their time together.

        Args:
            scenes: all of one size, at least one.
            theme: the name of a theme.
            width: in pixels.
            durations: how long each scene is shown, in milliseconds; GIF counts in tens.

        Raises:
            KeyError: no theme of that name.
            ValueError: no scene, scenes of different sizes, not one duration a scene, or too
                narrow or too wide.

        """
        if not scenes or len(scenes) != len(durations):
            raise ValueError("a GIF needs at least one scene and a duration for each")
        chosen = THEMES[theme]
        frames = [self._painted(scene, chosen, width) for scene in scenes]
        if len({frame.size for frame in frames}) > 1:
            raise ValueError("the scenes of a GIF are all of one size")
        out = BytesIO()
        frames[0].save(
            out,
            "GIF",
            save_all=True,
            append_images=frames[1:],
            duration=list(durations),
            loop=0,
            optimize=False,
        )
        return out.getvalue()

    # ------------------------------------------------------------------ putting it together

    def _painted(self, scene: Scene, theme: Theme, width: int) -> Image.Image:
        frame = Frame.of(scene.board, width)
        image = self._board(scene.board, theme, frame).copy()
        for shape in scene.below:
            self._mark(image, shape, theme, frame)
        known: dict[int, Tile] = {}  # hashing a sprite costs more than pasting it
        for token in scene.tokens:
            tile = known.get(id(token.sprite))
            if tile is None:
                tile = known[id(token.sprite)] = self._tile(token.sprite, theme, frame.unit)
            self._paste(image, tile, (token.x, token.y), theme, frame)
        for shape in scene.above:
            self._mark(image, shape, theme, frame)
        return image

    def _mark(self, image: Image.Image, shape: Shape, theme: Theme, frame: Frame) -> None:
        x, y = origin(shape)
        tile = self._tile(Sprite((moved(shape, -x, -y),)), theme, frame.unit)
        self._paste(image, tile, (x, y), theme, frame)

    def _paste(self, image: Image.Image, tile: Tile, at: Point, theme: Theme, frame: Frame) -> None:
        left = round(frame.left + at[0] * frame.unit) + tile.left
        top = round(at[1] * frame.unit) + tile.top
        ground = image.crop((left, top, left + tile.image.width, top + tile.image.height))
        patch = self._patches.get(
            (tile.number, ground.tobytes()), lambda: _laid(tile, ground, theme)
        )
        image.paste(patch, (left, top))

    # ------------------------------------------------------------------ what is made once

    def _board(self, board: Board, theme: Theme, frame: Frame) -> Image.Image:
        return self._boards.get(
            (board, theme.name, frame.width), lambda: _rastered_board(board, theme, frame)
        )

    def _tile(self, sprite: Sprite, theme: Theme, unit: int) -> Tile:
        return self._tiles.get(
            (sprite, theme.name, unit),
            lambda: _rastered(sprite, theme, unit, next(self._numbers)),
        )


def draw_afresh(scene: Scene, *, theme: str = DEFAULT, width: int = WIDTH) -> Image.Image:
    """Return a scene as an RGB image drawn from nothing: slow, plain, and the measure of `png`.

    Raises:
        KeyError: no theme of that name.
        ValueError: too narrow or too wide.

    """
    chosen = THEMES[theme]
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


def _rastered_board(board: Board, theme: Theme, frame: Frame) -> Image.Image:
    large = (frame.width * OVERSIZE, frame.height * OVERSIZE)
    image = Image.new("RGBA", large, theme.colours[Ink.PAGE])
    Brush(image, theme, frame.unit, (frame.left, 0)).draw(_drawn(board.shapes))
    image = image.reduce(OVERSIZE)
    Brush(image, theme, frame.unit, (frame.left, 0), 1).draw(_written(board.shapes))
    chosen = palette(theme)
    raster = chosen.quantised(image.convert("RGB"))
    raster.putpalette(chosen.table)
    _round_corners(raster, theme, frame)
    return raster


def _rastered(sprite: Sprite, theme: Theme, unit: int, number: int) -> Tile:
    box = bounds(sprite.shapes, unit)
    width, height = box.size
    image = Image.new("RGBA", (width * OVERSIZE, height * OVERSIZE), (0, 0, 0, 0))
    at = (-box.left, -box.top)
    Brush(image, theme, unit, at).draw(_drawn(sprite.shapes))
    image = image.reduce(OVERSIZE)
    Brush(image, theme, unit, at, 1).draw(_written(sprite.shapes))
    visible = image.getchannel("A").point([0] + [255] * 255)
    return Tile(image, box.left, box.top, visible, number)


def _laid(tile: Tile, ground: Image.Image, theme: Theme) -> Image.Image:
    """Return the ground, a patch of a picture, with a tile on it."""
    colours = ground.convert("RGBA")
    colours.alpha_composite(tile.image)
    patch = ground.copy()
    patch.paste(palette(theme).quantised(colours.convert("RGB")), (0, 0), tile.visible)
    return patch


def _drawn(shapes: Sequence[Shape]) -> list[Shape]:
    return [shape for shape in shapes if not isinstance(shape, Text)]


def _written(shapes: Sequence[Shape]) -> list[Shape]:
    """Return the texts: type set at its own size is crisper than type that was reduced."""
    return [shape for shape in shapes if isinstance(shape, Text)]


def _round_corners(image: Image.Image, theme: Theme, frame: Frame) -> None:
    """Make the corners see-through, so that the picture sits well on any background.

    In a GIF, which knows no half see-through, they stay in the colour of the page.
    """
    radius = max(1, round(CORNER * frame.unit))
    side = radius * OVERSIZE * 2
    mask = Image.new("L", (side, side), 0)
    ImageDraw.Draw(mask).ellipse((0, 0, side - 1, side - 1), fill=255)
    mask = mask.reduce(OVERSIZE)
    steps = [*CLEAR, 255]
    nearest = [min(range(len(steps)), key=lambda i: abs(steps[i] - v)) for v in range(256)]
    first = palette(theme).first_clear
    numbers = mask.point([first + step for step in nearest])
    cut = mask.point([255 if step < len(CLEAR) else 0 for step in nearest])
    for x, from_x in ((0, 0), (image.width - radius, radius)):
        for y, from_y in ((0, 0), (image.height - radius, radius)):
            part = (from_x, from_y, from_x + radius, from_y + radius)
            corner = Image.frombytes("P", (radius, radius), numbers.crop(part).tobytes())
            image.paste(corner, (x, y), cut.crop(part))


def _weight(image: Image.Image) -> int:
    return image.width * image.height

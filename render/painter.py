"""The painter: everything dear is made once, and a picture is put together from it.

A board is rastered once for each theme and width. A sprite or mark is rastered once for each
theme and size, then laid on whatever lies below it, brought to the theme's palette, and that too
is kept: the next time the same thing lies on the same ground it is a copy of some bytes. The
ground is known by its place while nothing lies on the bare board there, else by its bytes. What
remains for each picture is pasting numbers of colours and writing the PNG.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import count
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.scene import Sprite, moved
from render.cache import Cache
from render.geometry import origin
from render.palette import palette
from render.png import png
from render.raster import WIDTH, Frame, Tile, laid, rastered, rastered_board
from render.theme import DEFAULT, THEMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PIL import Image

    from engine.scene import Board, Scene, Shape
    from render.geometry import Point
    from render.theme import Theme

_BOARDS: Final = 16_000_000
_SPRITES: Final = 16_000_000
_PATCHES: Final = 32_000_000
"""How many bytes of boards, sprites and finished patches are kept."""


_SEEN: Final = 64
"""How many boards are known by their identity."""

_MARKS: Final = 1024
"""How many marks are known as sprites."""

_Box: TypeAlias = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class _Ground:
    """A board in pixels."""

    image: Image.Image
    number: int
    """Names it in keys."""


class _Sheet:
    """A picture in the making: knows where the bare board still shows."""

    def __init__(self, image: Image.Image, board: int) -> None:
        self.image = image
        self.board = board
        self._touched: list[_Box] = []

    def untouched(self, box: _Box) -> bool:
        """Tell whether nothing has been laid on a part yet, and take it as touched from now."""
        left, top, right, bottom = box
        bare = all(
            left >= other[2] or right <= other[0] or top >= other[3] or bottom <= other[1]
            for other in self._touched
        )
        self._touched.append(box)
        return bare


class Painter:
    """Paints scenes. Holds caches only: share one, between threads too."""

    def __init__(self) -> None:
        self._boards: Cache[tuple[Board, str, int], _Ground] = Cache(
            _BOARDS, lambda ground: _weight(ground.image)
        )
        self._seen: dict[tuple[int, str, int], tuple[Board, _Ground]] = {}
        self._tiles: Cache[tuple[Sprite, str, int], Tile] = Cache(
            _SPRITES, lambda tile: 5 * _weight(tile.image)
        )
        self._patches: Cache[tuple[int, bytes] | tuple[int, int, int, int], Image.Image] = Cache(
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
        ground = self._board(scene.board, theme, frame)
        sheet = _Sheet(ground.image.copy(), ground.number)
        for shape in scene.below:
            self._mark(sheet, shape, theme, frame)
        known: dict[int, Tile] = {}  # hashing a sprite costs more than pasting it
        for token in scene.tokens:
            tile = known.get(id(token.sprite))
            if tile is None:
                tile = known[id(token.sprite)] = self._tile(token.sprite, theme, frame.unit)
            self._paste(sheet, tile, (token.x, token.y), theme, frame)
        for shape in scene.above:
            self._mark(sheet, shape, theme, frame)
        return sheet.image

    def _mark(self, sheet: _Sheet, shape: Shape, theme: Theme, frame: Frame) -> None:
        tile = self._tile(_centred(shape), theme, frame.unit)
        self._paste(sheet, tile, origin(shape), theme, frame)

    def _paste(self, sheet: _Sheet, tile: Tile, at: Point, theme: Theme, frame: Frame) -> None:
        left = round(frame.left + at[0] * frame.unit) + tile.left
        top = round(at[1] * frame.unit) + tile.top
        box = (left, top, left + tile.image.width, top + tile.image.height)
        image = sheet.image
        if sheet.untouched(box):
            patch = self._patches.get(
                (tile.number, sheet.board, left, top), lambda: laid(tile, image.crop(box), theme)
            )
        else:
            ground = image.crop(box)
            patch = self._patches.get(
                (tile.number, ground.tobytes()), lambda: laid(tile, ground, theme)
            )
        image.paste(patch, (left, top))

    # ------------------------------------------------------------------ what is made once

    def _board(self, board: Board, theme: Theme, frame: Frame) -> _Ground:
        # Games hand out the same object again and again, and hashing a board takes long.
        seen = self._seen.get((id(board), theme.name, frame.width))
        if seen is not None and seen[0] is board:
            return seen[1]
        ground = self._boards.get(
            (board, theme.name, frame.width),
            lambda: _Ground(rastered_board(board, theme, frame), next(self._numbers)),
        )
        if len(self._seen) >= _SEEN:
            self._seen.clear()
        self._seen[id(board), theme.name, frame.width] = (board, ground)
        return ground

    def _tile(self, sprite: Sprite, theme: Theme, unit: int) -> Tile:
        return self._tiles.get(
            (sprite, theme.name, unit),
            lambda: rastered(sprite, theme, unit, next(self._numbers)),
        )


@lru_cache(maxsize=_MARKS)
def _centred(mark: Shape) -> Sprite:
    """Return the look of a mark wherever it is; most marks come again at the same place."""
    x, y = origin(mark)
    return Sprite((moved(mark, -x, -y),))


def _weight(image: Image.Image) -> int:
    return image.width * image.height

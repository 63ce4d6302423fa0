"""Paints scenes; everything expensive is made once and reused.

A board is rastered once for each theme and width. A sprite or mark is rastered once for each theme
and size, then laid on whatever lies below it and quantised to the theme's palette. That result is
cached too: the next time the same thing is painted on the same ground, its bytes are copied. The ground
is identified by its place and what was laid there before, otherwise by its bytes.

A picture is cut into strips, and compressed strips are cached too: from one turn to the next only a
few rows of a board change, and of the others only the shapes on them are checked. What remains for
each picture is pasting palette indices into new strips and compressing them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import count, pairwise
from typing import Final

from PIL import Image

from engine.scene import Board, Scene, Shape, Sprite, Text, moved
from render.cache import Cache
from render.geometry import origin
from render.gif import Film
from render.palette import palette
from render.png import Strip, packed, png
from render.raster import WIDTH, Frame, Pixels, Tile, laid, rastered, rastered_board
from render.strips import Ground, Laid, cuts, labels
from render.theme import ALL, DEFAULT, Theme

_BOARDS: Final = 16_000_000
_SPRITES: Final = 8_000_000
_PATCHES: Final = 16_000_000
_STRIPS: Final = 8_000_000
_NAMED: Final = 8_000_000
"""Bytes of boards, sprites, finished patches, compressed strips, and such strips with players' names.

A strip with a name recurs on one match's pictures only, and there on nearly all: it should not be
replaced by what is on the board of other matches. The heap has about as much again free between all
these, once they are replaced.
"""

_SEEN: Final = 64
_KNOWN: Final = 4096
"""Boards, and sprites, known by identity."""

_TILES: Final = 4096
"""Sprites whose places are known. A strip is found again only while the places on it are.

There are two players' names on each match's pictures.
"""

_PLACES: Final = 2048
"""Sprites known by their place on one board."""

_NOWHERE: Final = -(1 << 30)
"""Left of everything in a picture."""

_MARKS: Final = 4096
"""Marks known as sprites."""


class Painter:
    """Paints scenes. Holds only caches: share one, across threads too."""

    def __init__(self) -> None:
        self._boards: Cache[tuple[Board, tuple[float, ...], str, int], Ground] = Cache(
            _BOARDS, lambda ground: _weight(ground.image)
        )
        self._seen: dict[tuple[int, tuple[float, ...], str, int], tuple[Board, Ground]] = {}
        self._tiles: Cache[tuple[Sprite, str, int], Tile] = Cache(_TILES, lambda _: 1)
        self._pixels: Cache[int, Pixels] = Cache(_SPRITES, lambda pixels: 5 * _weight(pixels.image))
        self._known: dict[tuple[int, str, int], tuple[Sprite, Tile]] = {}
        self._patches: Cache[tuple[int, ...] | tuple[int, bytes], Image.Image] = Cache(
            _PATCHES, lambda image: 2 * _weight(image) + 500
        )
        self._strips: Cache[tuple[int, ...], Strip] = Cache(
            _STRIPS, lambda strip: len(strip.data) + 1000
        )
        self._named: Cache[tuple[int, ...], Strip] = Cache(
            _NAMED, lambda strip: len(strip.data) + 1000
        )
        self._numbers = count()

    def png(self, scene: Scene, *, theme: str = DEFAULT, width: int = WIDTH) -> bytes:
        """Return a scene as a PNG.

        Raises:
            KeyError: no theme of that name.
            ValueError: too narrow or too wide.

        """
        chosen = ALL[theme]
        frame = Frame.of(scene.board, width)
        ground = self._board(scene, chosen, frame)
        laid = self._laid(scene, chosen, frame, ground)
        strips = self._strips_of(ground, laid, chosen)
        return png(ground.image.size, strips, palette(chosen))

    def gif(
        self,
        scenes: Sequence[Scene],
        *,
        theme: str = DEFAULT,
        width: int = WIDTH,
        durations: Sequence[int],
        report: Callable[[float], None] = lambda _: None,
    ) -> bytes:
        """Return scenes as a GIF that loops for ever.

        Identical neighbours become one frame, shown for their combined time.

        Args:
            scenes: all of one size, at least one.
            theme: the name of a theme.
            width: in pixels.
            durations: of each scene, in milliseconds; GIF counts in tens.
            report: is called with the progress, from 0 to 1.

        Raises:
            KeyError: no theme of that name.
            ValueError: no scene, scenes of different sizes, a number of durations other than that of
                scenes, or too narrow or too wide.
        """
        if not scenes or len(scenes) != len(durations):
            raise ValueError("a GIF needs at least one scene and a duration for each")
        chosen = ALL[theme]
        frames = [Frame.of(scene.board, width) for scene in scenes]
        if len({(frame.width, frame.height) for frame in frames}) > 1:
            raise ValueError("all scenes of a GIF must have the same size")
        film: Film | None = None
        image, before = None, list[tuple[int, ...]]()
        for number, (scene, frame, duration) in enumerate(
            zip(scenes, frames, durations, strict=True)
        ):
            report(number / len(scenes))
            ground = self._board(scene, chosen, frame)
            laid = self._laid(scene, chosen, frame, ground)
            keys = _keys(ground, laid)
            if film is None or image is None or keys[0][0] != before[0][0]:
                new = list(range(len(keys)))
            else:
                new = [index for index, key in enumerate(keys) if key != before[index]]
            image = self._redrawn(image, ground, laid, chosen, new)
            if film is None:
                film = Film(image, duration)
            else:
                film.add(image, [(ground.cuts[i], ground.cuts[i + 1]) for i in new], duration)
            before = keys
        assert film is not None
        return film.written(palette(chosen))

    # ------------------------------------------------------------------ putting it together

    def _laid(self, scene: Scene, theme: Theme, frame: Frame, ground: Ground) -> list[Laid]:
        """Return everything on the board, in drawing order."""
        unit, edge, known = frame.unit, frame.left, ground.laid
        laid: list[Laid] = []
        for shape in scene.below:
            x, y = origin(shape)
            laid.append(Laid(self._mark(shape, theme, unit), edge, x * unit, y * unit, ground))
        for token in scene.tokens:
            sprite, x, y = token.sprite, token.x, token.y
            key = (id(sprite), x, y)
            seen = known.get(key)
            if seen is None or seen[0] is not sprite:
                if len(known) >= _PLACES:
                    known.clear()
                tile = self._tile(sprite, theme, unit)
                seen = known[key] = (sprite, Laid(tile, edge, x * unit, y * unit, ground))
            laid.append(seen[1])
        for shape in scene.above:
            x, y = origin(shape)
            laid.append(Laid(self._mark(shape, theme, unit), edge, x * unit, y * unit, ground))
        return laid

    def _strips_of(self, ground: Ground, laid: Sequence[Laid], theme: Theme) -> list[Strip]:
        """Return the strips of a picture; only new ones are painted and compressed."""
        at, keys = ground.cuts, _keys(ground, laid)
        kept = [self._strips] * len(keys)
        for one in laid:
            if one.tile.passing:
                for index in range(one.first, one.last + 1):
                    kept[index] = self._named
        strips = [cache.find(key) for cache, key in zip(kept, keys, strict=True)]
        new = [index for index, strip in enumerate(strips) if strip is None]
        if new:
            image = self._painted(ground, laid, theme, new)
            for index in new:
                part = (0, at[index], image.width, at[index + 1])
                strips[index] = kept[index].get(keys[index], partial(_packed, image, part))
        return [strip for strip in strips if strip is not None]

    def _redrawn(
        self,
        before: Image.Image | None,
        ground: Ground,
        laid: Sequence[Laid],
        theme: Theme,
        strips: Sequence[int],
    ) -> Image.Image:
        """Return a picture that differs from the previous one in these strips only."""
        if before is not None and not strips:
            return before
        painted = self._painted(ground, laid, theme, strips)
        if before is None or len(strips) == len(ground.cuts) - 1:
            return painted
        image = before.copy()
        for index in strips:
            part = (0, ground.cuts[index], image.width, ground.cuts[index + 1])
            image.paste(painted.crop(part), part)
        return image

    def _painted(
        self, ground: Ground, laid: Sequence[Laid], theme: Theme, strips: Iterable[int]
    ) -> Image.Image:
        """Return a picture in which only these strips need be right."""
        image = ground.image.copy()
        pixels, find = image.im, self._patches.find
        wanted = bytearray(len(ground.cuts))
        for index in strips:
            wanted[index] = 1
        below: list[list[Laid]] = [[] for _ in ground.cuts]
        reach = [_NOWHERE] * len(ground.cuts)
        for one in laid:
            first, last = one.first, one.last
            if not (wanted[first] or 1 in wanted[first : last + 1]):
                continue
            left, right = one.left, one.right
            key: tuple[int, ...] = (one.code, ground.number)
            for index in range(first, last + 1):
                strip = below[index]
                if left < reach[index]:
                    key += _touched(one, strip)
                strip.append(one)
                reach[index] = max(reach[index], right)
            patch = find(key) or self._patch(image, one, key, theme)
            # Pillow's own `paste` spends longer examining both images than pasting.
            pixels.paste(patch.im, one.box)
        return image

    def _patch(
        self, image: Image.Image, one: Laid, key: tuple[int, ...], theme: Theme
    ) -> Image.Image:
        """Return a tile on its ground."""
        tile = one.tile
        if tile.passing:
            # Its strip is kept. This patch would only take the room of those that recur.
            pixels = rastered(tile.sprite, theme, tile.unit)
            return laid(pixels, image.crop(one.box), theme)

        def lay() -> Image.Image:
            under = image.crop(one.box)
            if len(key) == 2:
                return laid(self._pixels_of(tile, theme), under, theme)
            return self._patches.get(
                (tile.number, under.tobytes()),
                lambda: laid(self._pixels_of(tile, theme), under, theme),
            )

        return self._patches.get(key, lay)

    # ------------------------------------------------------------------ what is made once

    def _board(self, scene: Scene, theme: Theme, frame: Frame) -> Ground:
        board, named = scene.board, labels(scene)
        # Games return the same object each time, and hashing a board is slow.
        seen = self._seen.get((id(board), named, theme.name, frame.width))
        if seen is not None and seen[0] is board:
            return seen[1]
        ground = self._boards.get(
            (board, named, theme.name, frame.width),
            lambda: self._grounded(board, named, theme, frame),
        )
        if len(self._seen) >= _SEEN:
            self._seen.clear()
        self._seen[id(board), named, theme.name, frame.width] = (board, ground)
        return ground

    def _grounded(
        self, board: Board, named: tuple[float, ...], theme: Theme, frame: Frame
    ) -> Ground:
        at = cuts(board, frame, named)
        strip_at = b"".join(
            bytes([index]) * (end - start) for index, (start, end) in enumerate(pairwise(at))
        )
        return Ground(
            rastered_board(board, theme, frame),
            next(self._numbers),
            at,
            strip_at,
            frame.height,
        )

    def _tile(self, sprite: Sprite, theme: Theme, unit: int) -> Tile:
        # As with boards: games return the same sprites each time.
        key = (id(sprite), theme.name, unit)
        known = self._known.get(key)
        if known is not None and known[0] is sprite:
            return known[1]
        tile = self._tiles.get(
            (sprite, theme.name, unit),
            lambda: self._placed(sprite, theme, unit),
        )
        if len(self._known) >= _KNOWN:
            self._known.clear()
        self._known[key] = (sprite, tile)
        return tile

    def _placed(self, sprite: Sprite, theme: Theme, unit: int) -> Tile:
        number, pixels = next(self._numbers), rastered(sprite, theme, unit)
        passing = any(isinstance(one, Text) and one.seat is not None for one in sprite.shapes)
        if not passing:
            self._pixels.get(number, lambda: pixels)
        place = (pixels.left, pixels.top, *pixels.image.size)
        return Tile(sprite, unit, number, *place, passing)

    def _pixels_of(self, tile: Tile, theme: Theme) -> Pixels:
        return self._pixels.get(tile.number, lambda: rastered(tile.sprite, theme, tile.unit))

    def _mark(self, mark: Shape, theme: Theme, unit: int) -> Tile:
        return self._tile(_centred(mark), theme, unit)


def _keys(ground: Ground, laid: Sequence[Laid]) -> list[tuple[int, ...]]:
    """Return each strip's key: the ground, and what is drawn there."""
    codes: list[list[int]] = [[ground.number, index] for index in range(len(ground.cuts) - 1)]
    for one in laid:
        for index in range(one.first, one.last + 1):
            codes[index].append(one.code)
    return [tuple(code) for code in codes]


def _touched(one: Laid, others: Iterable[Laid]) -> tuple[int, ...]:
    """Return the codes of the tiles at least partly below this one."""
    left, top, right, bottom = one.box
    return tuple(
        [
            other.code
            for other in others
            if other.right > left
            and other.left < right
            and other.bottom > top
            and other.top < bottom
        ]
    )


def _packed(image: Image.Image, part: tuple[int, int, int, int]) -> Strip:
    return packed(image.crop(part))


@lru_cache(maxsize=_MARKS)
def _centred(mark: Shape) -> Sprite:
    """Return a mark's look, independent of its place; most marks recur at the same place."""
    x, y = origin(mark)
    return Sprite((moved(mark, -x, -y),))


def _weight(image: Image.Image) -> int:
    return image.width * image.height

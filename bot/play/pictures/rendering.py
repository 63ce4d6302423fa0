"""Paints pictures and charts off the event loop, each only once."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from cachetools import LRUCache

from bot.core.i18n.catalogues import ENGLISH
from bot.core.workers.fair_places import MAX_WAITING, FairPlaces, SharedWork
from bot.core.workers.fair_queue import NOBODY, Requester
from bot.play.pictures import chart_text as words
from bot.play.pictures.styles import BoardStyle
from bot.play.replays.animation import Animation
from engine.phrase import Tongue, translated
from engine.scene import Board, Scene, Token, drawn
from render import Painter, writable
from render.charts import (
    Bracket,
    Equity,
    History,
    Leaderboard,
    TournamentTable,
    bracket,
    equity,
    history,
    leaderboard,
    painted,
    tournament_table,
)
from render.pair import joined

Chart: TypeAlias = Leaderboard | History | Equity | TournamentTable | Bracket

USUAL = BoardStyle()
"""The default style of pictures."""

_PAIR = 1000
"""The width of two pictures in one, in pixels."""
_ANIMATION_WIDTHS = (480, 360, 280)
"""Widths in pixels to try: the first whose animation is small enough is used."""
_ANIMATIONS = 8
_CHARTS = 32
"""Maximum animations, charts and pairs in the caches."""


class Renderer:
    """Paints pictures in a worker thread and caches the latest ones.

    Pillow releases the GIL while it compresses and encodes, so a thread costs the event loop little
    and saves sending scenes to another process.
    """

    def __init__(self, *, width: int, keep: int = 64) -> None:
        """Paint pictures of this width in pixels and cache the latest ``keep``."""
        self._painter = Painter()
        self._width = width
        self._worker = ThreadPoolExecutor(1, "painter")
        # Animations take seconds, and boards must not wait for them.
        self._animator = ThreadPoolExecutor(1, "animator")
        self._animators = FairPlaces([self._animator], limit=MAX_WAITING)
        self._under_way: SharedWork[bytes] = SharedWork()
        self._progress: dict[Hashable, float] = {}
        self._animations: LRUCache[Hashable, bytes] = LRUCache(_ANIMATIONS)
        # Not an LRUCache, which would hash these long keys ten times for each new picture.
        self._pictures: dict[Hashable, tuple[Board, tuple[Token, ...], bytes]] = {}
        self._keep = keep
        self._charts: LRUCache[Hashable, bytes] = LRUCache(_CHARTS)
        self._pairs: LRUCache[tuple[bytes, bytes], bytes] = LRUCache(_CHARTS)

    async def picture(self, scene: Scene, style: BoardStyle = USUAL) -> bytes:
        """Return a scene as a PNG in a style."""
        key = _key(scene, style)
        held = self._pictures.pop(key, None)
        if held is None:
            loop = asyncio.get_running_loop()
            painted = await loop.run_in_executor(self._worker, self._paint, scene, style)
            # Not the whole scene: dropping one later, with all its words, takes longer than all this.
            held = (scene.board, scene.tokens, painted)
            if len(self._pictures) >= self._keep:
                del self._pictures[next(iter(self._pictures))]
        self._pictures[key] = held
        return held[2]

    async def pair(self, one: Scene, other: Scene, style: BoardStyle = USUAL) -> bytes:
        """Return two scenes of the same size in one PNG."""
        pictures = (await self.picture(one, style), await self.picture(other, style))
        held = self._pairs.get(pictures)
        if held is None:
            held = await asyncio.to_thread(joined, *pictures, width=_PAIR)
            self._pairs[pictures] = held
        return held

    async def chart(self, chart: Chart, style: BoardStyle = USUAL) -> bytes:
        """Return a chart as a PNG. Of the style, only theme and language matter."""
        key = (chart, style.theme, style.locale)
        held = self._charts.get(key)
        if held is None:
            loop = asyncio.get_running_loop()
            held = self._charts[key] = await loop.run_in_executor(
                self._worker, self._paint_chart, chart, style
            )
        return held

    async def animation(
        self,
        animation: Animation,
        *,
        most_bytes: int,
        style: BoardStyle = USUAL,
        requester: Requester = NOBODY,
    ) -> bytes:
        """Return an animation as a GIF, painted without delaying boards.

        It is repainted smaller, and finally with fewer pictures, until it is small enough. One is
        painted at a time, taking turns between users, and concurrent requests for the same one
        share it.

        Args:
            animation: the animation; its scenes are all the same size.
            most_bytes: the maximum size in bytes.
            style: the style of its pictures.
            requester: the user it is for.

        Raises:
            TooMany: this user is waiting for too many.

        """
        key = (animation.name, most_bytes, style)
        held = self._animations.get(key)
        if held is None:
            work = partial(self._animation, key, animation, most_bytes, style, requester)
            held = await self._under_way.run(key, work)
        return held

    async def _animation(
        self,
        key: Hashable,
        animation: Animation,
        most_bytes: int,
        style: BoardStyle,
        requester: Requester,
    ) -> bytes:
        async with self._animators.take(requester) as animator:
            work = partial(
                self._animate, key, animation.scenes, animation.durations, most_bytes, style
            )
            try:
                gif = await asyncio.get_running_loop().run_in_executor(animator, work)
            finally:
                self._progress.pop(key, None)
        self._animations[key] = gif
        return gif

    def progress(self, animation: Animation, *, most_bytes: int, style: BoardStyle) -> float | None:
        """Return the painted share of an animation; ``None`` before it starts."""
        return self._progress.get((animation.name, most_bytes, style))

    def _animate(
        self,
        key: Hashable,
        scenes: Sequence[Scene],
        durations: Sequence[int],
        most_bytes: int,
        style: BoardStyle,
    ) -> bytes:
        def report(share: float) -> None:
            # A smaller repaint starts over, but the progress shown never goes back.
            self._progress[key] = max(share, self._progress.get(key, 0.0))

        scenes = [style.seen(scene) for scene in scenes]
        widths = [min(width, self._width) for width in _ANIMATION_WIDTHS]
        while True:
            for width in widths:
                gif = self._painter.gif(
                    scenes, theme=style.theme, width=width, durations=durations, report=report
                )
                if len(gif) <= most_bytes or (width == widths[-1] and len(scenes) == 1):
                    return gif
            # Drop every other picture, but never the last: it shows the final position.
            left = range(len(scenes) - 1, -1, -2)[::-1]
            scenes = [scenes[index] for index in left]
            durations = [durations[index] for index in left]

    def _paint(self, scene: Scene, style: BoardStyle) -> bytes:
        return self._painter.png(style.seen(scene), theme=style.theme, width=self._width)

    def _paint_chart(self, shown: Chart, style: BoardStyle) -> bytes:
        return painted(chart(shown, style.locale), theme=style.theme, width=self._width)

    def close(self) -> None:
        """Finish the current picture and stop."""
        self._worker.shutdown(wait=True, cancel_futures=True)
        self._animator.shutdown(wait=True, cancel_futures=True)


def _key(scene: Scene, style: BoardStyle) -> Hashable:
    """Return the cache key of a scene in a style.

    Boards and sprites are compared by identity, because hashing them would cost more than
    everything else; a picture is cached with both, so their identities cannot be reused meanwhile.
    """
    tokens = tuple([(id(token.sprite), token.x, token.y) for token in scene.tokens])
    return (id(scene.board), tokens, scene.below, scene.above, style)


def chart(chart: Chart, locale: Tongue) -> Scene:
    """Return a chart's picture in a language, or all in English if the fonts lack letters."""
    scene = _translated(chart, locale)
    return scene if all(map(writable, drawn(scene))) else _translated(chart, ENGLISH)


def _translated(chart: Chart, locale: Tongue) -> Scene:
    if isinstance(chart, Leaderboard):
        return leaderboard(chart, words.on_leaderboard(locale))
    if isinstance(chart, Equity):
        sides = tuple(translated(side, locale) for side in chart.sides)
        return equity(replace(chart, sides=sides), words.on_equity(locale))
    if isinstance(chart, TournamentTable):
        return tournament_table(chart, words.on_tournament(locale))
    if isinstance(chart, Bracket):
        return bracket(chart, words.on_tournament(locale))
    records = tuple(
        replace(record, name=translated(record.name, locale)) for record in chart.records
    )
    return history(replace(chart, records=records), words.on_history(locale))

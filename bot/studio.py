"""Paints pictures off the event loop, and each picture once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from bot.looks import Look
from render import Painter

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

    from engine.scene import Scene

USUAL = Look()
"""How pictures look where nobody has chosen anything."""


class Studio:
    """A painter in a worker thread, with the last few pictures at hand.

    Pillow lets other threads run while it packs and encodes, so a thread costs the event loop
    little and spares the price of sending scenes to another process.
    """

    def __init__(self, *, width: int, keep: int = 64) -> None:
        """Paint pictures of this width in pixels and keep the last ones."""
        self._painter = Painter()
        self._width = width
        self._keep = keep
        self._worker = ThreadPoolExecutor(1, "painter")
        self._pictures: OrderedDict[Hashable, tuple[Scene, bytes]] = OrderedDict()

    def warm(self, scenes: Iterable[Scene], look: Look = USUAL) -> None:
        """Paint scenes in the background, so that what is dear about a first picture is done."""
        for scene in scenes:
            self._worker.submit(self._paint, scene, look)

    async def picture(self, scene: Scene, look: Look = USUAL) -> bytes:
        """Return a scene as a PNG that looks so."""
        key = _key(scene, look)
        held = self._pictures.get(key)
        if held is None:
            loop = asyncio.get_running_loop()
            painted = await loop.run_in_executor(self._worker, self._paint, scene, look)
            held = self._pictures[key] = (scene, painted)
            while len(self._pictures) > self._keep:
                self._pictures.popitem(last=False)
        return held[1]

    def _paint(self, scene: Scene, look: Look) -> bytes:
        return self._painter.png(look.seen(scene), theme=look.theme, width=self._width)

    def close(self) -> None:
        """Let the worker finish what it paints and stop."""
        self._worker.shutdown(wait=True, cancel_futures=True)


def _key(scene: Scene, look: Look) -> Hashable:
    """Return what tells a scene from the others that are kept.

    Boards and sprites are told by identity, because their hashes cost more than all the rest; a
    picture is kept with its scene, so no other thing gets the same identity meanwhile.
    """
    tokens = tuple((id(token.sprite), token.x, token.y) for token in scene.tokens)
    return (id(scene.board), tokens, scene.below, scene.above, look)

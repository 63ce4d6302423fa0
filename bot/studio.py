"""Paints pictures off the event loop, and each picture once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from render import Painter

if TYPE_CHECKING:
    from engine.scene import Scene


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
        self._pictures: OrderedDict[tuple[Scene, str], bytes] = OrderedDict()

    async def picture(self, scene: Scene, *, theme: str = "wood") -> bytes:
        """Return a scene as a PNG."""
        key = (scene, theme)
        held = self._pictures.get(key)
        if held is None:
            loop = asyncio.get_running_loop()
            held = await loop.run_in_executor(self._worker, self._paint, scene, theme)
            self._pictures[key] = held
            while len(self._pictures) > self._keep:
                self._pictures.popitem(last=False)
        return held

    def _paint(self, scene: Scene, theme: str) -> bytes:
        return self._painter.png(scene, theme=theme, width=self._width)

    def close(self) -> None:
        """Let the worker finish what it paints and stop."""
        self._worker.shutdown(wait=True, cancel_futures=True)

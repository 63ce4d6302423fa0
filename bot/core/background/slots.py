"""Limits concurrent work; what is more urgent goes first."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from contextvars import ContextVar
from typing import Final

UNHURRIED: Final[ContextVar[bool]] = ContextVar("UNHURRIED", default=False)
"""Whether the current commit came by itself, like a reminder, so that no player waits for it."""

AWAITED: Final = 0
"""Priority of what a player waits for."""
FRESH: Final = 1
"""Priority of what was just played."""
BACKLOG: Final = 2
"""Priority of reminders and of the backlog."""


class Slots:
    """A fixed number of slots, granted by priority, then in order of arrival."""

    def __init__(self, limit: int) -> None:
        """Provide ``limit`` slots."""
        self._free = limit
        self._queue: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    async def take(self, priority: int) -> None:
        """Wait for a slot."""
        if self._free > 0:
            self._free -= 1
            return
        waiting = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (priority, next(self._numbers), waiting))
        try:
            await waiting
        except asyncio.CancelledError:
            if not waiting.cancelled():
                self.release()
            raise

    def release(self) -> None:
        """Return a slot."""
        self._free += 1
        while self._free > 0 and self._queue:
            _, _, waiting = heapq.heappop(self._queue)
            if not waiting.done():
                self._free -= 1
                waiting.set_result(None)

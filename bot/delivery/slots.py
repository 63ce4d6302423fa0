"""Limits concurrent deliveries; those a player has just pressed for go first."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from contextvars import ContextVar
from typing import Final

UNHURRIED: Final[ContextVar[bool]] = ContextVar("UNHURRIED", default=False)
"""Whether the current commit came by itself, like a reminder, so that no player waits for it."""

FRESH: Final = 1
"""Priority of what was just played."""
BACKLOG: Final = 2
"""Priority of reminders and of the backlog."""


class Slots:
    """A fixed number of slots, granted by priority, then in order of arrival."""

    def __init__(self, limit: int) -> None:
        """Provide ``limit`` slots."""
        self._free = limit
        self._queue: list[tuple[int, int, int]] = []
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[None]] = {}

    async def take(self, key: int, priority: int) -> None:
        """Wait for a slot, or until `release_now` is called for this key.

        At most one caller may wait per key.
        """
        if self._free > 0:
            self._free -= 1
            return
        waiting = self._waiting[key] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (priority, next(self._numbers), key))
        try:
            await waiting
        except asyncio.CancelledError:
            if not waiting.cancelled():
                self.release()
            raise
        finally:
            del self._waiting[key]

    def release_now(self, key: int) -> None:
        """Release the waiter for this key at once, beyond the limit if need be."""
        waiting = self._waiting.get(key)
        if waiting is not None and not waiting.done():
            self._free -= 1
            waiting.set_result(None)

    def take_now(self) -> None:
        """Take a slot without waiting, beyond the limit if need be; others then wait longer."""
        self._free -= 1

    def release(self) -> None:
        """Return a slot."""
        self._free += 1
        while self._free > 0 and self._queue:
            _, _, key = heapq.heappop(self._queue)
            self.release_now(key)

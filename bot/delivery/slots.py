"""Bounds how many deliveries are under way at once; what somebody has pressed for goes first."""

from __future__ import annotations

import asyncio
import heapq
import itertools
from contextvars import ContextVar
from typing import Final

UNHURRIED: Final[ContextVar[bool]] = ContextVar("UNHURRIED", default=False)
"""Whether what is committed now came by itself, such as a reminder: nobody waits for it."""

FRESH: Final = 1
"""The priority of what was just played."""
BACKLOG: Final = 2
"""That of reminders and of what was left behind."""


class Slots:
    """A number of slots, given to those who wait for one by priority, then in turn."""

    def __init__(self, most: int) -> None:
        """Have so many slots."""
        self._free = most
        self._queue: list[tuple[int, int, int]] = []
        self._numbers = itertools.count()
        self._waiting: dict[int, asyncio.Future[None]] = {}

    async def take(self, key: int, priority: int) -> None:
        """Wait for a slot, or until somebody is in a hurry for this key.

        Nobody waits twice for the same key.
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
                self.give_back()
            raise
        finally:
            del self._waiting[key]

    def hurry(self, key: int) -> None:
        """Let whoever waits for a slot for this key go on at once, beyond the bound if need be."""
        waiting = self._waiting.get(key)
        if waiting is not None and not waiting.done():
            self._free -= 1
            waiting.set_result(None)

    def take_now(self) -> None:
        """Take a slot without waiting, beyond the bound if need be: others wait longer for it."""
        self._free -= 1

    def give_back(self) -> None:
        """Give a slot back."""
        self._free += 1
        while self._free > 0 and self._queue:
            _, _, key = heapq.heappop(self._queue)
            self.hurry(key)

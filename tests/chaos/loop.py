"""An event loop on which time passes only while everything waits.

Sockets, the database and the painter take no time; only timers do. When everything waits for a
timer, the clock jumps to it. So ten seconds pass in a moment, a busy machine changes nothing, and a
run depends on its seed rather than on the machine.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import sys
from typing import Any, Final

from data.store import sqlite
from playground.clock import RealClock

_THREADS: Final = frozenset({"asyncio.futures", "aiosqlite.core"})
"""The modules that let the loop make a future for work in another thread."""


class _Selector(selectors.DefaultSelector):
    """Waits for sockets and threads, and otherwise moves its loop's clock."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready, or else advance the clock by the time the loop would wait."""
        found = super().select(0)
        if found or (timeout is not None and timeout <= 0):
            return found
        if self.loop.working:
            return super().select(1.0)
        if timeout is None:
            return super().select(None)
        os.sched_yield()  # the kernel may still carry bytes from one of our sockets to another
        found = super().select(0)
        if not found:
            self.loop.now += timeout
        return found


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with its own clock."""

    def __init__(self) -> None:
        """Begin at zero."""
        self.now = 0.0
        self.working = 0
        """Number of pieces of work in other threads."""
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        """Return the seconds since the loop was made."""
        return self.now

    def create_future(self) -> asyncio.Future[Any]:
        """Make a future, and count it while another thread works on it."""
        future = super().create_future()
        if sys._getframe(1).f_globals.get("__name__") in _THREADS:
            self.count(future)
        return future

    def count(self, future: asyncio.Future[Any]) -> None:
        """Count a future until another thread has done its work."""
        self.working += 1
        future.add_done_callback(self._worked)

    def _worked(self, _: object) -> None:
        self.working -= 1


class _Outcome(sqlite.Outcome[Any]):
    """The outcome of a trip to a database's thread, counted by this loop."""

    def __init__(self) -> None:
        super().__init__()
        loop = self.get_loop()
        if isinstance(loop, VirtualLoop):
            loop.count(self)


sqlite.Outcome = _Outcome  # type: ignore[assignment,misc]


class LoopClock(RealClock):
    """The running loop's clock, for the playground and the bot.

    Args:
        start: the time of day when the loop was made, in seconds since 1970.
    """

    def __init__(self, start: float) -> None:
        self._start = start
        self._loop = asyncio.get_running_loop()

    def time(self) -> float:
        """Return the seconds since 1970, UTC."""
        return self._start + self._loop.time()

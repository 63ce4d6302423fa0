"""An event loop on which time passes only while nothing else can happen.

Sockets, the database and the painter take no time at all; timers are all the time there is. When
everything waits for a timer, the clock jumps to it. So ten seconds pass in a moment, a busy machine
changes nothing, and a run depends on its seed rather than on the machine.
"""

from __future__ import annotations

import asyncio
import os
import selectors
import sys
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from playground.clock import TimerHandle

_THREADS: Final = frozenset({"asyncio.futures", "aiosqlite.core"})
"""The modules that make a future for work in another thread."""


class _Selector(selectors.DefaultSelector):
    """Waits for sockets and threads, and moves the clock of its loop where there are none."""

    loop: VirtualLoop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; where nothing is, let the time pass that the loop would wait."""
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
    """An event loop with a clock of its own."""

    def __init__(self) -> None:
        """Begin at zero."""
        self.now = 0.0
        self.working = 0
        """Pieces of work that other threads are busy with."""
        selector = _Selector()
        selector.loop = self
        super().__init__(selector)

    def time(self) -> float:
        """Tell the seconds since the loop was made."""
        return self.now

    def create_future(self) -> asyncio.Future[Any]:
        """Make a future, and count it while another thread works for it."""
        future = super().create_future()
        if sys._getframe(1).f_globals.get("__name__") in _THREADS:
            self.working += 1
            future.add_done_callback(self._worked)
        return future

    def _worked(self, _: object) -> None:
        self.working -= 1


class LoopClock:
    """The clock of the running loop, for the playground and for the bot.

    Args:
        start: the time of day when the loop was made, in seconds since 1970.
    """

    def __init__(self, start: float) -> None:
        self._start = start
        self._loop = asyncio.get_running_loop()

    def time(self) -> float:
        """Tell the seconds since 1970, UTC."""
        return self._start + self._loop.time()

    def call_later(self, seconds: float, action: Callable[[], object]) -> TimerHandle:
        """Do ``action`` when ``seconds`` have passed."""
        return self._loop.call_later(seconds, action)

    async def sleep(self, seconds: float) -> None:
        """Return when ``seconds`` have passed."""
        await asyncio.sleep(seconds)

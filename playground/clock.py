"""Time, in one place, so that a test can let three seconds or fifteen minutes pass at once.

Everything of the playground that waits or grows old asks a :class:`Clock`: the time to
acknowledge, the life of a token, the age of a message, rate limits, delays.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class TimerHandle(Protocol):
    """Something set to happen later."""

    def cancel(self) -> None:
        """Let it not happen. Does nothing when it has happened already."""


class Clock(Protocol):
    """What the playground knows of time."""

    def time(self) -> float:
        """Tell the seconds since 1970, UTC."""

    def call_later(self, seconds: float, action: Callable[[], object]) -> TimerHandle:
        """Do ``action`` when ``seconds`` have passed."""

    async def sleep(self, seconds: float) -> None:
        """Return when ``seconds`` have passed."""


def utc_now(clock: Clock) -> datetime:
    """Tell what time it is, as an aware datetime in UTC."""
    return datetime.fromtimestamp(clock.time(), UTC)


class RealClock:
    """The clock on the wall."""

    def time(self) -> float:
        """Tell the seconds since 1970, UTC."""
        return time.time()

    def call_later(self, seconds: float, action: Callable[[], object]) -> TimerHandle:
        """Do ``action`` in the running event loop when ``seconds`` have passed."""
        return asyncio.get_running_loop().call_later(seconds, action)

    async def sleep(self, seconds: float) -> None:
        """Return when ``seconds`` have passed."""
        await asyncio.sleep(seconds)


class _ManualTimer:
    __slots__ = ("action", "cancelled")

    def __init__(self, action: Callable[[], object]) -> None:
        self.action = action
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class ManualClock:
    """A clock that stands still until :meth:`advance` moves it.

    Args:
        start: seconds since 1970; now, if not said. discord.py reads some ages from ids by the
            real clock, so a start far from now makes it see interactions of another year.
    """

    def __init__(self, start: float | None = None) -> None:
        self._now = time.time() if start is None else start
        self._order = itertools.count()
        self._timers: list[tuple[float, int, _ManualTimer]] = []

    def time(self) -> float:
        """Tell the seconds since 1970, UTC."""
        return self._now

    def call_later(self, seconds: float, action: Callable[[], object]) -> TimerHandle:
        """Do ``action`` during the :meth:`advance` that reaches its time."""
        timer = _ManualTimer(action)
        heapq.heappush(self._timers, (self._now + seconds, next(self._order), timer))
        return timer

    async def sleep(self, seconds: float) -> None:
        """Return when the clock has been advanced by ``seconds``."""
        if seconds <= 0:
            return
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def wake() -> None:
            if not woken.done():
                woken.set_result(None)

        timer = self.call_later(seconds, wake)
        try:
            await woken
        finally:
            timer.cancel()

    def advance(self, seconds: float) -> None:
        """Let ``seconds`` pass, doing everything that falls due, in order.

        Raises:
            ValueError: for a negative number; time does not run backwards.
        """
        if seconds < 0:
            raise ValueError("Time does not run backwards: give a number of seconds from 0 up.")
        until = self._now + seconds
        while self._timers and self._timers[0][0] <= until:
            due, _, timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                self._now = max(self._now, due)
                timer.action()
        self._now = until

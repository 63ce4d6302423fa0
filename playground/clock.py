"""Clocks: the real one, and one that tests advance by hand.

Everything in the playground that waits or expires uses a :class:`Clock`: interaction tokens, rate
limits, message ages, delays.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol


class TimerHandle(Protocol):
    """A scheduled call."""

    def cancel(self) -> None:
        """Cancel the call; does nothing once it has been made."""


class Clock(Protocol):
    """A source of time."""

    def time(self) -> float:
        """Return the seconds since 1970, UTC."""

    def call_later(self, seconds: float, action: Callable[[], object]) -> TimerHandle:
        """Call ``action`` after ``seconds``."""

    async def sleep(self, seconds: float) -> None:
        """Wait for ``seconds``."""


def utc_now(clock: Clock) -> datetime:
    """Return the time as an aware datetime in UTC."""
    return datetime.fromtimestamp(clock.time(), UTC)


class RealClock:
    """The system's clock."""

    def time(self) -> float:
        """Return the seconds since 1970, UTC."""
        return time.time()

    def call_later(self, seconds: float, action: Callable[[], object]) -> TimerHandle:
        """Call ``action`` in the running event loop after ``seconds``."""
        return asyncio.get_running_loop().call_later(seconds, action)

    async def sleep(self, seconds: float) -> None:
        """Wait for ``seconds``."""
        await asyncio.sleep(seconds)


class _ManualTimer:
    __slots__ = ("action", "cancelled")

    def __init__(self, action: Callable[[], object]) -> None:
        self.action = action
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class ManualClock:
    """A clock that stands still until :meth:`advance`.

    Args:
        start: seconds since 1970; now if None. discord.py compares ids with the system's clock, so
            a distant start makes interactions look years old to it.
    """

    def __init__(self, start: float | None = None) -> None:
        self._now = time.time() if start is None else start
        self._set = 0.0
        """The total of jumps, which timers ignore."""
        self._order = itertools.count()
        self._timers: list[tuple[float, int, _ManualTimer]] = []

    def time(self) -> float:
        """Return the seconds since 1970, UTC."""
        return self._now + self._set

    def call_later(self, seconds: float, action: Callable[[], object]) -> TimerHandle:
        """Call ``action`` in the :meth:`advance` that reaches its time."""
        timer = _ManualTimer(action)
        heapq.heappush(self._timers, (self._now + seconds, next(self._order), timer))
        return timer

    async def sleep(self, seconds: float) -> None:
        """Wait until the clock has advanced by ``seconds``."""
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
        """Move the clock forward, making all calls that fall due, in order.

        Raises:
            ValueError: if ``seconds`` is negative.
        """
        if seconds < 0:
            raise ValueError("Time can't run backwards: seconds must be 0 or more.")
        until = self._now + seconds
        while self._timers and self._timers[0][0] <= until:
            due, _, timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                self._now = max(self._now, due)
                timer.action()
        self._now = until

    def jump(self, seconds: float) -> None:
        """Set the clock forward or back, as after a machine's sleep.

        Timers are unaffected: what was due in an hour is still due in an hour.
        """
        self._set += seconds

"""Measures how long each turn of the event loop is held by the bot, in processor time.

The bot and the playground share a loop. What the bot starts has `OF_BOT` set in its context.
"""

from __future__ import annotations

import asyncio
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final

OF_BOT: Final = ContextVar("OF_BOT", default=False)
YARDSTICK: Final = 0.002
"""Seconds that `_yardstick` takes on the machine for which the limits are written."""


@dataclass
class Spent:
    """Processor time spent by the bot, in seconds."""

    held: float = 0.0
    """The longest turn of the event loop."""
    by: str = ""
    """The callback of that turn."""
    loop: float = 0.0
    """All turns of the event loop."""
    elsewhere: float = 0.0
    """All other threads; the playground uses none."""


class LoopTimes:
    """Measures until it is told to begin again."""

    def __init__(self) -> None:
        self._spent = Spent()
        self._began = 0.0

    def begin(self) -> None:
        """Forget what was measured."""
        self._spent = Spent()
        self._began = time.process_time() - time.thread_time()

    def end(self) -> Spent:
        """Return what was spent since the beginning."""
        self._spent.elsewhere = time.process_time() - time.thread_time() - self._began
        return self._spent

    def add(self, seconds: float, handle: asyncio.Handle) -> None:
        """Count a turn."""
        self._spent.loop += seconds
        if seconds > self._spent.held:
            self._spent.held, self._spent.by = seconds, repr(handle)


@contextmanager
def loop_times() -> Iterator[LoopTimes]:
    """Measure every turn of every event loop of this thread that belongs to the bot."""
    times, usual = LoopTimes(), asyncio.Handle._run

    def run(handle: Any) -> None:
        began = time.thread_time()
        usual(handle)
        if handle._context.get(OF_BOT, False):
            times.add(time.thread_time() - began, handle)

    asyncio.Handle._run = run  # type: ignore[method-assign, assignment]
    try:
        yield times
    finally:
        asyncio.Handle._run = usual  # type: ignore[method-assign]


def slowness() -> float:
    """Return how much slower than that for which the limits are written this machine is now."""
    return max(1.0, statistics.median(_yardstick() for _ in range(5)) / YARDSTICK)


def _yardstick() -> float:
    """Return the processor time of some usual work of Python, in seconds."""
    began = time.thread_time()
    found: dict[int, str] = {}
    for n in range(30_000):
        found[n % 1009] = str(n)
    sorted(found.values())
    return time.thread_time() - began

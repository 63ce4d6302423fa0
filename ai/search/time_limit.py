"""Ends a computation once it has used its time."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class TimeLimit:
    """Seconds of processor time for this process, counted from now, and when to end at the latest.

    Processor time is what a machine with other work leaves: whoever has to share it loses nothing.
    """

    def __init__(self, seconds: float, wait: float = float("inf")) -> None:
        """Allow some seconds of processor time, and so many to pass meanwhile."""
        self._until = time.process_time() + seconds
        self._latest = time.monotonic() + wait

    @contextmanager
    def part(self, share: float, stop: Callable[[], None]) -> Iterator[None]:
        """Call ``stop`` from another thread when a share of what is left now is used up."""
        now, used = time.monotonic(), time.process_time()
        until = used + share * (self._until - used)
        latest = now + share * (self._latest - now)
        if until <= used or latest <= now:
            stop()
            yield
            return
        if until - used >= threading.TIMEOUT_MAX:
            yield
            return
        done = threading.Event()
        watch = threading.Thread(target=_watch, args=(done, until, latest, stop), daemon=True)
        watch.start()
        try:
            yield
        finally:
            done.set()
            watch.join()


def _watch(done: threading.Event, until: float, latest: float, stop: Callable[[], None]) -> None:
    while True:
        left = min(until - time.process_time(), latest - time.monotonic())
        if left <= 0:
            stop()
            return
        if done.wait(left):
            return

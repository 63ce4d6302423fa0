"""Stops a computation once its time is used up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class TimeLimit:
    """A budget of this process's processor time, and a deadline, both counted from now.

    Counting processor time means that a search on a busy machine loses nothing by sharing it.
    """

    def __init__(self, seconds: float, wait: float = float("inf")) -> None:
        """Allow ``seconds`` of processor time within ``wait`` seconds of elapsed time."""
        self._until = time.process_time() + seconds
        self._latest = time.monotonic() + wait

    @contextmanager
    def part(self, share: float, stop: Callable[[], None]) -> Iterator[None]:
        """Call ``stop`` from another thread once a share of the time left now is used up."""
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

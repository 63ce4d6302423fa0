"""Tells in a terminal how far long work is, and how long the rest will take."""

from __future__ import annotations

import sys
import time
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Final, Self

if TYPE_CHECKING:
    from types import TracebackType

_TICK: Final = 1.0
"""Seconds between two looks at the line, which moves on even while nothing is done."""
_RARELY: Final = 60.0
"""Seconds between two lines where they cannot be overwritten, as in a log file."""
_ENOUGH: Final = 0.02
"""The share from which the time that is left can be guessed."""


class Progress:
    """A line on stderr while the block runs: what is done, how much of it, and for how long.

    In a terminal one line is written over and over; elsewhere there is a line a minute.
    """

    def __init__(self, what: str, total: int) -> None:
        """Count up to a total."""
        self._what, self._total, self._done = what, total, 0
        self._doing = ""
        self._begun = time.monotonic()
        self._told = self._begun
        self._over = Event()
        self._lock = Lock()
        self._ticker = Thread(target=self._tick, daemon=True)
        self._in_place = sys.stderr.isatty()

    def __enter__(self) -> Self:
        self._ticker.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._ticker.join()
        self._clear()

    def advance(self, number: int = 1) -> None:
        """Count some more as done."""
        with self._lock:
            self._done += number

    def begin(self, doing: str) -> None:
        """Tell what is being done now."""
        self._doing = doing

    def print(self, line: str) -> None:
        """Print a line of results above."""
        with self._lock:
            self._clear()
            print(line, flush=True)  # noqa: T201 - of a command

    @property
    def line(self) -> str:
        """How it stands."""
        spent = time.monotonic() - self._begun
        parts = [f"{self._what}: {self._done} of {self._total}", self._doing, _told(spent)]
        share = self._done / max(self._total, 1)
        if _ENOUGH <= share < 1:
            parts.append(f"about {_told(spent / share - spent)} left")
        return ", ".join(filter(None, parts))

    def _tick(self) -> None:
        while not self._over.wait(_TICK):
            with self._lock:
                if self._in_place:
                    sys.stderr.write(f"\r\x1b[K{self.line[:110]}")
                    sys.stderr.flush()
                elif time.monotonic() - self._told >= _RARELY:
                    self._told = time.monotonic()
                    sys.stderr.write(f"{self.line}\n")
                    sys.stderr.flush()

    def _clear(self) -> None:
        if self._in_place:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def _told(seconds: float) -> str:
    """Return a length of time as people say it."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"

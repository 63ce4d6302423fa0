"""Shares out the requests that Discord allows a bot, the most urgent first.

Discord allows a bot 50 requests a second, over all its processes; answers to interactions do not
count. Each process keeps to its share, so that none is refused: excess requests wait here, and none
are dropped.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from typing import Final

REQUESTS_PER_SECOND: Final = 50.0
"""Discord's limit for one bot."""
_BURST: Final = 0.2
"""Fraction of a second's requests that may go at once; the rest is spread over the second, so that
no second ever exceeds the limit."""

_MIN_WAIT: Final = 0.001
"""Minimum seconds between checks; below that, a clock may not show that time passes."""


class Urgency(IntEnum):
    """Who waits for a request, the most urgent first."""

    PRESS = 0
    """A player who has just pressed something and is watching."""
    BOARD = 1
    """The players of a match that has moved on."""
    REMINDER = 2
    """No one in particular: reminders and the backlog."""
    EXTRA = 3
    """No one: what only tidies up, such as names of threads."""


URGENCY: Final[ContextVar[Urgency]] = ContextVar("URGENCY", default=Urgency.REMINDER)
"""Urgency of the requests sent in this context."""


class RequestBudget:
    """The requests that this process may send.

    Attributes:
        sent: the number of requests.
        delayed: the number of requests that had to wait.
        waited: the total seconds they waited.
    """

    def __init__(
        self,
        processes: Callable[[], int] = lambda: 1,
        *,
        limit: float = REQUESTS_PER_SECOND,
        monotonic: Callable[[], float] | None = None,
    ) -> None:
        """Share ``limit`` requests a second with other processes; ``processes`` counts them all."""
        self._processes = processes
        self._limit = limit
        self._monotonic = monotonic or _now
        self._left = limit * _BURST
        self._filled_at = float("-inf")
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._timer: asyncio.TimerHandle | None = None
        self.sent = self.delayed = 0
        self.waited = 0.0

    @property
    def waiting(self) -> int:
        """Number of waiting requests."""
        return sum(not future.done() for _, _, future in self._waiting)

    async def take(self, urgency: Urgency) -> None:
        """Return when a request may be sent: the most urgent first, then in order of arrival."""
        self.sent += 1
        self._fill()
        if self._left >= 1 and not self._waiting:
            self._left -= 1
            return
        future = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (urgency, next(self._numbers), future))
        self._schedule()
        began = self._monotonic()
        self.delayed += 1
        try:
            await future
        finally:
            self.waited += self._monotonic() - began

    def _fill(self) -> None:
        now = self._monotonic()
        share = self._limit / max(1, self._processes())
        added = (now - self._filled_at) * share * (1 - _BURST)
        self._left = min(max(1.0, share * _BURST), self._left + added)
        self._filled_at = now

    def _schedule(self) -> None:
        if self._timer is None:
            share = self._limit / max(1, self._processes())
            wait = max(_MIN_WAIT, (1 - self._left) / (share * (1 - _BURST)))
            self._timer = asyncio.get_running_loop().call_later(wait, self._let_go)

    def _let_go(self) -> None:
        """Release as many requests as the budget allows."""
        self._timer = None
        self._fill()
        while self._waiting and (self._left >= 1 or self._waiting[0][2].done()):
            _, _, future = heapq.heappop(self._waiting)
            if not future.done():  # a cancelled request needs none
                future.set_result(None)
                self._left -= 1
        if self._waiting:
            self._schedule()


def _now() -> float:
    return asyncio.get_running_loop().time()


@contextmanager
def urgency(value: Urgency) -> Iterator[None]:
    """Send the requests of a block with the given urgency."""
    before = URGENCY.set(value)
    try:
        yield
    finally:
        URGENCY.reset(before)

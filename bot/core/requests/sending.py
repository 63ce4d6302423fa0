"""Shares out the requests that Discord allows a bot, the most urgent first.

Discord allows a bot 50 requests a second, over all its processes; answers to interactions do not
count. Each process keeps to its share, so that none is refused: excess requests wait here, and none
are dropped.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar, Token
from enum import IntEnum
from types import TracebackType
from typing import Any, Final, Self

import aiohttp
import discord
from aiohttp import ClientResponse

from bot.core.requests.faults import Route

REQUESTS_PER_SECOND: Final = 50.0
"""Discord's limit for one bot."""
_BURST: Final = 0.2
"""Fraction of a second's requests that may go at once; the rest is spread over the second, so that
no second ever exceeds the limit."""
_MIN_WAIT: Final = 0.001
"""Minimum seconds between checks; below that, a clock may not show that time passes."""
TIMEOUT: Final = 4.0
"""Seconds to wait for a reply, once a request is sent."""
_MAX_QUEUED: Final = 60.0
"""Seconds that a request may wait for its turn: discord.py sends some routes' one after another."""
_TOO_MANY_REQUESTS: Final = 429
_A_DAY: Final = 86_400.0


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


@contextmanager
def urgency(value: Urgency) -> Iterator[None]:
    """Send the requests of a block with the given urgency."""
    before = URGENCY.set(value)
    try:
        yield
    finally:
        URGENCY.reset(before)


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


_CURRENT: Final[ContextVar[OneTry | None]] = ContextVar("OneTry", default=None)


class OneTry:
    """Sends the requests of a block once.

    Raises:
        TimeoutError: there was no reply in time.
        discord.DiscordServerError: Discord failed.
        discord.HTTPException: with status 429, if Discord takes such requests only after a long wait.

    """

    def __init__(self, *, limited: bool = True) -> None:
        """Prepare the block; unless ``limited``, its caller bounds the time."""
        self._limited = limited
        self._timeout = asyncio.timeout(_MAX_QUEUED if limited else None)
        self._before: Token[OneTry | None] | None = None
        self.route: Route | None = None
        """The route of its last request."""
        self.ended = False

    async def __aenter__(self) -> Self:
        """Begin the block."""
        await self._timeout.__aenter__()
        self._before = _CURRENT.set(self)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """End the block."""
        assert self._before is not None, "it has begun"
        _CURRENT.reset(self._before)
        self.ended = True
        try:
            await self._timeout.__aexit__(kind, error, traceback)
        except TimeoutError as late:
            late.route = self.route  # type: ignore[attr-defined]
            raise
        if isinstance(error, OSError | aiohttp.ClientError):
            error.route = self.route  # type: ignore[union-attr]

    def sent(self, route: Route | None) -> None:
        """Count the time for a reply from now on."""
        self.route = route
        if self._limited:
            self._timeout.reschedule(asyncio.get_running_loop().time() + TIMEOUT)

    async def answered(self, response: ClientResponse) -> None:
        """Raise the error that a response means, if discord.py would repeat the request."""
        if response.status >= 500:
            response.close()
            raise discord.DiscordServerError(response, None)
        if response.status != _TOO_MANY_REQUESTS:
            return
        body = await _body(response)
        busy = TooManyRequests(response, body)
        # With a code, it is about what was asked, such as too many edits of one message.
        if busy.code or not 0 < busy.wait <= TIMEOUT:
            raise busy
        if self._limited:  # discord.py waits, and must not be interrupted: it may hold up all else
            self._timeout.reschedule(asyncio.get_running_loop().time() + busy.wait + TIMEOUT)


class TooManyRequests(discord.HTTPException):
    """Discord takes such requests only later."""

    def __init__(self, response: ClientResponse, body: dict[str, Any]) -> None:
        """Read how long to wait from the response, or else from its body."""
        super().__init__(response, body)
        self.wait = _seconds(response.headers.get("Retry-After") or body.get("retry_after"))
        """Seconds; 0 if Discord does not say."""


def current() -> OneTry | None:
    """Return the block that the current request belongs to, if it has not ended."""
    block = _CURRENT.get()
    return None if block is None or block.ended else block


def answer_of(error: BaseException) -> tuple[int | None, int, float]:
    """Return the status and error code of Discord's answer, and the seconds it asks to wait."""
    if not isinstance(error, discord.HTTPException):
        return None, 0, 0.0
    if isinstance(error, TooManyRequests):
        return error.status, error.code, error.wait
    headers: Mapping[str, str] = getattr(error.response, "headers", {})
    return error.status, error.code, _seconds(headers.get("Retry-After"))


def _seconds(value: object) -> float:
    try:
        found = float(str(value))
    except ValueError:
        return 0.0
    return min(found, _A_DAY) if found > 0 else 0.0


async def _body(response: ClientResponse) -> dict[str, Any]:
    """Return the JSON object in a response; empty if there is none."""
    try:
        found = json.loads(await response.read())
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}

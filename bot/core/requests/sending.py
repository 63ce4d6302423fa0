"""How requests are sent to Discord: the most urgent first, and each once, in bounded time.

Discord allows a bot 50 requests a second, over all its processes; answers to interactions do not
count. Each process keeps to its share, so that none is refused: excess requests wait here, and none
are dropped.

discord.py repeats a request for half a minute after a server error, and holds up every other
request to the same route meanwhile. Here whoever asks repeats by their own clock instead, so that a
request that fails for one person delays nobody else.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from enum import IntEnum
from typing import Any, Final, Self, TypeGuard

import aiohttp
import discord
from aiohttp import ClientResponse

from bot.core.requests.faults import Fault, NoReply, Route, fault_of

REQUESTS_PER_SECOND: Final = 50.0
"""Discord's limit for one bot."""
_BURST: Final = 0.2
"""Fraction of a second's requests that may go at once; the rest is spread over the second, so that
no second ever exceeds the limit."""
_MIN_WAIT: Final = 0.001
"""Minimum seconds between checks; below that, a clock may not show that time passes."""
TIMEOUT: Final = 4.0
"""Seconds to wait for a reply, once a request is sent."""
LOST: Final = 30.0
"""Seconds after which no reply will come. Until it ends, discord.py holds up the channel's next
requests."""
_MAX_QUEUED: Final = 60.0
"""Seconds that a request may wait for its turn: discord.py sends some routes' one after another."""
_TOO_MANY_REQUESTS: Final = 429
_A_DAY: Final = 86_400.0
FAILED: Final = (NoReply, discord.HTTPException, aiohttp.ClientError, OSError)
"""What a request raises that Discord did not carry out, or may not have."""


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
    """The requests that this process may send."""

    def __init__(
        self,
        share: Callable[[], float] = lambda: 1.0,
        *,
        limit: float = REQUESTS_PER_SECOND,
        monotonic: Callable[[], float] = lambda: asyncio.get_running_loop().time(),
    ) -> None:
        """Send a ``share`` of ``limit`` requests a second: the rest is for other processes."""
        self._share = share
        self._limit = limit
        self._monotonic = monotonic
        self._left = limit * _BURST
        self._filled_at = float("-inf")
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._timer: asyncio.TimerHandle | None = None
        self.sent = self.delayed = 0
        """The number of requests, and of those that had to wait."""

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
        self.delayed += 1
        await future

    @property
    def _rate(self) -> float:
        return self._limit * self._share()

    def _fill(self) -> None:
        now, rate = self._monotonic(), self._rate
        added = (now - self._filled_at) * rate * (1 - _BURST)
        self._left = min(max(1.0, rate * _BURST), self._left + added)
        self._filled_at = now

    def _schedule(self) -> None:
        if self._timer is None:
            wait = max(_MIN_WAIT, (1 - self._left) / (self._rate * (1 - _BURST)))
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


_CURRENT: Final[ContextVar[OneTry | None]] = ContextVar("OneTry", default=None)


class OneTry:
    """Sends the requests of a block once.

    Raises:
        TimeoutError: there was no reply in time.
        discord.DiscordServerError: Discord failed.
        discord.HTTPException: with status 429, if Discord takes such requests only after a long wait.

    """

    _before: Token[OneTry | None]

    def __init__(self, *, limited: bool = True) -> None:
        """Prepare the block; unless ``limited``, its caller waits no longer than it wants."""
        self._seconds = TIMEOUT if limited else LOST
        self._timeout = asyncio.timeout(_MAX_QUEUED if limited else None)
        self.route: Route | None = None
        """The route of its last request."""
        self.ended = False

    async def __aenter__(self) -> Self:
        """Begin the block."""
        await self._timeout.__aenter__()
        self._before = _CURRENT.set(self)
        return self

    async def __aexit__(self, *raised: object) -> None:
        """End the block; an error says which route has failed."""
        _CURRENT.reset(self._before)
        self.ended = True
        error = raised[1]
        try:
            await self._timeout.__aexit__(*raised)  # type: ignore[arg-type]
        except TimeoutError as late:
            error = late
            raise
        finally:
            if isinstance(error, OSError | aiohttp.ClientError):
                error.route = self.route  # type: ignore[union-attr]

    def sent(self, route: Route | None) -> None:
        """Count the time for a reply from now on."""
        self.route = route
        self._reply_within(self._seconds)

    async def answered(self, response: ClientResponse) -> None:
        """Raise the error that a response means, if discord.py would repeat the request."""
        if response.status >= 500:
            response.close()
            raise discord.DiscordServerError(response, None)
        if response.status != _TOO_MANY_REQUESTS:
            return
        try:
            body = json.loads(await response.read())
        except ValueError:
            body = {}
        busy = TooManyRequests(response, body if isinstance(body, dict) else {})
        # With a code, it is about what was asked, such as too many edits of one message.
        if busy.code or not 0 < busy.wait <= TIMEOUT:
            raise busy
        # discord.py waits, and must not be interrupted: it may hold up all else.
        self._reply_within(busy.wait + self._seconds)

    def _reply_within(self, seconds: float) -> None:
        self._timeout.reschedule(asyncio.get_running_loop().time() + seconds)


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


def failure_of(error: BaseException | None) -> tuple[Fault, float]:
    """Return why a request has failed, and the seconds that Discord asks to wait."""
    if not isinstance(error, discord.HTTPException):
        return Fault.NO_REPLY, 0.0
    if isinstance(error, TooManyRequests):
        wait = error.wait
    else:
        wait = _seconds(getattr(error.response, "headers", {}).get("Retry-After"))
    return fault_of(error.status, error.code), wait


def refused(error: BaseException | None) -> TypeGuard[discord.HTTPException]:
    """Return whether Discord would refuse a retry too, until permissions or the like change."""
    return (
        isinstance(error, discord.HTTPException)
        and 400 <= error.status < 500
        and error.status != _TOO_MANY_REQUESTS
    )


def _seconds(value: object) -> float:
    try:
        found = float(str(value))
    except ValueError:
        return 0.0
    return min(found, _A_DAY) if found > 0 else 0.0

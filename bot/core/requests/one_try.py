"""Sends requests to Discord once, without discord.py's own repeats, in bounded time.

discord.py repeats a request for half a minute after a server error, and holds up every other
request to the same route meanwhile. The poster repeats by its own clock instead, so that a request
that fails for one person delays nobody else.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from contextvars import ContextVar, Token
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import aiohttp
import discord
from aiohttp import ClientResponse

TIMEOUT: Final = 4.0
"""Seconds to wait for a reply, once a request is sent."""
_MAX_QUEUED: Final = 60.0
"""Seconds that a request may wait for its turn: discord.py sends some routes' one after another."""

_TOO_MANY_REQUESTS: Final = 429
_A_DAY: Final = 86_400.0

_PATH: Final = re.compile(r"/(?:api/v\d+/)?(channels|users)/(@?\w+)(.*)")


class Route(NamedTuple):
    """Requests that are likely to fail together."""

    method: str
    about: str
    """Its path without numbers, such as ``channels/messages``."""
    channel_id: int | None = None
    """The channel; ``None`` for all channels."""


POST: Final = Route("POST", "channels/messages")
EDIT: Final = Route("PATCH", "channels/messages")
SEARCH: Final = Route("GET", "channels/messages")
UPLOAD: Final = Route("", "files")
"""Any request with files."""


def route_to(method: str, path: str) -> Route | None:
    """Return the route of a request, with its channel; ``None`` if nothing waits for such requests."""
    found = _PATH.fullmatch(path)
    if found is None:
        return None
    about, number, rest = found.groups()
    channel_id = int(number) if about == "channels" else None
    return Route(method, about + re.sub(r"/[0-9]+", "", rest), channel_id)


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

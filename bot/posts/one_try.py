"""Sends requests to Discord once, without discord.py's own repeats, in bounded time.

discord.py repeats a request for half a minute after a server error, and holds up every other
request to the same route meanwhile. The poster repeats by its own clock instead, so that a request
that fails for one person delays nobody else.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final, Self

import discord

if TYPE_CHECKING:
    from collections.abc import Mapping
    from contextvars import Token
    from types import TracebackType

    from aiohttp import ClientResponse

TIMEOUT: Final = 4.0
"""Seconds to wait for a reply, once a request is sent."""
_MAX_QUEUED: Final = 60.0
"""Seconds that a request may wait for its turn: discord.py sends some routes' one after another."""

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
        await self._timeout.__aexit__(kind, error, traceback)

    def sent(self) -> None:
        """Count the time for a reply from now on."""
        if self._limited:
            self._timeout.reschedule(asyncio.get_running_loop().time() + TIMEOUT)

    @staticmethod
    def answered(response: ClientResponse) -> None:
        """Raise the error that a response means, if discord.py would repeat the request."""
        if response.status >= 500:
            response.close()
            raise discord.DiscordServerError(response, None)
        wait = _seconds(response.headers.get("Retry-After", ""))
        if response.status == 429 and wait > TIMEOUT:
            response.close()
            raise discord.HTTPException(response, None)


def current() -> OneTry | None:
    """Return the block that the current request belongs to, if any."""
    return _CURRENT.get()


def answer_of(error: BaseException) -> tuple[int | None, int, float]:
    """Return the status and error code of Discord's answer, and the seconds it asks to wait."""
    if not isinstance(error, discord.HTTPException):
        return None, 0, 0.0
    headers: Mapping[str, str] = getattr(error.response, "headers", {})
    return error.status, error.code, _seconds(headers.get("Retry-After", ""))


def _seconds(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return 0.0

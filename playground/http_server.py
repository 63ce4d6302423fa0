"""Serves an aiohttp application that its clients cannot exhaust, and other websites cannot reach.

* At most `max_connections` are open. One more replaces the one that has waited longest for a
  request, so silent clients cannot keep others out.
* A client has `waiting_seconds` to send a request's headers, and as long for the next request.
* A client that does not read an answer is disconnected after `reading_seconds`, if they are given.
* A request that cannot be read leaves no line in the log: aiohttp's would quote it, cookies and all.
* A request must name an allowed host in ``Host``. A website that resolves its own name to this
  machine (DNS rebinding) names itself there.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Final, cast
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler, Middleware

MAX_CONNECTIONS: Final = 64
WAITING_SECONDS: Final = 10.0
_LINGERING_SECONDS: Final = 1.0
"""For a refused body to arrive, which is dropped: until then its sender reads no answer."""


def _is_ours(record: logging.LogRecord) -> bool:
    """Return whether a line is about more than what somebody sent."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


_log: Final = logging.getLogger(__name__)
_log.addFilter(_is_ours)


class HttpServer:
    """Listens at one address.

    Args:
        allowed: whether a host name, without its port, may stand in ``Host``.
        refusal: the text for those that may not.
        max_connections: how many may be open.
        waiting_seconds: for the headers of a request.
        reading_seconds: for some 50 KB of an answer, of which no more is kept than has been written.

    Attributes:
        port: where it listens, once it does.
    """

    def __init__(
        self,
        allowed: Callable[[str], bool],
        refusal: str,
        *,
        max_connections: int = MAX_CONNECTIONS,
        waiting_seconds: float = WAITING_SECONDS,
        reading_seconds: float | None = None,
    ) -> None:
        self.port = 0
        self._allowed = allowed
        self._refusal = refusal
        self._max_connections = max_connections
        self._waiting_seconds = waiting_seconds
        self.reading_seconds = reading_seconds
        self._open: set[asyncio.Transport] = set()
        self._waiting: dict[asyncio.Transport, asyncio.TimerHandle] = {}
        self._server: asyncio.Server | None = None
        self._runner: web.AppRunner | None = None

    @property
    def connections(self) -> int:
        """The number of open connections."""
        return len(self._open)

    async def start(
        self, app: web.Application, host: str, port: int, *, shutdown_timeout: float = 60.0
    ) -> None:
        """Serve an application; port 0 takes any free one.

        Raises:
            OSError: this address cannot be served.
        """
        app.middlewares.insert(0, self._guard())
        runner = web.AppRunner(
            app,
            access_log=None,
            logger=_log,
            shutdown_timeout=shutdown_timeout,
            lingering_time=_LINGERING_SECONDS,
        )
        await runner.setup()
        handlers = runner.server
        assert handlers is not None, "it was set up"
        try:
            self._server = await asyncio.get_running_loop().create_server(
                lambda: _Connection(self, handlers()), host, port
            )
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop listening and close all connections, once their requests are answered."""
        if self._server is None or self._runner is None:
            return
        self._server.close()
        await self._runner.cleanup()
        for transport in list(self._open):
            transport.abort()
        self._server = self._runner = None

    def _guard(self) -> Middleware:
        @web.middleware
        async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not self._allowed(host_of(request)):
                # Its body is not read; closing the connection spares aiohttp from doing so.
                refused = web.Response(status=HTTPStatus.FORBIDDEN, text=self._refusal)
                refused.force_close()
                return refused
            transport = request.transport
            self._stop_waiting(transport)
            try:
                return await handler(request)
            finally:
                if transport in self._open and transport is not None:
                    self._wait(transport)

        return guard

    def opened(self, transport: asyncio.Transport) -> bool:
        """Return whether a new connection is let in; another may be closed for it."""
        if len(self._open) >= self._max_connections:
            oldest = next(iter(self._waiting), None)
            if oldest is None:
                transport.abort()
                return False
            self.closed(oldest)
            oldest.abort()
        self._open.add(transport)
        self._wait(transport)
        return True

    def closed(self, transport: asyncio.Transport | None) -> None:
        """Forget a connection."""
        self._stop_waiting(transport)
        if transport is not None:
            self._open.discard(transport)

    def _wait(self, transport: asyncio.Transport) -> None:
        loop = asyncio.get_running_loop()
        self._waiting[transport] = loop.call_later(self._waiting_seconds, transport.abort)

    def _stop_waiting(self, transport: asyncio.Transport | None) -> None:
        timer = None if transport is None else self._waiting.pop(transport, None)
        if timer is not None:
            timer.cancel()


class _Connection(asyncio.Protocol):
    """Passes a connection on to aiohttp, and tells the server when it begins and ends."""

    def __init__(self, server: HttpServer, handler: asyncio.Protocol) -> None:
        self._server = server
        self._handler = handler
        self._transport: asyncio.Transport | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        made = cast("asyncio.Transport", transport)
        if self._server.opened(made):
            self._transport = made
            self._handler.connection_made(made)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._transport is not None:
            self._server.closed(self._transport)
            self._stop_timer()
            self._handler.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._transport is not None:
            self._handler.data_received(data)

    def eof_received(self) -> bool | None:
        return None if self._transport is None else self._handler.eof_received()

    def pause_writing(self) -> None:
        seconds = self._server.reading_seconds
        if seconds is not None and self._transport is not None:
            loop = asyncio.get_running_loop()
            self._stalled = loop.call_later(seconds, self._transport.abort)
        self._handler.pause_writing()

    def resume_writing(self) -> None:
        self._stop_timer()
        self._handler.resume_writing()

    def _stop_timer(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


def host_of(request: web.BaseRequest) -> str:
    """Return the host a request names, without its port; empty if there is none."""
    try:
        return urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        return ""


def is_address(host: str) -> bool:
    """Return whether a host is an IP address: a website can be reached by one, but not pose as it."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True

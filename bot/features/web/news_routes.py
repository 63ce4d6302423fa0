"""Tells the page what happens elsewhere: changes of the matches it shows, and turns in others."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

import aiohttp
from aiohttp import web

from bot.core.errors import COUNT, Refusal
from bot.core.metrics import Metrics
from bot.features.web.changes import Changes
from bot.features.web.guard import SESSION, Guard
from bot.features.web.match_routes import MatchRoutes
from bot.features.web.requests import Turned, reading
from data.sql.errors import StoreError
from engine.phrase import say

NEWS_HEADERS: Final = {"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
MAX_STREAMS: Final = 8
"""Streams of news that one session may have open: windows of one browser share theirs."""
MAX_WATCHED: Final = 8
"""Matches that one stream may be about, besides turns in the reader's own."""
_HEARTBEAT: Final = 20.0
_SLOW: Final = 20.0
"""Seconds after which a reader who takes nothing is disconnected."""
_TOO_MANY_WINDOWS: Final = say("The board is open in too many windows. Close one.")


@dataclass(eq=False, repr=False)
class NewsRoutes:
    """Streams news to signed-in people, as server-sent events."""

    guard: Guard
    match_routes: MatchRoutes
    changes: Changes
    metrics: Metrics
    _streams: Counter[int] = field(default_factory=Counter, init=False)
    """How many each session has open."""

    def routes(self) -> list[web.RouteDef]:
        """Return what is asked where."""
        return [web.get("/api/news", self._news)]

    async def _news(self, request: web.Request) -> web.StreamResponse:
        """Say when the matches named change, or others wait for their reader, as long as they listen."""
        session = request[SESSION]
        with reading():
            numbers = {COUNT.read(one) for one in request.query.getall("match", ())}
            if len(numbers) > MAX_WATCHED:
                raise ValueError(numbers)
        for number in numbers:
            await self.match_routes.seen(request, number)
        if self._streams[session.id] >= MAX_STREAMS:
            raise Turned(HTTPStatus.TOO_MANY_REQUESTS, _TOO_MANY_WINDOWS)
        self._streams[session.id] += 1
        self.metrics.page_listens(1)
        response = web.StreamResponse(headers=NEWS_HEADERS)
        try:
            with self.changes.watch(session.user_id, numbers) as watcher:
                await response.prepare(request)
                await _send(response, ["hello"])
                while True:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(watcher.happened.wait(), _HEARTBEAT)
                    if await self.guard.signed_in(request) is None:
                        return response
                    for number in tuple(watcher.changed):  # they may have lost sight of it
                        await self.match_routes.seen(request, number)
                    await _send(response, watcher.take() or ["waiting"])
        except (ConnectionError, TimeoutError, aiohttp.ClientError, StoreError, Refusal):
            return response  # the page connects again, or is told why it may not
        finally:
            self.metrics.page_listens(-1)
            self._streams[session.id] -= 1
            if not self._streams[session.id]:
                del self._streams[session.id]


async def _send(response: web.StreamResponse, news: list[str]) -> None:
    async with asyncio.timeout(_SLOW):
        await response.write("".join(f"data: {one}\n\n" for one in news).encode())

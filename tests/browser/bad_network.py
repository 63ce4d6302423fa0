"""A network between browsers and the page on which answers are late, lost, or somebody else's."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import aiohttp
from aiohttp import web
from aiohttp.test_utils import TestServer
from yarl import URL

_LATE: Final = 0.15
"""Seconds that a request, and its answer, may take at most."""
_LASTS: Final = 2.5
"""Seconds that a stream of news may last at most."""
_LOST: Final = 0.1
_ELSEWHERE: Final = 0.08
"""How many requests are lost, and how many a gateway answers; of each, half have arrived before."""
_GATEWAY: Final = "<html><h1>Bad Gateway</h1></html>"
_OWN: Final = {"Content-Length", "Transfer-Encoding", "Connection"}


class BadNetwork:
    """Passes requests on to a page, and spoils those below ``/api/`` unless it is ``calm``.

    Attributes:
        calm: whether nothing goes wrong.
        played: the match and version of each move that the page has played, as asked.
        spoilt: how many requests did not get their answers.
    """

    def __init__(self, page: URL, dice: random.Random) -> None:
        self._page = page
        self._dice = dice
        self._streams: set[asyncio.Transport] = set()
        self.calm = True
        self.played: list[tuple[str, int]] = []
        self.spoilt = 0

    async def passed(self, request: web.Request) -> web.StreamResponse:
        """Answer a request, if that is its fate."""
        body = await request.read()
        spoiling = request.path.startswith("/api/") and not self.calm
        fate = self._dice.random() if spoiling else 1.0
        lost, elsewhere = fate < _LOST, _LOST <= fate < _LOST + _ELSEWHERE
        arrives = self._dice.random() < 0.5 and request.path != "/api/news"  # which never ends
        if spoiling:
            await asyncio.sleep(self._dice.uniform(0, _LATE))
        self.spoilt += lost or elsewhere
        if (lost or elsewhere) and not arrives:
            return self._spoil(request, lost=lost)
        address = self._page.join(URL(request.raw_path, encoded=True))
        async with (
            aiohttp.ClientSession(
                auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar()
            ) as http,
            http.request(
                request.method, address, data=body or None, headers=request.headers
            ) as answer,
        ):
            if request.path.endswith("/moves") and answer.ok:
                self.played.append((request.path, (await request.json())["version"]))
            if request.path == "/api/news":
                return await self._stream(request, answer)
            said = await answer.read()
            if spoiling:
                await asyncio.sleep(self._dice.uniform(0, _LATE))
            if lost or elsewhere:
                return self._spoil(request, lost=lost)
            response = web.Response(status=answer.status, body=said)
            response.headers.extend((k, v) for k, v in answer.headers.items() if k not in _OWN)
            return response

    def _spoil(self, request: web.Request, *, lost: bool) -> web.StreamResponse:
        if lost and request.transport is not None:
            request.transport.abort()
        return web.Response(status=502, reason="", text=_GATEWAY, content_type="text/html")

    async def _stream(
        self, request: web.Request, answer: aiohttp.ClientResponse
    ) -> web.StreamResponse:
        response = web.StreamResponse(
            status=answer.status, headers={"Content-Type": answer.headers["Content-Type"]}
        )
        await response.prepare(request)
        transport = request.transport
        assert transport is not None
        self._streams.add(transport)
        try:
            async with asyncio.timeout(None if self.calm else self._dice.uniform(0, _LASTS)):
                async for part in answer.content.iter_any():
                    await response.write(part)
        except (TimeoutError, ConnectionError, aiohttp.ClientError):
            transport.abort()
        finally:
            self._streams.discard(transport)
        return response

    def cut(self) -> None:
        """End all streams of news."""
        for transport in self._streams:
            transport.abort()


@asynccontextmanager
async def bad_network(page: URL, dice: random.Random) -> AsyncIterator[tuple[BadNetwork, URL]]:
    """Put a network in front of a page; yield it, and the address to reach the page through it."""
    network = BadNetwork(page, dice)
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", network.passed)
    async with TestServer(app) as server:
        yield network, server.make_url("/")

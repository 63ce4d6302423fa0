"""Serves the application's page to the Activity's frame, as Discord's proxy does.

The page gets an origin of its own, ``http://<application id>.localhost:<port>``. What it asks for there
comes from where Activities are mapped to, with ``/.proxy`` before the path or without. The page's
Content-Security-Policy is replaced by one like Discord's: it reaches its own origin, Discord's API and
files, and nothing else. Its cookies pass, but the frame is on another site than the chat page: browsers
neither keep nor send those that don't say ``SameSite=None; Secure; Partitioned``. Inline scripts, workers
and WebSockets do not work here. Inline scripts do in Discord, where the proxy marks them; WebSockets, too.

Below ``/.playground/`` is the frame around the page (see ``static/relay.js``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from pathlib import Path
from typing import Final

import aiohttp
from aiohttp import web
from aiohttp.typedefs import Middleware
from multidict import CIMultiDict, CIMultiDictProxy
from yarl import URL

from playground.addresses import CDN_PATH, activity_host
from playground.http_server import host_of
from playground.model import Application

RELAY_PATH: Final = "/.playground/"
FOLDER: Final = Path(__file__).with_name("static")
_RELAY: Final = {"": ("relay.html", "text/html"), "relay.js": ("relay.js", "text/javascript")}
_OPTIONAL: Final = "/.proxy"
_CONNECT_SECONDS: Final = 10.0
_LOOK_SECONDS: Final = 1.0
"""Between looks whether a browser still waits for a page that is silent."""
_OF_THIS_HOP: Final = frozenset(
    {
        "connection",
        "keep-alive",
        "proxy-authenticate",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
_HIDDEN: Final = frozenset({"host", "forwarded", "x-forwarded-for", "x-real-ip"})
"""The application doesn't learn where a person is."""
_REPLACED: Final = frozenset({"content-security-policy", "content-security-policy-report-only"})
_UNMAPPED: Final = "This application has no Activity."
_AWAY: Final = "The Activity's page doesn't answer."
_NO_SOCKETS: Final = "The playground's proxy passes no WebSockets."

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ActivityProxy:
    """Answers the requests to the Activity's host.

    Args:
        application: whose Activity it is.
    """

    def __init__(self, application: Application) -> None:
        self._application = application
        self._session: aiohttp.ClientSession | None = None

    def serves(self, host: str) -> bool:
        """Return whether a host is the Activity's."""
        return host == activity_host(self._application.id)

    def middleware(self) -> Middleware:
        """Return what takes the requests to the Activity's host, whatever their path."""

        @web.middleware
        async def proxied(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not self.serves(host_of(request)):
                return await handler(request)
            if request.path.startswith(RELAY_PATH):
                return _relay(request)
            return await self._pass_on(request)

        return proxied

    async def stop(self) -> None:
        """Close the connections to the page."""
        if self._session is not None:
            await self._session.close()
            self._session = None

    async def _pass_on(self, request: web.Request) -> web.StreamResponse:
        target = self._application.activity_url
        if target is None:
            return web.Response(status=HTTPStatus.NOT_FOUND, text=_UNMAPPED)
        if "upgrade" in request.headers.get("Connection", "").lower():
            return web.Response(status=HTTPStatus.NOT_IMPLEMENTED, text=_NO_SOCKETS)
        path = request.raw_path
        if path.startswith(_OPTIONAL + "/"):
            path = path.removeprefix(_OPTIONAL)
        if self._session is None:
            timeout = aiohttp.ClientTimeout(total=None, sock_connect=_CONNECT_SECONDS)
            self._session = aiohttp.ClientSession(
                auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar(), timeout=timeout
            )
        try:
            async with self._session.request(
                request.method,
                URL(target + path, encoded=True),
                headers=_passed(request.headers, _HIDDEN),
                data=request.content if request.can_read_body else None,
                allow_redirects=False,
                skip_auto_headers=("Accept", "Accept-Encoding", "Content-Type", "User-Agent"),
            ) as answer:
                return await _stream(request, answer)
        except aiohttp.ClientConnectorError:
            return web.Response(status=HTTPStatus.BAD_GATEWAY, text=_AWAY)


async def _stream(request: web.Request, answer: aiohttp.ClientResponse) -> web.StreamResponse:
    """Pass a response on as it comes: some never end."""
    passed = web.StreamResponse(
        status=answer.status, reason=answer.reason, headers=_passed(answer.headers, _REPLACED)
    )
    passed.headers["Content-Security-Policy"] = _policy(request)
    try:
        await passed.prepare(request)  # the client may have gone meanwhile
        while part := await _next_part(request, answer):
            await passed.write(part)
        await passed.write_eof()
    except (aiohttp.ClientError, ConnectionError):
        if request.transport is not None:  # so that the browser notices
            request.transport.abort()
    return passed


async def _next_part(request: web.Request, answer: aiohttp.ClientResponse) -> bytes:
    """Return what comes next; raise ConnectionError once nobody waits for it."""
    reading = asyncio.ensure_future(answer.content.readany())
    try:
        while not reading.done():
            if request.transport is None or request.transport.is_closing():
                raise ConnectionResetError
            await asyncio.wait({reading}, timeout=_LOOK_SECONDS)
        return reading.result()
    finally:
        reading.cancel()


def _passed(headers: CIMultiDictProxy[str], hidden: frozenset[str]) -> CIMultiDict[str]:
    """Return the headers that pass, each as often as it is there."""
    return CIMultiDict(
        (name, value)
        for name, value in headers.items()
        if name.lower() not in hidden and name.lower() not in _OF_THIS_HOP
    )


def _relay(request: web.Request) -> web.StreamResponse:
    found = _RELAY.get(request.path.removeprefix(RELAY_PATH))
    if found is None:
        raise web.HTTPNotFound
    name, kind = found
    policy = f"default-src 'none'; script-src 'self'; frame-src 'self'; {_framing(request)}"
    headers = {"Cache-Control": "no-cache", "Content-Security-Policy": policy}
    return web.FileResponse(
        FOLDER / name, headers={**headers, "Content-Type": f"{kind}; charset=utf-8"}
    )


def _policy(request: web.Request) -> str:
    """Return what the page may load and reach."""
    discord = " ".join(
        f"{page}{path}/" for page in _chat_pages(request) for path in ("/api", CDN_PATH)
    )
    files = " ".join(f"{page}{CDN_PATH}/" for page in _chat_pages(request))
    return (
        "default-src 'none'; script-src 'self' 'unsafe-eval' blob:; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' blob: data: {files}; font-src 'self' data:; media-src 'self' blob: data:; "
        f"connect-src http://{request.host}/ blob: data: {discord}; manifest-src 'self'; "
        f"frame-src 'self'; base-uri 'self'; form-action 'self'; {_framing(request)}"
    )


def _framing(request: web.Request) -> str:
    return f"frame-ancestors 'self' {' '.join(_chat_pages(request))}"


def _chat_pages(request: web.Request) -> tuple[str, ...]:
    """Return the origins of the chat page, which is at the same port."""
    port = request.url.port
    return (f"http://127.0.0.1:{port}", f"http://localhost:{port}")

"""Serves the page: its files, and the sessions of its readers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from typing import ClassVar, Final

import discord
import structlog
from aiohttp import ETag, web
from aiohttp.typedefs import Handler
from yarl import URL

from bot import full_version
from bot.features.web.activity_routes import ActivityRoutes
from bot.features.web.guard import ABOUT, Guard
from bot.features.web.match_routes import MatchRoutes
from bot.features.web.match_views import themes
from bot.features.web.news_routes import NEWS_HEADERS, NewsRoutes
from bot.features.web.requests import as_text, device_of, forwarded, reading
from bot.features.web.service import WebAccess
from bot.features.web.share_routes import ShareRoutes
from engine.phrase import say
from playground import chat
from playground.http_server import HttpServer, is_address

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

FOLDER: Final = Path(__file__).with_name("static")
_CHAT_FOLDER: Final = Path(chat.__file__).with_name("static")
_SHARED: Final = frozenset(
    {
        *("components.js", "dom.js", "language.js", "listbox.js", "markdown.js", "media.js"),
        *("modal.js", "style.css"),
    }
)
"""Files of the chat page that this page uses, too: how components and Markdown look."""
_TYPES: Final = {".css": "text/css", ".html": "text/html", ".js": "text/javascript"}
MAX_BODY: Final = 32 * 1024
MAX_CONNECTIONS: Final = 4_000
READING_SECONDS = 20.0
"""Seconds after which a client that reads nothing of its answer is disconnected."""
_CLOSING: Final = 1.0
"""Seconds that requests have to be answered when the page closes."""
NOT_HERE: Final = say("This is not the address of the page.")
ABOUT_PAUSE: Final = 1.0
"""Seconds between the two parts of that answer."""


@dataclass(eq=False, repr=False)
class WebServer:
    """The page's server, once it is started."""

    access: WebAccess
    guard: Guard
    match_routes: MatchRoutes
    activity_routes: ActivityRoutes
    share_routes: ShareRoutes
    news_routes: NewsRoutes
    client: discord.Client
    offered: ClassVar[set[int]] = set()
    """Those whose page is on, by identity: whether boards offer it."""
    served: list[Callable[[str], None]] = field(default_factory=list, init=False)
    """Told the public address once the page is served."""
    _page: dict[str, str] = field(default_factory=dict, init=False)
    _server: HttpServer | None = field(default=None, init=False)

    async def start(self, url: str, address: str) -> None:
        """Serve the page at ``host:port`` for people who reach it at a URL; raise OSError if that fails."""
        self._page = await asyncio.to_thread(_read_page)
        host, _, port = address.rpartition(":")
        public = URL(url).host or ""
        server = HttpServer(
            lambda named: named == public or is_address(named) or named == "localhost",
            NOT_HERE,
            max_connections=MAX_CONNECTIONS,
            reading_seconds=READING_SECONDS,
        )
        try:
            await server.start(self._app(), host.strip("[]"), int(port), shutdown_timeout=_CLOSING)
        except OSError as error:
            raise OSError(
                f"the page cannot be served at {address} ({error.strerror}): WEB_ADDRESS takes another"
            ) from error
        chosen = URL(url)
        if chosen.port == 0:
            chosen = chosen.with_port(server.port)
        self._server = server
        self.guard.secure = chosen.scheme == "https"
        self.offer(str(chosen))
        for told in self.served:
            told(str(chosen))
        log.info("page", url=str(self.url), address=address)

    def offer(self, url: str) -> None:
        """Offer the page on boards, whichever process serves it."""
        self.share_routes.url = URL(url)
        self.offered.add(id(self))

    @property
    def url(self) -> URL | None:
        """The page's public address; ``None`` while it is off."""
        return self.share_routes.url

    @property
    def serves(self) -> bool:
        """Whether this process serves the page."""
        return self._server is not None

    async def close(self) -> None:
        """Stop serving."""
        self.share_routes.url = None
        self.offered.discard(id(self))
        await self.news_routes.changes.close()
        if self._server is not None:
            await self._server.stop()
            self._server = None

    def address_of(self, link: str) -> str:
        """Return the address that a link's secret opens. Browsers do not send what follows the ``#``."""
        assert self.url is not None, "the page is on"
        return str(self.url.with_path("/").with_fragment(f"open={link}"))

    def _app(self) -> web.Application:
        app = web.Application(
            middlewares=[_packed, self.guard.explained, self.guard.limited, self.guard.guarded],
            client_max_size=MAX_BODY,
        )
        app.add_routes(
            [
                web.get("/", self._file),
                web.get(ABOUT, self._about),
                web.get("/page/{name}", self._file),
                web.post("/api/session", self._open),
                *self.activity_routes.routes(),
                *self.match_routes.routes(),
                *self.share_routes.routes(),
                *self.news_routes.routes(),
            ]
        )
        app.on_response_prepare.append(self.guard.protect)
        return app

    # The page and its session.

    async def _about(self, request: web.Request) -> web.StreamResponse:
        """Say what is served here, in two parts: who asks sees if a proxy passes on the first at once."""
        about = {
            "version": full_version(),
            "application": str(self.client.application_id),
            "from": forwarded(request),
        }
        response = web.StreamResponse(headers=NEWS_HEADERS)
        await response.prepare(request)
        await response.write(f"data: {json.dumps(about)}\n\n".encode())
        await asyncio.sleep(ABOUT_PAUSE)
        await response.write(b"data: end\n\n")
        return response

    async def _file(self, request: web.Request) -> web.StreamResponse:
        """Serve a file, unless the browser has it already."""
        name = request.match_info.get("name", "index.html")
        found = self._page.get(name)
        if found is None:
            raise web.HTTPNotFound
        # A browser that keeps a file may keep its headers: who may show it in a frame.
        edition = sha256(f"{self.guard.activity.frames} {found}".encode()).hexdigest()
        if any(one.value == edition for one in request.if_none_match or ()):
            response = web.Response(status=HTTPStatus.NOT_MODIFIED)
        else:
            kind = _TYPES[Path(name).suffix]
            response = web.Response(text=found, content_type=kind, charset="utf-8")
        response.headers["Cache-Control"] = "no-cache"
        response.etag = ETag(edition, is_weak=True)  # it is compressed or not
        return response

    async def _open(self, request: web.Request) -> web.StreamResponse:
        """Use a link, and begin a session in place of the browser's earlier one."""
        with reading():
            link = as_text((await request.json())["link"])
        secret, session = await self.access.open(
            link, device=device_of(request), replaces=request.cookies.get(self.guard.cookie)
        )
        response = web.json_response({"match": session.match_id})
        self.guard.remember(response, secret)
        return response


@web.middleware
async def _packed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Compress what is text."""
    response = await handler(request)
    packed = response.content_type.startswith("image/") or "Content-Encoding" in response.headers
    if isinstance(response, web.Response) and response.body and not packed:
        response.enable_compression()
    return response


def _read_page() -> dict[str, str]:
    """Return the page's files and the colours of all themes by name, as they are when it starts."""
    own = [path for path in FOLDER.iterdir() if path.suffix in _TYPES]
    shared = [_CHAT_FOLDER / name for name in _SHARED]
    files = {path.name: path.read_text("utf-8") for path in (*own, *shared)}
    return {**files, "themes.css": themes()}

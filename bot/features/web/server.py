"""Serves the page: its files, what it shows, what people do on it, and news of their matches.

A session comes as a cookie of this address alone. Requests that change something must come from the
page itself: they carry a header that no other website can send without asking first, which is never
granted. Nothing here names a match to people who may not see it.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any, ClassVar, Final

import aiohttp
import structlog
from aiohttp import web
from cachetools import LRUCache, TTLCache
from yarl import URL

from bot.core.errors import COUNT, GONE, NoSuchMatch, NotAllowed, OldBoard, Refusal
from bot.core.i18n.locales import Locales
from bot.core.interactions.dispatch import told
from bot.core.interactions.layout import MAX_TEXT, Upload, say_in
from bot.core.owner_decisions import OwnerDecisions
from bot.core.permissions.visibility import no_such_match
from bot.core.settings.service import SettingsStore
from bot.features.web.changes import Changes
from bot.features.web.match_views import MatchViews, themes
from bot.features.web.people_views import PagePeople
from bot.features.web.service import SESSION_VALID, WebAccess
from bot.play.matches.positions import Position, may_move
from bot.play.matches.service import Matches
from data.people.web_sessions import WebSession
from data.sql.errors import StoreError
from engine.errors import RulesError, UnclearMove
from engine.phrase import Tongue, say
from engine.typed import understand
from playground import chat
from playground.http_server import HttpServer, is_address

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

FOLDER: Final = Path(__file__).with_name("static")
_CHAT_FOLDER: Final = Path(chat.__file__).with_name("static")
_SHARED: Final = frozenset(
    {
        *("components.js", "dom.js", "language.js", "listbox.js", "markdown.js", "media.js"),
        *("modal.js", "style.css", "world.js"),
    }
)
"""Files of the chat page that this page uses, too: how components and Markdown look."""
_TYPES: Final = {".css": "text/css", ".html": "text/html", ".js": "text/javascript"}
HEADER: Final = "X-Board"
"""Requests that change something carry this header, with any value."""
_MAX_TYPED: Final = 200
"""Characters of a typed move."""
MAX_BODY: Final = 32 * 1024
MAX_CONNECTIONS: Final = 4_000
MAX_STREAMS: Final = 8
"""Streams of news that one session may have open."""
_CLOSING: Final = 1.0
"""Seconds that requests have to be answered when the page closes."""
_BURST: Final = 120
_PER_SECOND: Final = 20.0
"""Requests an address may make at once, and from then on."""
_CUSTOMER: Final = 64
"""Bits of an IPv6 address that its owner cannot choose."""
_ADDRESSES: Final = 20_000
_FILES: Final = 32_000_000
"""Bytes of pictures and films that answers have shown, kept for their readers to load."""
_FILES_KEPT: Final = 300.0
_PICTURES: Final = {".png": "image/png", ".gif": "image/gif"}
_HEARTBEAT: Final = 20.0
_SLOW: Final = 20.0
"""Seconds after which a reader who takes nothing is disconnected."""
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_OWN: Final = "same-origin"
_NOT_HERE: Final = say("This is not the address of the page.")
_FOREIGN: Final = say("Only the page itself may ask this.")
_SIGNED_OUT: Final = say("You're signed out.")
_TOO_FAST: Final = say("That was too fast. Wait a moment.")
_TOO_MANY_WINDOWS: Final = say("This match is open in too many windows. Close one.")
_SESSION: Final = web.RequestKey("session", WebSession)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


_STATUSES: Final[Mapping[type[Exception], HTTPStatus]] = {
    NoSuchMatch: HTTPStatus.NOT_FOUND,
    NotAllowed: HTTPStatus.FORBIDDEN,
    Refusal: HTTPStatus.CONFLICT,
    RulesError: HTTPStatus.CONFLICT,
    StoreError: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""What becomes of errors, the first that fits."""


class _Turned(Exception):
    """A request that is turned away."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@dataclass(eq=False, repr=False)
class WebServer:
    """The page's server, once it is started."""

    access: WebAccess
    views: MatchViews
    people: PagePeople
    changes: Changes
    matches: Matches
    locales: Locales
    settings: SettingsStore
    owner: OwnerDecisions
    url: URL | None = field(default=None, init=False)
    """The page's public address; ``None`` while it is off."""
    running: ClassVar[set[int]] = set()
    """Servers of this process that are on, by identity: whether boards offer the page."""
    _page: dict[str, str] = field(default_factory=dict, init=False)
    _server: HttpServer | None = field(default=None, init=False)
    _buckets: LRUCache[str, tuple[float, float]] = field(
        default_factory=lambda: LRUCache(_ADDRESSES), init=False
    )
    _streams: dict[int, int] = field(default_factory=dict, init=False)
    _files: TTLCache[str, tuple[int, bytes]] = field(
        default_factory=lambda: TTLCache(_FILES, _FILES_KEPT, getsizeof=lambda kept: len(kept[1])),
        init=False,
    )

    async def start(self, url: str, address: str) -> None:
        """Serve the page at ``host:port`` for people who reach it at a URL; raise OSError if that fails."""
        self._page = await asyncio.to_thread(_read_page)
        host, _, port = address.rpartition(":")
        public = URL(url).host or ""
        self._server = HttpServer(
            lambda named: named == public or is_address(named) or named == "localhost",
            _NOT_HERE,
            max_connections=MAX_CONNECTIONS,
        )
        try:
            await self._server.start(
                self._app(), host.strip("[]"), int(port), shutdown_timeout=_CLOSING
            )
        except OSError as error:
            raise OSError(
                f"the page cannot be served at {address} ({error.strerror}): WEB_ADDRESS takes another"
            ) from error
        chosen = URL(url)
        if chosen.port == 0:
            chosen = chosen.with_port(self._server.port)
        self.url = chosen
        self.running.add(id(self))
        log.info("page", url=str(self.url), address=address)

    async def close(self) -> None:
        """Stop serving."""
        self.url = None
        self.running.discard(id(self))
        await self.changes.close()
        if self._server is not None:
            await self._server.stop()

    def address_of(self, link: str) -> str:
        """Return the address that a link's secret opens. Browsers do not send what follows the ``#``."""
        assert self.url is not None, "the page is on"
        return str(self.url.with_path("/").with_fragment(f"open={link}"))

    def _app(self) -> web.Application:
        app = web.Application(
            middlewares=[_packed, self._told, self._limited, self._guarded],
            client_max_size=MAX_BODY,
        )
        app.add_routes(
            [
                web.get("/", self._index),
                web.get("/page/themes.css", self._themes),
                web.get("/page/{name}", self._file),
                web.post("/api/session", self._open),
                web.route("DELETE", "/api/session", self._leave),
                web.get("/api/matches", self._list),
                web.get("/api/matches/{match}", self._view),
                web.post("/api/matches/{match}/moves", self._move),
                web.post("/api/matches/{match}/presses", self._press),
                web.get("/api/matches/{match}/news", self._news),
                web.get("/api/files/{name}", self._attached),
            ]
        )
        app.on_response_prepare.append(self._protect)
        return app

    # What holds for all requests.

    @web.middleware
    async def _limited(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        address, now = _address(request), time.monotonic()
        left, since = self._buckets.get(address, (float(_BURST), now))
        left = min(_BURST, left + _PER_SECOND * (now - since))
        if left < 1:
            raise _Turned(HTTPStatus.TOO_MANY_REQUESTS, _TOO_FAST)
        self._buckets[address] = (left - 1, now)
        return await handler(request)

    @web.middleware
    async def _guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let only the page itself change something, and only people with a session see something."""
        if not request.path.startswith("/api/"):
            return await handler(request)
        foreign = request.headers.get("Sec-Fetch-Site", _OWN) != _OWN
        if foreign or (request.method != "GET" and HEADER not in request.headers):
            raise _Turned(HTTPStatus.FORBIDDEN, _FOREIGN)
        if request.path == "/api/session" and request.method == "POST":
            return await handler(request)
        secret = request.cookies.get(self._cookie)
        session = None if secret is None else await self.access.session(secret)
        if session is None:
            raise _Turned(HTTPStatus.UNAUTHORIZED, _SIGNED_OUT)
        request[_SESSION] = session
        return await handler(request)

    @web.middleware
    async def _told(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer what a person cannot do with why, in their language."""
        try:
            return await handler(request)
        except _Turned as turned:
            status, sentence = turned.status, turned.sentence
        except (Refusal, RulesError, StoreError) as error:
            status = next(one for kind, one in _STATUSES.items() if isinstance(error, kind))
            sentence = told(error)
        except web.HTTPException:
            raise
        except Exception as error:  # noqa: BLE001 -- the person waits for an answer, whatever failed
            status, sentence = HTTPStatus.INTERNAL_SERVER_ERROR, told(error)
        return await self._say(request, status, sentence)

    async def _say(
        self, request: web.Request, status: HTTPStatus, sentence: str
    ) -> web.StreamResponse:
        words = say_in(await self._locale(request), sentence, MAX_TEXT)
        return web.json_response({"error": words}, status=status)

    async def _protect(self, request: web.Request, response: web.StreamResponse) -> None:
        for name, value in _HEADERS.items():
            response.headers.setdefault(name, value)
        if request.path.startswith("/api/"):
            response.headers["Cache-Control"] = "no-store"

    async def _locale(self, request: web.Request) -> Tongue:
        session = request.get(_SESSION)
        if session is None:
            return self.locales.of_locale(_first_language(request))
        return await self.locales.of_reader(session.user_id, session.locale)

    async def _named_locale(self, session: WebSession) -> str:
        """Return the language of a session's person, as Discord calls it."""
        return (await self.settings.player(session.user_id)).language or session.locale

    @property
    def _cookie(self) -> str:
        return "__Host-session" if self._secure else "session"

    @property
    def _secure(self) -> bool:
        return self.url is not None and self.url.scheme == "https"

    # The page and its session.

    async def _index(self, _: web.Request) -> web.StreamResponse:
        return self._page_file("index.html")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        return self._page_file(request.match_info["name"])

    def _page_file(self, name: str) -> web.StreamResponse:
        found = self._page.get(name)
        if found is None:
            raise web.HTTPNotFound
        kind = _TYPES[Path(name).suffix]
        return web.Response(
            text=found, content_type=kind, charset="utf-8", headers={"Cache-Control": "no-cache"}
        )

    async def _themes(self, _: web.Request) -> web.StreamResponse:
        """Serve the colours of all themes."""
        return web.Response(text=themes(), content_type="text/css")

    async def _open(self, request: web.Request) -> web.StreamResponse:
        """Use a link, and begin a session."""
        with _reading():
            link = _text((await request.json())["link"])
        secret, session = await self.access.open(link, device=request.headers.get("User-Agent", ""))
        response = web.json_response({"match": session.match_id})
        response.set_cookie(
            self._cookie,
            secret,
            max_age=int(SESSION_VALID.total_seconds()),
            httponly=True,
            secure=self._secure,
            samesite="Strict",
            path="/",
        )
        return response

    async def _leave(self, request: web.Request) -> web.StreamResponse:
        """End this session."""
        session = request[_SESSION]
        await self.access.end(session.user_id, session.id)
        response = web.Response(status=HTTPStatus.NO_CONTENT)
        response.del_cookie(self._cookie, path="/", secure=self._secure, samesite="Strict")
        return response

    # Matches.

    async def _list(self, request: web.Request) -> web.StreamResponse:
        session = request[_SESSION]
        locale = await self._locale(request)
        found = await self.views.list(session.user_id, locale)
        return web.json_response({**found, "locale": await self._named_locale(session)})

    async def _view(self, request: web.Request) -> web.StreamResponse:
        position = await self._seen(request)
        if "ply" in request.query:
            with _reading():
                ply = range(position.ply + 1)[COUNT.read(request.query["ply"])]
            position, _ = await self.matches.turn_at(position, ply)
        return await self._shown(request, position)

    async def _move(self, request: web.Request) -> web.StreamResponse:
        """Play a move, given by its steps or typed."""
        with _reading():
            asked = await request.json()
            version = int(asked["version"])
            typed = _text(asked["text"]) if "text" in asked else None
            steps = () if typed is not None else tuple(map(_text, asked["steps"]))
        session, position = request[_SESSION], await self._seen(request)
        player = may_move(position, session.user_id, ply=version)
        if typed is not None:
            try:
                move = understand(position.game, position.state, typed[:_MAX_TYPED])
            except UnclearMove as unclear:
                raise Refusal(unclear.sentence) from unclear
            text = position.game.write(move)
        else:
            moves = position.game.legal_moves(position.state)
            if not any(position.game.steps(move) == steps for move in moves):
                raise OldBoard(say("That move isn't possible on this board."))
            text = "".join(steps)
        after = await self.matches.play(position, player, text)
        return await self._shown(request, after)

    async def _press(self, request: web.Request) -> web.StreamResponse:
        """Press a button, choose from a menu or submit a form, as in Discord."""
        with _reading():
            data = _pressed(await request.json())
        position = await self._seen(request)
        answers = await self.people.press(request[_SESSION], position.match, data)
        said: dict[str, Any] = {
            "answers": [
                answer.plain(
                    {one.filename: self._keep(request[_SESSION], one) for one in answer.files}
                )
                for answer in answers[-1:]
            ]
        }
        said["people"] = await self.views.people(position.match.guild_id, said)
        return web.json_response(said)

    def _keep(self, session: WebSession, file: Upload) -> str:
        """Keep a file for a while, for this session alone; return its address."""
        name = secrets.token_urlsafe(16) + Path(file.filename).suffix
        if len(file.data) <= _FILES:
            self._files[name] = (session.user_id, file.data)
        return f"/api/files/{name}"

    async def _attached(self, request: web.Request) -> web.StreamResponse:
        """Serve a file that an answer showed."""
        name = request.match_info["name"]
        owner, data = self._files.get(name, (0, b""))
        if owner != request[_SESSION].user_id:
            raise web.HTTPNotFound
        kind = _PICTURES.get(Path(name).suffix, "application/octet-stream")
        return web.Response(body=data, content_type=kind)

    async def _news(self, request: web.Request) -> web.StreamResponse:
        """Say when a match changes, as long as the page is open."""
        session, position = request[_SESSION], await self._seen(request)
        open_now = self._streams.get(session.id, 0)
        if open_now >= MAX_STREAMS:
            raise _Turned(HTTPStatus.TOO_MANY_REQUESTS, _TOO_MANY_WINDOWS)
        self._streams[session.id] = open_now + 1
        response = web.StreamResponse(
            headers={"Content-Type": "text/event-stream", "X-Accel-Buffering": "no"}
        )
        try:
            with self.changes.watch(position.match.id) as changed:
                await response.prepare(request)
                await _send(response, "hello")
                while True:
                    with suppress(TimeoutError):
                        await asyncio.wait_for(changed.wait(), _HEARTBEAT)
                    news = "changed" if changed.is_set() else "waiting"
                    changed.clear()
                    if await self.access.session(request.cookies[self._cookie]) is None:
                        return response
                    await _send(response, news)
        except (ConnectionError, TimeoutError, aiohttp.ClientError, StoreError):
            return response  # the page connects again
        finally:
            self._streams[session.id] -= 1
            if not self._streams[session.id]:
                del self._streams[session.id]

    async def _seen(self, request: web.Request) -> Position:
        """Return the match of a request; raise NoSuchMatch if its reader may not see it."""
        session = request[_SESSION]
        with _reading():
            number = COUNT.read(request.match_info["match"])
        position = await self.matches.position(number)
        if not await self.people.may_see(position.match, session.user_id):
            raise no_such_match(number)
        refusal = self.owner.refusal(session.user_id, position.match.guild_id)
        if refusal is not None:
            raise refusal
        return position

    async def _shown(self, request: web.Request, position: Position) -> web.StreamResponse:
        session = request[_SESSION]
        locale = await self._locale(request)
        return web.json_response(await self.views.of(position, session.user_id, locale))


@web.middleware
async def _packed(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Compress what is text."""
    response = await handler(request)
    if isinstance(response, web.Response) and not response.content_type.startswith("image/"):
        response.enable_compression()
    return response


@contextmanager
def _reading() -> Iterator[None]:
    """Turn away what no page of ours would ask."""
    try:
        yield
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise _Turned(HTTPStatus.BAD_REQUEST, GONE) from error


def _pressed(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what was pressed as Discord would send it; raise KeyError, ValueError or TypeError."""
    custom_id = _text(asked["custom_id"])
    if "fields" in asked:
        typed = [
            {"type": 18, "component": {"type": 4, "custom_id": _text(name), "value": _text(value)}}
            for name, value in dict(asked["fields"]).items()
        ]
        return {"custom_id": custom_id, "components": typed}
    if "values" in asked:
        return {
            "custom_id": custom_id,
            "component_type": int(asked["type"]),
            "values": [_text(value) for value in asked["values"]],
        }
    return {"custom_id": custom_id, "component_type": 2}


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


async def _send(response: web.StreamResponse, news: str) -> None:
    async with asyncio.timeout(_SLOW):
        await response.write(f"data: {news}\n\n".encode())


def _address(request: web.Request) -> str:
    """Return whose requests are counted together: an address, or an IPv6 network of one customer.

    A proxy with a private address is believed when it says whom it speaks for.
    """
    peer, passed = _parsed(request.remote or ""), request.headers.get("X-Forwarded-For", "")
    if peer is not None and peer.is_private and passed:
        peer = _parsed(passed.rpartition(",")[2].strip()) or peer
    if isinstance(peer, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((peer, _CUSTOMER), strict=False))
    return str(peer)


def _parsed(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(address)
    except ValueError:
        return None


def _first_language(request: web.Request) -> str:
    return request.headers.get("Accept-Language", "").split(",")[0].split(";")[0].strip() or "en-US"


def _read_page() -> dict[str, str]:
    """Return the page's files by name, as they are when it starts."""
    own = [path for path in FOLDER.iterdir() if path.suffix in _TYPES]
    shared = [_CHAT_FOLDER / name for name in _SHARED]
    return {path.name: path.read_text("utf-8") for path in (*own, *shared)}

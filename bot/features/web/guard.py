"""What holds for all requests to the page: how many, from where, by whom, and how refusals are told.

A session comes as a cookie of this address alone; inside Discord, where browsers give the page no
cookies, in a header that the page sends. Requests that change something must come from the page
itself: they carry a header that no other website can send without asking first, which is never
granted.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler
from cachetools import LRUCache

from bot.core.errors import NoSuchMatch, NotAllowed, Refusal
from bot.core.i18n.locales import Locales
from bot.core.interactions.dispatch import told
from bot.core.interactions.layout import say_in
from bot.core.metrics import Metrics
from bot.features.web.activity import Activity
from bot.features.web.requests import Turned, address_of, languages_of, preferred
from bot.features.web.service import SESSION_VALID, WebAccess
from data.people.web_sessions import WebSession
from data.sql.errors import StoreError
from engine.errors import RulesError
from engine.phrase import Tongue, say

HEADER: Final = "X-Board"
"""Requests that change something carry this header, with any value."""
BURST: Final = 120
_PER_SECOND: Final = 20.0
"""Requests a person, or an address without one, may make at once, and from then on."""
_FILES: Final = 10
"""How many times as many of the page's files, as many people may come through one of Discord's proxies."""
HELD = 0.5
"""Seconds that a request which is turned away waits for that answer."""
MAX_HELD: Final = 500
MAX_HELD_IN_ALL: Final = 2_000
"""Requests that wait so, of one address or person and of all together."""
_BODY_SECONDS: Final = 10.0
"""For a request's body to arrive: those who send none would hold a connection each."""
_ADDRESSES: Final = 20_000
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'"
)
_HEADERS: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_OWN: Final = "same-origin"
_BEARER: Final = "Bearer "
_SIGNS_IN: Final = {
    ("POST", "/api/session"),
    ("GET", "/api/activity"),
    ("POST", "/api/activity"),
}
"""What the page asks before anyone is signed in."""
_FOREIGN: Final = say("Only the page itself may ask this.")
_SIGNED_OUT: Final = say("You're signed out.")
_TOO_FAST: Final = say("That was too fast. Wait a moment.")
_CUT_SHORT: Final = say("That didn't arrive here in full. Try again.")
SESSION: Final = web.RequestKey("session", WebSession)
ABOUT: Final = "/api/about"
"""Where the page says what it is, to anybody."""

_STATUSES: Final[Mapping[type[Exception], HTTPStatus]] = {
    NoSuchMatch: HTTPStatus.NOT_FOUND,
    NotAllowed: HTTPStatus.FORBIDDEN,
    Refusal: HTTPStatus.CONFLICT,
    RulesError: HTTPStatus.CONFLICT,
    StoreError: HTTPStatus.SERVICE_UNAVAILABLE,
}
"""What becomes of errors, the first that fits."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads an answer, and in which language."""

    user_id: int
    locale: Tongue


@dataclass(eq=False, repr=False)
class Guard:
    """Lets requests of the page and of signed-in people pass, and tells all others why not."""

    access: WebAccess
    locales: Locales
    activity: Activity
    metrics: Metrics
    secure: bool = field(default=True, init=False)
    """Whether the page's public address is encrypted."""
    _held: Counter[str] = field(default_factory=Counter, init=False)
    """Requests that wait to be turned away, by whose they are."""
    _buckets: LRUCache[str, tuple[float, float]] = field(
        default_factory=lambda: LRUCache(_ADDRESSES), init=False
    )

    @web.middleware
    async def explained(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer what a person cannot do with why, in their language."""
        try:
            return await handler(request)
        except Turned as turned:
            status, sentence = turned.status, turned.sentence
        except (Refusal, RulesError, StoreError) as error:
            status = next(one for kind, one in _STATUSES.items() if isinstance(error, kind))
            sentence = told(error)
        except web.HTTPException:
            raise
        except Exception as error:  # noqa: BLE001 -- the person waits for an answer, whatever failed
            if isinstance(error, ConnectionError) and request.transport is None:
                return web.Response()  # they have gone, and an answer under way with them
            status, sentence = HTTPStatus.INTERNAL_SERVER_ERROR, told(error)
        return await self._say(request, status, sentence)

    @web.middleware
    async def limited(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Turn away who asks too much: a person, or an address that nobody is known to use."""
        secret = self._secret(request)
        person = None if secret is None else self.access.last_known(secret)
        if person is not None:
            whose, times = f"user {person.user_id}", 1
        elif request.path.startswith(("/api/", "/s/")):
            whose, times = address_of(request), 1
        else:
            whose, times = f"files {address_of(request)}", _FILES
        now = time.monotonic()
        left, since = self._buckets.get(whose, (float(times * BURST), now))
        left = min(times * BURST, left + times * _PER_SECOND * (now - since))
        if left < 1:
            return await self._turn_away(whose)
        self._buckets[whose] = (left - 1, now)
        return await handler(request)

    async def _turn_away(self, whose: str) -> web.StreamResponse:
        """Refuse a request of who asks too much, only after a while: so the next one comes later, too.

        Raises Turned. Connections beyond those that may wait are closed.
        """
        if self._held[whose] >= MAX_HELD or self._held.total() >= MAX_HELD_IN_ALL:
            closed = web.Response(status=HTTPStatus.TOO_MANY_REQUESTS)
            closed.force_close()
            return closed
        self._held[whose] += 1
        try:
            await asyncio.sleep(HELD)
        finally:
            self._held[whose] -= 1
            if not self._held[whose]:
                del self._held[whose]
        raise Turned(HTTPStatus.TOO_MANY_REQUESTS, _TOO_FAST)

    @web.middleware
    async def guarded(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let only the page itself change something, and only people with a session see something."""
        if not request.path.startswith("/api/"):
            return await handler(request)
        foreign = request.headers.get("Sec-Fetch-Site", _OWN) != _OWN
        if foreign or (request.method != "GET" and HEADER not in request.headers):
            raise Turned(HTTPStatus.FORBIDDEN, _FOREIGN)
        open_to_all = request.path == ABOUT or (request.method, request.path) in _SIGNS_IN
        if not open_to_all:
            session = await self.signed_in(request)
            if session is None:
                raise Turned(HTTPStatus.UNAUTHORIZED, _SIGNED_OUT)
            request[SESSION] = session
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                await request.read()  # kept for the handler
        except TimeoutError:
            raise Turned(HTTPStatus.REQUEST_TIMEOUT, _CUT_SHORT) from None
        return await handler(request)

    async def protect(self, request: web.Request, response: web.StreamResponse) -> None:
        """Say in each response what a browser may do with it."""
        self.metrics.page_answered(response.status)
        framed = f"{_POLICY}; frame-ancestors {self.activity.frames}"
        for name, value in {"Content-Security-Policy": framed, **_HEADERS}.items():
            response.headers.setdefault(name, value)
        if request.path.startswith("/api/"):
            response.headers["Cache-Control"] = "no-store"

    async def locale(self, request: web.Request) -> Tongue:
        """Return the language of who asks."""
        session = request.get(SESSION)
        if session is None:
            code = preferred(languages_of(request), self.locales.languages)
            return self.locales.of_locale(code)
        return await self.locales.of_reader(session.user_id, session.locale)

    async def reader(self, request: web.Request) -> Reader:
        """Return who asks, who is signed in."""
        return Reader(request[SESSION].user_id, await self.locale(request))

    def remember(self, response: web.StreamResponse, secret: str) -> None:
        """Keep a session's secret in the browser."""
        response.set_cookie(
            self.cookie,
            secret,
            max_age=int(SESSION_VALID.total_seconds()),
            httponly=True,
            secure=self.secure,
            samesite="Strict",
            path="/",
        )

    async def signed_in(self, request: web.Request) -> WebSession | None:
        """Return the session of a request; ``None`` without one. Raises NotAllowed for the blocked."""
        secret = self._secret(request)
        return None if secret is None else await self.access.session(secret)

    def _secret(self, request: web.Request) -> str | None:
        """Return the secret of a request's session, if it has one."""
        header = request.headers.get("Authorization", "")
        if header.startswith(_BEARER):
            return header.removeprefix(_BEARER)
        return request.cookies.get(self.cookie)

    @property
    def cookie(self) -> str:
        """The cookie's name: browsers take this one from encrypted addresses alone."""
        return "__Host-session" if self.secure else "session"

    async def _say(
        self, request: web.Request, status: HTTPStatus, sentence: str
    ) -> web.StreamResponse:
        words = say_in(await self.locale(request), sentence)
        return web.json_response({"error": words}, status=status)

"""What anybody may ask of a link that shows something: its page, its picture, its boards.

There is no session here, and nothing can be changed. An ended link, one that never existed and one
whose maker or server is blocked have the same answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Final

from aiohttp import web
from yarl import URL

from bot.core.errors import COUNT, NoSuchMatch, Refusal
from bot.core.interactions.layout import say_in
from bot.features.web.requests import Turned, languages_of, preferred, reading
from bot.features.web.share_html import Preview, notice
from bot.features.web.share_views import GONE, ShareViews, Shown
from engine.phrase import Phrase, say

_BUSY: Final = say("Too many people are looking at this right now. Try again in a moment.")
_HEADERS: Final = {
    "Cache-Control": "private,max-age=60",
    "Vary": "Accept-Language",
    "X-Robots-Tag": "noindex",
}


@dataclass(eq=False, repr=False)
class ShareRoutes:
    """Answers what anybody asks about links that show something."""

    views: ShareViews
    url: URL | None = field(default=None, init=False)
    """The page's public address; ``None`` while it is off."""

    def routes(self) -> list[web.RouteDef]:
        """Return what is asked where."""
        return [
            web.get("/s/{secret}", self._page),
            web.get("/s/{secret}/picture.png", self._picture),
            web.get("/s/{secret}/boards/{block}", self._boards),
        ]

    def address_of(self, secret: str) -> URL:
        """Return the address of a link."""
        assert self.url is not None, "the page is on"
        return self.url.with_path(f"/s/{secret}")

    async def _page(self, request: web.Request) -> web.StreamResponse:
        try:
            shown = await self._shown(request)
            address = self.address_of(request.match_info["secret"])
            preview = Preview(str(address), str(address / "picture.png"), f"{address.path}/boards/")
            made = await self.views.page(shown, preview)
        except NoSuchMatch:
            return self._notice(request, HTTPStatus.NOT_FOUND, GONE)
        except Refusal:
            return self._notice(request, HTTPStatus.SERVICE_UNAVAILABLE, _BUSY)
        # Whoever ends a link, and looks whether it is so, finds it ended.
        headers = {**_HEADERS, "Cache-Control": "private,no-cache"}
        return web.Response(body=made, content_type="text/html", charset="utf-8", headers=headers)

    async def _picture(self, request: web.Request) -> web.StreamResponse:
        made = await self._found(request, self.views.picture)
        return web.Response(body=made, content_type="image/png", headers=_HEADERS)

    async def _boards(self, request: web.Request) -> web.StreamResponse:
        with reading():
            block = COUNT.read(request.match_info["block"])
        made = await self._found(request, lambda shown: self.views.boards(shown, block))
        headers = {**_HEADERS, "Content-Encoding": "gzip"}
        return web.Response(body=made, content_type="application/json", headers=headers)

    async def _found(
        self, request: web.Request, make: Callable[[Shown], Awaitable[bytes]]
    ) -> bytes:
        try:
            return await make(await self._shown(request))
        except NoSuchMatch:
            raise
        except Refusal as error:
            raise Turned(HTTPStatus.SERVICE_UNAVAILABLE, _BUSY) from error

    async def _shown(self, request: web.Request) -> Shown:
        return await self.views.shown(request.match_info["secret"], languages_of(request))

    def _notice(
        self, request: web.Request, status: HTTPStatus, words: Phrase
    ) -> web.StreamResponse:
        locales = self.views.locales
        code = preferred(languages_of(request), locales.languages) or "en-US"
        text = say_in(locales.of_locale(code), words)
        return web.Response(
            status=status,
            text=notice(code, text),
            content_type="text/html",
            headers={**_HEADERS, "Cache-Control": "no-store"},
        )

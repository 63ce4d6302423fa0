"""What the page asks for beside the match itself: to try moves, to plan them, and hints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aiohttp import web

from bot.features.web.draft_views import DraftViews, as_line
from bot.features.web.guard import Guard
from bot.features.web.match_routes import MatchRoutes
from bot.features.web.requests import reading


@dataclass(eq=False, repr=False)
class DraftRoutes:
    """Answers signed-in people."""

    guard: Guard
    match_routes: MatchRoutes
    views: DraftViews

    def routes(self) -> list[web.RouteDef]:
        """Return what is asked where."""
        return [
            web.post("/api/matches/{match}/tries", self._try),
            web.post("/api/matches/{match}/plans", self._plan),
            web.post("/api/matches/{match}/hints", self._hint),
        ]

    async def _try(self, request: web.Request) -> web.StreamResponse:
        """Show moves tried from a turn on."""
        position = await self.match_routes.seen(request)
        with reading():
            asked: dict[str, Any] = await request.json()
            ply, line = range(position.ply + 1)[int(asked["ply"])], as_line(asked["line"])
        reader = await self.guard.reader(request)
        return web.json_response(await self.views.tried(position, reader, ply, line))

    async def _plan(self, request: web.Request) -> web.StreamResponse:
        """Show planned moves, and keep or remove one."""
        position = await self.match_routes.seen(request)
        reader = await self.guard.reader(request)
        with reading():
            asked: dict[str, Any] = await request.json()
            gone = int(asked["remove"]) if "remove" in asked else None
            version, line = int(asked["version"]), as_line(asked["line"])
            keep = bool(asked.get("keep"))
        if gone is not None:
            shown = await self.views.removed(position, reader, number=gone)
        else:
            shown = await self.views.planned(position, reader, version, line, keep=keep)
        return web.json_response(shown)

    async def _hint(self, request: web.Request) -> web.StreamResponse:
        """Show the best move in a match of practice."""
        position = await self.match_routes.seen(request)
        reader = await self.guard.reader(request)
        return web.json_response(await self.views.hint(position, reader))

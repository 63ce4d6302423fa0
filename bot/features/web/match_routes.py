"""What the page asks of matches: to see, play, try and plan them, hints, and to use their controls.

Nothing here names a match to people who may not see it.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from aiohttp import web
from cachetools import TTLCache

from bot.core.errors import COUNT, OldBoard, Refusal
from bot.core.interactions.layout import Upload
from bot.core.owner_decisions import OwnerDecisions
from bot.core.permissions.visibility import no_such_match
from bot.core.settings.service import SettingsStore
from bot.core.workers.fair_queue import MAX_WAITING, FairPlaces, Requester
from bot.features.web.draft_views import DraftViews, as_line
from bot.features.web.guard import SESSION, Guard
from bot.features.web.match_views import MatchViews
from bot.features.web.people_views import PagePeople
from bot.features.web.requests import as_text, reading
from bot.play.matches.moves import check_trying
from bot.play.matches.positions import Position, may_move
from bot.play.matches.service import Matches
from data.people.web_sessions import WebSession
from engine.errors import UnclearMove
from engine.phrase import say
from engine.typed import understand

_MAX_TYPED: Final = 200
"""Characters of a typed move."""
_FILES: Final = 32_000_000
"""Bytes of pictures and films that answers have shown, kept for their readers to load."""
_PIECE: Final = 32 * 1024
"""Bytes of a file that are sent at once."""
_FILES_KEPT: Final = 300.0
_PICTURES: Final = {".png": "image/png", ".gif": "image/gif"}


@dataclass(eq=False, repr=False)
class MatchRoutes:
    """Answers what signed-in people ask about matches."""

    guard: Guard
    views: MatchViews
    drafts: DraftViews
    people: PagePeople
    matches: Matches
    settings: SettingsStore
    owner: OwnerDecisions
    _files: TTLCache[str, tuple[int, bytes]] = field(
        default_factory=lambda: TTLCache(_FILES, _FILES_KEPT, getsizeof=lambda kept: len(kept[1])),
        init=False,
    )

    _turns: FairPlaces[None] = field(
        default_factory=lambda: FairPlaces([None], limit=MAX_WAITING), init=False
    )
    """Of earlier turns, one is worked out at a time: its whole log may have to be replayed."""

    def routes(self) -> list[web.RouteDef]:
        """Return what is asked where."""
        return [
            web.get("/api/matches", self._list),
            web.get("/api/matches/{match}", self._view),
            web.post("/api/matches/{match}/moves", self._move),
            web.post("/api/matches/{match}/presses", self._press),
            web.post("/api/matches/{match}/tries", self._try),
            web.post("/api/matches/{match}/plans", self._plan),
            web.post("/api/matches/{match}/hints", self._hint),
            web.get("/api/files/{name}", self._attached),
        ]

    async def _list(self, request: web.Request) -> web.StreamResponse:
        session = request[SESSION]
        found = await self.views.list(await self.guard.reader(request))
        chosen = (await self.settings.player(session.user_id)).language
        return web.json_response({**found, "locale": chosen or session.locale})

    async def _view(self, request: web.Request) -> web.StreamResponse:
        position = await self.seen(request)
        with reading():
            since = COUNT.read(request.query["since"]) if "since" in request.query else None
        if "ply" in request.query:
            with reading():
                ply = range(position.ply + 1)[COUNT.read(request.query["ply"])]
            position = await self._earlier(request, position, ply)
        return await self._shown(request, position, since)

    async def _move(self, request: web.Request) -> web.StreamResponse:
        """Play a move, given by its steps or typed."""
        with reading():
            asked = await request.json()
            version = int(asked["version"])
            typed = as_text(asked["text"]) if "text" in asked else None
            steps = () if typed is not None else tuple(map(as_text, asked["steps"]))
        session, position = request[SESSION], await self.seen(request)
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
        return await self._shown(request, after, position.ply)

    async def _press(self, request: web.Request) -> web.StreamResponse:
        """Press a button, choose from a menu or submit a form, as in Discord."""
        with reading():
            data = _pressed(await request.json())
        position = await self.seen(request)
        answers, channels = await self.people.press(request[SESSION], position.match, data)
        said: dict[str, Any] = {
            "answers": [
                answer.plain(
                    {one.filename: self._keep(request[SESSION], one) for one in answer.files}
                )
                for answer in answers[-1:]
            ],
            "channels": channels,
        }
        said["people"] = await self.views.people(position.match.guild_id, said)
        return web.json_response(said)

    async def _try(self, request: web.Request) -> web.StreamResponse:
        """Show moves tried from a turn on."""
        position = await self.seen(request)
        with reading():
            asked: dict[str, Any] = await request.json()
            ply, line = range(position.ply + 1)[int(asked["ply"])], as_line(asked["line"])
        reader = await self.guard.reader(request)
        check_trying(position, reader.user_id)
        earlier = await self._earlier(request, position, ply)
        return web.json_response(await self.drafts.tried(earlier, reader, line))

    async def _plan(self, request: web.Request) -> web.StreamResponse:
        """Show planned moves, and keep or remove one."""
        position = await self.seen(request)
        reader = await self.guard.reader(request)
        with reading():
            asked: dict[str, Any] = await request.json()
            gone = int(asked["remove"]) if "remove" in asked else None
            version, line = int(asked["version"]), as_line(asked["line"])
            keep = bool(asked.get("keep"))
        if gone is not None:
            shown = await self.drafts.removed(position, reader, number=gone)
        else:
            shown = await self.drafts.planned(position, reader, version, line, keep=keep)
        return web.json_response(shown)

    async def _hint(self, request: web.Request) -> web.StreamResponse:
        """Show the best move in a match of practice."""
        position = await self.seen(request)
        reader = await self.guard.reader(request)
        return web.json_response(await self.drafts.hint(position, reader))

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
        if owner != request[SESSION].user_id:
            raise web.HTTPNotFound
        kind = _PICTURES.get(Path(name).suffix, "application/octet-stream")
        response = web.StreamResponse(headers={"Content-Type": kind})
        response.content_length = len(data)
        await response.prepare(request)
        for start in range(0, len(data), _PIECE):  # a slow reader holds no more than that
            await response.write(data[start : start + _PIECE])
        return response

    async def seen(self, request: web.Request, number: int | None = None) -> Position:
        """Return the match of a request, or another; raise NoSuchMatch if its reader may not see it."""
        session = request[SESSION]
        if number is None:
            with reading():
                number = COUNT.read(request.match_info["match"])
        position = await self.matches.position(number)
        if not await self.people.may_see(position.match, session.user_id):
            raise no_such_match(number)
        refusal = self.owner.refusal(session.user_id, position.match.guild_id)
        if refusal is not None:
            raise refusal
        return position

    async def _earlier(self, request: web.Request, position: Position, ply: int) -> Position:
        """Return a match as it stood after ``ply`` entries, read as other logs are.

        Raises TooMany if its reader waits for too many turns.
        """
        async with self._turns.take(
            Requester(position.match.guild_id or 0, request[SESSION].user_id)
        ):
            return await self.matches.earlier(position, ply)

    async def _shown(
        self, request: web.Request, position: Position, since: int | None = None
    ) -> web.StreamResponse:
        reader = await self.guard.reader(request)
        return web.json_response(await self.views.of(position, reader, since=since))


def _pressed(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what was pressed as Discord would send it; raise KeyError, ValueError or TypeError."""
    custom_id = as_text(asked["custom_id"])
    if "fields" in asked:
        typed = [
            {
                "type": 18,
                "component": {"type": 4, "custom_id": as_text(name), "value": as_text(value)},
            }
            for name, value in dict(asked["fields"]).items()
        ]
        return {"custom_id": custom_id, "components": typed}
    if "values" in asked:
        return {
            "custom_id": custom_id,
            "component_type": int(asked["type"]),
            "values": [as_text(value) for value in asked["values"]],
        }
    return {"custom_id": custom_id, "component_type": 2}

"""How the page signs in inside Discord, and which match it shows there first."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from bot.features.web.activity import Activity
from bot.features.web.guard import as_text, reading
from bot.features.web.people_views import PagePeople
from bot.features.web.service import WebAccess
from bot.play.matches.positions import is_turn_of
from bot.play.matches.service import Matches
from data.people.web_sessions import WebSession

_DEVICE: Final = "Discord"
"""How a session in Discord is listed among those in browsers."""


@dataclass(eq=False, repr=False)
class ActivityRoutes:
    """Signs people in whom Discord names."""

    activity: Activity
    access: WebAccess
    matches: Matches
    people: PagePeople

    def routes(self) -> list[web.RouteDef]:
        """Return what is asked where."""
        return [web.get("/api/activity", self._about), web.post("/api/activity", self._enter)]

    async def _about(self, _: web.Request) -> web.StreamResponse:
        """Say what the page must know to speak with Discord; nothing of it is secret."""
        return web.json_response(
            {"application": self.activity.application, "parents": self.activity.parents}
        )

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        """Begin a session for whom a code is about.

        Its secret goes to the page, which keeps it in memory: browsers give frames no cookies.
        """
        with reading():
            asked = await request.json()
            code, channel = as_text(asked["code"]), as_text(asked.get("channel", ""))
        opener = await self.activity.opener(code)
        secret, session = await self.access.enter(
            opener.user_id,
            locale=opener.locale,
            device=f"{_DEVICE} {request.headers.get('User-Agent', '')}",
        )
        match = session.match_id or await self._played_in(channel, session)
        return web.json_response({"secret": secret, "match": match})

    async def _played_in(self, channel: str, session: WebSession) -> int | None:
        """Return a match that someone in a channel would look for there: their own, their turn first.

        Otherwise, the newest one.
        """
        number = 0
        with suppress(ValueError):
            number = int(channel)
        # A page says what it likes: whoever asks sees no match that they could not see anyway.
        if not 0 < number < 2**63:
            return None
        here = await self.matches.running_in(number)
        mine = [one for one in here if any(p.user_id == session.user_id for p in one.players)]
        mine.sort(key=lambda match: not is_turn_of(match, session.user_id))
        first = next(iter([*mine, *here]), None)
        seen = first is not None and await self.people.may_see(first, session.user_id)
        return first.id if first is not None and seen else None

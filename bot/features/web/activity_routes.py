"""How the page signs in inside Discord, and which match it shows there first."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from aiohttp import web

from bot.core.errors import ID
from bot.features.web.activity import Activity
from bot.features.web.people_views import PagePeople
from bot.features.web.requests import as_text, device_of, reading
from bot.features.web.service import WebAccess
from bot.play.matches.positions import is_turn_of
from bot.play.matches.service import Matches
from data.people.web_sessions import WebSession

_DEVICE: Final = "Discord"
"""How a session in Discord is listed among those in browsers."""
_LOOKED_AT: Final = 5
"""Matches of a channel that Discord is asked about, whether somebody may see them."""


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
            code = as_text(asked["code"])
            channel, guild = (_id(as_text(asked.get(name, ""))) for name in ("channel", "guild"))
        opener = await self.activity.opener(code)
        secret, session = await self.access.enter(
            opener.user_id,
            locale=opener.locale,
            device=f"{_DEVICE} {device_of(request)}",
        )
        match = session.match_id
        if match is None and channel is not None:
            match = await self._played_in(channel, guild, session)
        return web.json_response({"secret": secret, "match": match})

    async def _played_in(self, channel: int, guild: int | None, session: WebSession) -> int | None:
        """Return the match that someone would look for in a channel: their own, their turn first.

        Otherwise, the newest that they may see.
        """
        # A page names what place it likes: whoever asks sees no match that they could not see anyway.
        here = await self.matches.running_in(channel, guild_id=guild)
        mine = [one for one in here if any(p.user_id == session.user_id for p in one.players)]
        mine.sort(key=lambda match: not is_turn_of(match, session.user_id))
        for match in [*mine, *here][:_LOOKED_AT]:
            if await self.people.may_see(match, session.user_id):
                return match.id
        return None


def _id(text: str) -> int | None:
    """Return an id; ``None`` for anything else."""
    with suppress(ValueError):
        return ID.read(text)
    return None

"""How the messages about a match can be reached just now: as the bot, or through interactions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

import discord

from bot.core.requests.one_try import SEARCH
from bot.play.delivery.interaction_transport import InteractionTransport
from bot.play.delivery.requests import Requests
from bot.play.delivery.transport import ChannelTransport
from bot.play.matches.positions import MatchView
from engine.phrase import Tongue

_SEARCH: Final = "search"


@dataclass(slots=True)
class Reach:
    """The current match, and the ways to reach its messages."""

    view: MatchView
    transport: ChannelTransport
    locale: Tongue
    requests: Requests
    now: datetime
    """The time of day."""
    in_place: bool = False
    """Whether one board is edited from turn to turn."""
    editable: bool = True
    """Whether messages can be edited without a press."""
    earlier: Sequence[InteractionTransport] = ()
    """Other interactions that can still edit what they have said, newest last."""
    pressed: dict[int, list[InteractionTransport]] = field(default_factory=dict)
    """Interactions that can still edit the pressed message, by that message."""

    closed: discord.HTTPException | None = None
    """Why nothing new can be posted for now."""

    def reaching(self, message_id: int) -> InteractionTransport | None:
        """Return the newest open interaction that can edit a message, if any."""
        found = (one for one in reversed(self.earlier) if message_id in one.reached)
        return next(found, None)

    async def search(self) -> None:
        """Search for posts that may have arrived; where that fails, again later."""
        extras = self.requests.extras
        if extras.waits(_SEARCH):
            return
        doubtful = dict(self.requests.doubtful)
        for channel in {post.channel_id for post in doubtful.values()}:
            searched = {mark: p for mark, p in doubtful.items() if p.channel_id == channel}
            found = await self.transport.find(channel, searched.keys())
            self.requests.found(searched, found)
            if found is None:
                extras.failed(_SEARCH, route=SEARCH)
            else:
                extras.succeeded(_SEARCH)

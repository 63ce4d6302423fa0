"""The latest interactions about each match, while Discord still accepts answers to them.

Where the bot is present only by user install, nothing else can edit the messages they produced.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from cachetools import TTLCache

from bot.core.interactions.reply import Reply
from bot.core.posts.pings import Pings
from bot.core.scheduling.wall_clock import WallClock
from bot.play.delivery.interaction_transport import InteractionTransport

_OPEN: Final = timedelta(minutes=14)
"""How long an interaction is used; Discord accepts answers for fifteen minutes."""
_SOON: Final = timedelta(minutes=1)
"""How long a player who has moved waits for the computer's answer."""
MANY: Final = 500
"""Maximum matches whose interactions are remembered, each with the pressed message; for others the
bot posts by itself, or with the next press."""
_MAX_REACHING: Final = 3
"""Earlier interactions kept per match, of those that can still edit a message."""


class OpenInteractions:
    """Remembers interactions as ways to reach Discord."""

    def __init__(self, pings: Pings, clock: WallClock) -> None:
        """Notify players as ``pings`` allows; expire by the time of day."""
        self._pings = pings
        self._clock = clock
        self._answered: TTLCache[int, list[tuple[datetime, InteractionTransport]]]
        self._answered = TTLCache(MANY, _OPEN.total_seconds(), self._now)
        self._kept: TTLCache[int, InteractionTransport]
        self._kept = TTLCache(MANY, _OPEN.total_seconds(), self._now)
        self._expecting: TTLCache[int, InteractionTransport]
        self._expecting = TTLCache(MANY, _SOON.total_seconds(), self._now)

    def _now(self) -> float:
        return self._clock().timestamp()

    def transport(self, match_id: int, reply: Reply) -> InteractionTransport:
        """Return the transport of an interaction about a match, always the same for a reply."""
        now, known = self._clock(), self._answered.get(match_id, [])
        for _, transport in known:
            if transport.reply is reply:
                return transport
        here = reply.by_user_install
        reaching = [pair for pair in known if here and pair[1].reached][-_MAX_REACHING:]
        transport = InteractionTransport(reply, self._pings)
        self._answered[match_id] = [*reaching, (now + _OPEN, transport)]
        return transport

    def keep(self, match_id: int, reply: Reply) -> None:
        """Keep a press that was answered privately, to edit the pressed board later.

        Where the bot is present only by user install, nothing else could edit that board.
        """
        self._kept[match_id] = InteractionTransport(reply, self._pings)

    def remember(self, match_id: int, reply: Reply, message_id: int) -> None:
        """Remember an interaction that can edit its own public message for a while.

        Args:
            match_id: the match it is about.
            reply: answers it.
            message_id: the message it has sent.

        """
        self.transport(match_id, reply).posted.add(message_id)

    def expect(self, match_id: int, transport: InteractionTransport) -> None:
        """Keep an interaction whose player waits for a computer's move."""
        self._expecting[match_id] = transport

    def expecting(self, match_id: int) -> list[InteractionTransport]:
        """Return the interaction whose player waits for a computer in a match, if any."""
        return _some(self._expecting.get(match_id))

    def kept(self, match_id: int) -> list[InteractionTransport]:
        """Return the press kept for a match, if it is still open."""
        return _some(self._kept.get(match_id))

    def reaching(self, match_id: int) -> list[InteractionTransport]:
        """Return the latest interactions about a match that are still open, newest last."""
        now = self._clock()
        return [one for until, one in self._answered.get(match_id, ()) if until > now]

    def follow_up(self, match_id: int) -> list[InteractionTransport]:
        """Return the latest interaction about a match that still takes a follow-up, if any."""
        found = self.reaching(match_id)[-1:]
        return [one for one in found if one.reached or not one.spent]


def _some(transport: InteractionTransport | None) -> list[InteractionTransport]:
    return [] if transport is None else [transport]

"""Who of some people has left a server, asked of Discord's gateway.

Asking about ids takes no privileged intent. discord.py also ends a question without an answer,
as if nobody were there, when its connection begins anew; so each question asks about the bot
itself as well, and an answer that does not name the bot is none.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

import aiohttp
import discord
import structlog

from bot.matches.computers import is_person

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from bot.scheduling.wall_clock import Clock

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

WAIT: Final = 1.0
"""Seconds that anybody waits for an answer."""
KEPT: Final = timedelta(minutes=10)
"""So long an answer holds."""
PAUSE: Final = timedelta(seconds=30)
"""So long nothing is asked of a shard that has not answered: nobody waits for it again and again."""
_MOST: Final = 100 - 1
"""Discord takes a hundred ids a question; one of them is the bot's."""


class _Known(NamedTuple):
    here: bool
    until: datetime


class Members:
    """Remembers for a while who is a member of which server."""

    def __init__(
        self, client: discord.Client, *, clock: Clock, wait: float = WAIT, keep: int = 20_000
    ) -> None:
        """Ask through a client, with the time of day from ``clock``; keep the last answers.

        Args:
            client: the bot.
            clock: tells how old an answer is.
            wait: seconds until a question is given up.
            keep: how many people are remembered at most.

        """
        self._client = client
        self._clock = clock
        self._wait = wait
        self._keep = keep
        self._known: OrderedDict[tuple[int, int], _Known] = OrderedDict()
        self._silent: dict[int, datetime] = {}

    async def gone(self, guild: discord.Guild | None, user_ids: Iterable[int]) -> frozenset[int]:
        """Return who of some people is not in a server any more; who is not known is not told.

        An account that was deleted is in no server. Nobody has left where there is no server, or
        where the bot is in it only while somebody uses it; former players are nobody.

        Args:
            guild: the server, ``None`` for direct messages and for all servers together.
            user_ids: whom it is about.

        """
        me = self._client.user
        guild = None if guild is None else self._client.get_guild(guild.id)
        if guild is None or guild.unavailable or me is None:
            return frozenset()
        people = {user_id for user_id in user_ids if is_person(user_id) and user_id != me.id}
        unknown = sorted(one for one in people if self._recall(guild.id, one) is None)
        if unknown and not self._pausing(guild.shard_id):
            await self._ask(guild, me.id, unknown)
        return frozenset(one for one in people if self._recall(guild.id, one) is False)

    def seen(self, guild_id: int, user_id: int) -> None:
        """Take notice that somebody is in a server at this moment: they do something there."""
        known = self._known.get((guild_id, user_id))
        if known is not None and not known.here:
            del self._known[guild_id, user_id]

    async def _ask(self, guild: discord.Guild, me: int, user_ids: list[int]) -> None:
        """Ask about people, and remember the answers that come in time."""
        why = "unanswered"
        try:
            async with asyncio.timeout(self._wait):
                for start in range(0, len(user_ids), _MOST):
                    part = user_ids[start : start + _MOST]
                    found = await guild.query_members(
                        user_ids=[me, *part], limit=len(part) + 1, cache=False
                    )
                    here = {member.id for member in found}
                    if me not in here:
                        break
                    self._remember(guild.id, part, here)
                else:
                    return
        except (discord.ClientException, RuntimeError, aiohttp.ClientError, OSError) as error:
            # A time limit that is over is an OSError too.
            why = repr(error)
        log.info("who has left a server is not known", guild=guild.id, why=why)
        self._silent[guild.shard_id] = self._clock() + PAUSE

    def _pausing(self, shard: int) -> bool:
        until = self._silent.get(shard)
        if until is not None and until <= self._clock():
            del self._silent[shard]
            until = None
        # What is sent beyond Discord's limit waits for up to a minute, and is in others' way.
        return until is not None or self._client.is_ws_ratelimited()

    def _recall(self, guild_id: int, user_id: int) -> bool | None:
        known = self._known.get((guild_id, user_id))
        return known.here if known is not None and self._clock() < known.until else None

    def _remember(self, guild_id: int, user_ids: Iterable[int], here: set[int]) -> None:
        until = self._clock() + KEPT
        for user_id in user_ids:
            self._known[guild_id, user_id] = _Known(user_id in here, until)
            self._known.move_to_end((guild_id, user_id))
        while len(self._known) > self._keep:
            self._known.popitem(last=False)

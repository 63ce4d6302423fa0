"""Which users have left a server, asked of Discord's gateway.

Asking about ids takes no privileged intent. When its connection starts anew, discord.py ends a
request as if nobody were in the server; so each request asks about the bot as well, and an answer
without the bot does not count.
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

    from bot.scheduling.wall_clock import WallClock

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

WAIT: Final = 1.0
"""Seconds until a request is given up."""
KEPT: Final = timedelta(minutes=10)
"""How long an answer is kept."""
PAUSE: Final = timedelta(seconds=30)
"""How long a shard that did not answer is not asked again."""
_BATCH: Final = 100 - 1
"""Discord takes a hundred ids a request; one of them is the bot's."""


class _Known(NamedTuple):
    here: bool
    until: datetime


class Members:
    """Knows, and caches, which users are in a server."""

    def __init__(
        self, client: discord.Client, *, clock: WallClock, wait: float = WAIT, keep: int = 20_000
    ) -> None:
        """Ask through a client, with the time of day from ``clock``.

        Args:
            client: the bot.
            clock: tells how old an answer is.
            wait: seconds until a request is given up.
            keep: the maximum size of the cache.

        """
        self._client = client
        self._clock = clock
        self._wait = wait
        self._keep = keep
        self._known: OrderedDict[tuple[int, int], _Known] = OrderedDict()
        self._silent: dict[int, datetime] = {}

    async def gone(self, guild_id: int | None, user_ids: Iterable[int]) -> frozenset[int]:
        """Return the users known to have left a server; unknown ones are omitted.

        A deleted account is in no server; for a server without the bot the result is empty.

        Args:
            guild_id: the server; ``None`` for direct messages and for all servers together.
            user_ids: the users.

        """
        me = self._client.user
        guild = None if guild_id is None else self._client.get_guild(guild_id)
        if guild is None or guild.unavailable or me is None:
            return frozenset()
        people = {user_id for user_id in user_ids if is_person(user_id) and user_id != me.id}
        unknown = sorted(one for one in people if self._recall(guild.id, one) is None)
        if unknown and not self._pausing(guild.shard_id):
            await self._ask(guild, me.id, unknown)
        return frozenset(one for one in people if self._recall(guild.id, one) is False)

    def seen(self, guild_id: int, user_id: int) -> None:
        """Note that a user is in a server: they have just done something there."""
        known = self._known.get((guild_id, user_id))
        if known is not None and not known.here:
            del self._known[guild_id, user_id]

    async def _ask(self, guild: discord.Guild, me: int, user_ids: list[int]) -> None:
        """Ask about users, and cache the answers that come in time."""
        why = "unanswered"
        try:
            async with asyncio.timeout(self._wait):
                for start in range(0, len(user_ids), _BATCH):
                    part = user_ids[start : start + _BATCH]
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
            # A timeout is an OSError.
            why = repr(error)
        log.info("who has left a server is not known", guild=guild.id, why=why)
        self._silent[guild.shard_id] = self._clock() + PAUSE

    def _pausing(self, shard: int) -> bool:
        until = self._silent.get(shard)
        if until is not None and until <= self._clock():
            del self._silent[shard]
            until = None
        # Beyond Discord's rate limit a request would wait for up to a minute and block others.
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

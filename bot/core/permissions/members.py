"""Finds users who have left a server, through Discord's gateway, and their names there.

A process without a gateway connection asks about each of them instead (`Servers`).

Asking about ids takes no privileged intent. On reconnect, discord.py ends a request as if no one
were in the server, so each request includes the bot, and answers without the bot are discarded.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

import discord
import structlog
from cachetools import TTLCache

from bot.core.computers import is_person
from bot.core.permissions.servers import Servers
from bot.core.requests.sending import FAILED, OneTry
from bot.core.scheduling.scheduler import WallClock
from engine.plain_text import one_line

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

WAIT: Final = 1.0
"""Seconds until a request times out."""
KEPT: Final = timedelta(minutes=10)
"""How long answers are cached."""
PAUSE: Final = timedelta(seconds=30)
"""Pause before asking a shard again that did not answer, or about a server where none is asked."""
_NAMED: Final = timedelta(hours=1)
"""How long names are cached."""
_UNHURRIED: Final = timedelta(seconds=2)
"""Between such questions that nobody waits for, as Discord limits their number."""
_MAX_KEPT: Final = 20_000
_MAX_PAUSES: Final = 10_000
_NOWHERE: Final = 0
"""In place of a server: outside all of them."""
_BATCH: Final = 100 - 1
"""Discord takes a hundred ids per request; one of them is the bot's."""
_MAX_SINGLY: Final = 25
"""Users asked about at once, where each takes a request."""


def shown_name(user: discord.User | discord.Member) -> str:
    """Return the name of a user as it may be repeated; see `engine.plain_text`."""
    return one_line(user.display_name) or user.name


class Members:
    """Knows, and caches, which users are in a server."""

    def __init__(
        self, client: discord.Client, servers: Servers, *, clock: WallClock, wait: float = WAIT
    ) -> None:
        """Ask through a client; requests time out after ``wait`` seconds."""
        self._client = client
        self._servers = servers
        self._wait = wait
        self._is_here: TTLCache[tuple[int, int], bool, datetime] = TTLCache(_MAX_KEPT, KEPT, clock)
        self._silent: TTLCache[int, bool, datetime] = TTLCache(_MAX_PAUSES, PAUSE, clock)
        self._names: TTLCache[tuple[int, int], str, datetime] = TTLCache(_MAX_KEPT, _NAMED, clock)
        self._asked: TTLCache[int, bool, datetime] = TTLCache(_MAX_PAUSES, _UNHURRIED, clock)
        self._background: set[asyncio.Task[None]] = set()

    async def departed(
        self, guild_id: int | None, user_ids: Iterable[int], *, afresh: bool = False
    ) -> frozenset[int]:
        """Return the users known to have left a server; unknown ones are omitted.

        Before a game begins, Discord is asked ``afresh``; elsewhere earlier answers are good enough.
        A deleted account is in no server. The result is empty for a server without the bot, and for
        ``None``, which stands for direct messages and for all servers together.
        """
        guild = await self._server(guild_id)
        if guild is None or guild.unavailable:
            return frozenset()
        people = frozenset(user_ids)
        await self._ask(guild, (one for one in people if afresh or not self._knows(guild.id, one)))
        return frozenset(one for one in people if not self._is_here.get((guild.id, one), True))

    def _knows(self, guild_id: int, user_id: int) -> bool:
        return (guild_id, user_id) in self._is_here

    def seen(self, guild_id: int, user: discord.User | discord.Member) -> None:
        """Record that a user is in a server: they have just done something there."""
        self._names[guild_id, user.id] = shown_name(user)
        if self._is_here.get((guild_id, user.id)) is False:
            self._is_here.pop((guild_id, user.id), None)

    async def names(self, guild_id: int | None, user_ids: Iterable[int]) -> dict[int, str]:
        """Return users' names in a server: of those who are there, as far as Discord says now."""
        people = frozenset(user_ids)
        if self._nameless(guild_id, people):
            guild = await self._server(guild_id)
            if guild is None:
                return {}
            await self._ask(guild, self._nameless(guild_id, people))
        return self.known_names(guild_id, people)

    async def account_names(self, user_ids: Iterable[int]) -> dict[int, str]:
        """Return users' names outside servers, as far as Discord says now; for a few users only."""
        people = frozenset(user_ids)
        await asyncio.gather(*map(self._ask_account, self._nameless(_NOWHERE, people)))
        return self.known_names(_NOWHERE, people)

    def known_names(self, guild_id: int | None, user_ids: Iterable[int]) -> dict[int, str]:
        """Return those of users' names in a server that are in memory; `learn_names` finds others."""
        if guild_id is None:
            return {}
        return {
            one: name
            for one in user_ids
            if (name := self._names.get((guild_id, one))) is not None
            and self._is_here.get((guild_id, one), True)
        }

    def learn_names(self, guild_id: int | None, user_ids: Iterable[int]) -> None:
        """Ask for names that are not in memory, in the background: they are known a moment later."""
        guild = None if guild_id is None else self._client.get_guild(guild_id)
        if guild is None or self._answering(guild) in self._asked:
            return
        missing = self._nameless(guild_id, filter(is_person, user_ids))
        if missing:
            self._asked[self._answering(guild)] = True
            task = asyncio.create_task(self._ask(guild, missing), name="names")
            self._background.add(task)
            task.add_done_callback(self._background.discard)

    def _nameless(self, guild_id: int | None, user_ids: Iterable[int]) -> list[int]:
        """Return the users of a server whose names are not in memory."""
        if guild_id is None:
            return []
        return [
            one
            for one in user_ids
            if (guild_id, one) not in self._names
            and self._is_here.get((guild_id, one)) is not False
        ]

    async def _ask_account(self, user_id: int) -> None:
        try:
            async with asyncio.timeout(self._wait), OneTry(limited=False):
                user = await self._client.fetch_user(user_id)
        except FAILED as error:
            log.info("could not look up a name", reason=repr(error))
        else:
            self._names[_NOWHERE, user_id] = shown_name(user)

    async def _ask(self, guild: discord.Guild, people: Iterable[int]) -> None:
        """Ask about users, and cache the answers that arrive in time."""
        me = self._client.user
        if me is None or guild.unavailable:
            return
        user_ids = sorted(one for one in people if is_person(one) and one != me.id)
        # Beyond Discord's rate limit, a request would wait for up to a minute and block others.
        if (
            not user_ids
            or self._answering(guild) in self._silent
            or self._client.is_ws_ratelimited()
        ):
            return
        reason = "unanswered"
        try:
            async with asyncio.timeout(self._wait):
                if not self._servers.told:
                    user_ids = user_ids[:_MAX_SINGLY]
                for start in range(0, len(user_ids), _BATCH):
                    part = user_ids[start : start + _BATCH]
                    members = await self._members(guild, [me.id, *part])
                    here = {member.id for member in members}
                    if me.id not in here:
                        break
                    self._names.update({(guild.id, one.id): shown_name(one) for one in members})
                    self._is_here.update({(guild.id, one): one in here for one in part})
                else:
                    return
        except (*FAILED, discord.DiscordException, RuntimeError) as error:
            # A timeout is an OSError.
            reason = repr(error)
        log.info("could not find out who has left a server", guild=guild.id, reason=reason)
        self._silent[self._answering(guild)] = True

    def _answering(self, guild: discord.Guild) -> int:
        """Return what answers about a server: its shard; without shards, the server's own routes."""
        return guild.shard_id if self._servers.told else guild.id

    async def _server(self, guild_id: int | None) -> discord.Guild | None:
        try:
            async with asyncio.timeout(self._wait):
                return await self._servers.known(guild_id)
        except TimeoutError:
            return None

    async def _members(self, guild: discord.Guild, user_ids: list[int]) -> list[discord.Member]:
        if self._servers.told:
            return await guild.query_members(user_ids=user_ids, limit=len(user_ids), cache=False)
        others = (one for one in user_ids if one != guild.me.id)
        return [guild.me, *await self._servers.members(guild, others)]

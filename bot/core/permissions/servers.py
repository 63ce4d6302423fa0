"""Servers as Discord describes them: those that it tells this process of, or any, by asking.

A process without shards (`bot.core.shards.without`) hears of no change. So it believes an answer for
a short while, and keeps no server that nobody asks about.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import aiohttp
import discord
import structlog
from cachetools import LRUCache, TTLCache

from bot.core.requests.sending import OneTry
from bot.core.shards.ownership import Shards

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

T = TypeVar("T")

KNOWN: Final = 30.0
"""Seconds for which Discord's answer holds."""
_MAX_KEPT: Final = 500
_SILENT: Final = (discord.HTTPException, aiohttp.ClientError, OSError)


class _Kept(LRUCache[int, discord.Guild]):
    """The servers that were asked about last; older ones leave the client, too."""

    def popitem(self) -> tuple[int, discord.Guild]:
        number, guild = super().popitem()
        guild._state._remove_guild(guild)  # noqa: SLF001 -- nothing else removes it
        return number, guild


@dataclass(eq=False, repr=False)
class Servers:
    """Finds servers, their channels and roles."""

    client: discord.Client
    shards: Shards
    _kept: _Kept = field(default_factory=lambda: _Kept(_MAX_KEPT), init=False)
    _fresh: TTLCache[int, discord.Guild | None] = field(
        default_factory=lambda: TTLCache(_MAX_KEPT, KNOWN), init=False
    )
    _asking: dict[int, asyncio.Task[discord.Guild | None]] = field(default_factory=dict, init=False)

    @property
    def told(self) -> bool:
        """Whether Discord tells this process of its servers and their members."""
        return self.shards.told

    async def get(self, guild_id: int | None) -> discord.Guild | None:
        """Return a server, which the client knows from then on, too; ``None`` if the bot isn't there.

        Raises discord.HTTPException, aiohttp.ClientError, OSError if Discord must be asked and does
        not answer.
        """
        if guild_id is None or self.told:
            return None if guild_id is None else self.client.get_guild(guild_id)
        with suppress(KeyError):
            return self._fresh[guild_id]
        asking = self._asking.get(guild_id)
        if asking is None:
            asking = asyncio.create_task(self._ask(guild_id), name="server-asked")
            self._asking[guild_id] = asking
            asking.add_done_callback(lambda _: self._asking.pop(guild_id, None))
        return await asyncio.shield(asking)  # others may wait for it, too

    async def known(self, guild_id: int | None) -> discord.Guild | None:
        """Return a server; ``None`` also if Discord does not answer."""
        try:
            return await self.get(guild_id)
        except _SILENT as error:
            log.info("could not ask about a server", guild=guild_id, reason=repr(error))
            return None

    async def members(self, guild: discord.Guild, user_ids: Iterable[int]) -> list[discord.Member]:
        """Return those of some users who are members, asking about each of them."""
        found = await asyncio.gather(*(_member(guild, one) for one in user_ids))
        return [member for member in found if member is not None]

    async def _ask(self, guild_id: int) -> discord.Guild | None:
        http, me = self.client.http, self.client.user
        assert me is not None, "the process has logged in"
        try:
            about, channels, member = await asyncio.gather(
                _once(http.get_guild(guild_id, with_counts=False)),
                _once(http.get_all_guild_channels(guild_id)),
                _once(http.get_member(guild_id, me.id)),
            )
        except (discord.NotFound, discord.Forbidden):
            guild = None
        else:
            data: Any = {**about, "channels": channels, "members": [member]}
            guild = self.client._connection._add_guild_from_data(data)  # noqa: SLF001 -- as on connecting
            self._kept[guild_id] = guild
        if guild is None and (left := self._kept.pop(guild_id, None)) is not None:
            self.client._connection._remove_guild(left)  # noqa: SLF001 -- as on leaving
        self._fresh[guild_id] = guild
        return guild


async def _once(request: Awaitable[T]) -> T:
    async with OneTry(limited=False):
        return await request


async def _member(guild: discord.Guild, user_id: int) -> discord.Member | None:
    try:
        return await _once(guild.fetch_member(user_id))
    except discord.NotFound:
        return None

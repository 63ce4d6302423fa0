"""Decides who may see a match: its players, and everyone who can read its channel.

When in doubt, only a match's players see it: in private threads, deleted channels and channels
hidden from the bot, or while Discord does not answer. Tournaments and ladders are never in threads,
and those of a deleted channel are visible to everyone on the server.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import aiohttp
import discord

from bot.core.errors import NoSuchMatch
from bot.core.interactions.reply import Reply
from data.matches.match import Match
from engine.phrase import say

T = TypeVar("T")

MAX_ASKED: Final = 10
"""Archived threads requested from Discord for one answer about many matches."""
WAIT: Final = 2.0
"""Seconds Discord has to answer whether a channel exists."""


@dataclass(eq=False, repr=False)
class Sight:
    """What the reader of an answer may see; with ``public``, everyone who reads it.

    Made for one answer: channels are checked once, and requests to Discord are limited.
    """

    reply: Reply
    public: bool = False
    asks: int = MAX_ASKED
    _read: dict[tuple[int, bool], bool] = field(default_factory=dict, init=False)

    async def sees(self, match: Match) -> bool:
        """Return whether they may see a match."""
        known = self._known(match)
        return await self._asked(match) if known is None else known

    async def first(
        self, found: Sequence[T], limit: int, *, of: Callable[[T], Match]
    ) -> tuple[list[T], int]:
        """Return the first items whose matches they may see, and how many were checked.

        It stops early at ``limit`` found, or when it would exceed the requests to Discord.
        """
        seen: list[T] = []
        asked: dict[int, bool] = {}
        for at, one in enumerate(found):
            if len(seen) == limit:
                return seen, at
            visible = self._known(of(one))
            if visible is None and of(one).channel_id not in asked:
                # One request tells of all matches in a thread.
                unknown = (match for match in map(of, found[at:]) if self._known(match) is None)
                threads = {match.channel_id: match for match in unknown}
                batch = [match for key, match in threads.items() if key not in asked]
                batch = batch[: min(self.asks, limit - len(seen))]
                if not batch:
                    return seen, at
                self.asks -= len(batch)
                shown = await asyncio.gather(*(self._asked(match) for match in batch))
                asked.update(zip((match.channel_id for match in batch), shown, strict=True))
            if asked[of(one).channel_id] if visible is None else visible:
                seen.append(one)
        return seen, len(found)

    def _known(self, match: Match) -> bool | None:
        """Return whether they may see a match; ``None`` if Discord must be asked for its thread.

        The gateway omits archived threads. Readers who cannot see the parent channel see none of
        them.
        """
        reply = self.reply
        if not self.public and any(player.user_id == reply.user_id for player in match.players):
            return True
        here = match.channel_id == reply.channel_id
        if match.guild_id is None or match.guild_id != reply.guild_id:
            return here and match.guild_id is None
        if here:
            return True
        guild = reply.interaction.client.get_guild(match.guild_id)
        if guild is None:
            return False
        channel = guild.get_channel_or_thread(match.channel_id)
        if channel is not None:
            return self._reads(channel)
        parent = None if match.parent_id is None else guild.get_channel(match.parent_id)
        closed = match.parent_id is not None and (parent is None or not self._reads(parent))
        return False if closed else None

    async def _asked(self, match: Match) -> bool:
        """Return whether they may see a match, after requesting its thread from Discord."""
        channel = await channel_now(self.reply, match.channel_id)
        return channel is not None and self._reads(channel)

    def _reads(self, channel: Any) -> bool:
        place = _with_permissions(channel)
        if place is None:
            return False  # the thread's channel is unknown
        key = (place.id, _is_private(channel))
        if key not in self._read:
            here = channel.guild.get_channel_or_thread(self.reply.channel_id)
            reader = self.reply.interaction.user
            self._read[key] = _all_read(channel, here) if self.public else _reads(channel, reader)
        return self._read[key]


async def may_see(reply: Reply, match: Match) -> bool:
    """Return whether a person may see a match."""
    return await Sight(reply).sees(match)


async def open_to_server(reply: Reply, match: Match) -> bool:
    """Return whether everyone on a match's server, which the person is on, can surely see it."""
    guild = reply.interaction.guild
    if guild is None or match.guild_id != guild.id:
        return False
    channel = await channel_now(reply, match.channel_id)
    return channel is not None and may_read(channel, guild.default_role)


def sees(reply: Reply, channel_id: int) -> bool:
    """Return whether a person can read a channel of their current server."""
    return channel_id == reply.channel_id or _reads(
        known_channel(reply, channel_id), reply.interaction.user
    )


async def readable(reply: Reply, channel_ids: Iterable[int]) -> frozenset[int]:
    """Return which channels of their current server a person can read.

    Archived threads, which the gateway omits, are requested: at most `MAX_ASKED`.
    """
    wanted = tuple(dict.fromkeys(channel_ids))
    unknown = [one for one in wanted if known_channel(reply, one) is None][:MAX_ASKED]
    asked = await asyncio.gather(*(channel_now(reply, one) for one in unknown))
    found = dict(zip(unknown, asked, strict=True))
    person = reply.interaction.user
    return frozenset(one for one in wanted if sees(reply, one) or _reads(found.get(one), person))


def _reads(channel: Any, person: discord.abc.User) -> bool:
    return channel is not None and isinstance(person, discord.Member) and may_read(channel, person)


def sees_or_deleted(reply: Reply, channel_id: int, *, public: bool = False) -> bool:
    """Return whether a person can read a channel of this server, or it was deleted.

    With ``public``, everyone who reads the answer must be able to.
    """
    channel = known_channel(reply, channel_id)
    if channel is None or channel_id == reply.channel_id:
        return True
    if public:
        return _all_read(channel, channel.guild.get_channel_or_thread(reply.channel_id))
    return sees(reply, channel_id)


def known_channel(reply: Reply, channel_id: int) -> Any:
    """Return a channel of this server; ``None`` if it is unknown to the bot."""
    if channel_id == reply.channel_id:
        return reply.interaction.channel
    guild = reply.interaction.guild
    return None if guild is None else guild.get_channel_or_thread(channel_id)


def may_read(channel: Any, reader: discord.Member | discord.Role) -> bool:
    """Return whether a member, or a role alone, can surely read a channel or thread.

    Members of private threads are unknown: only those who may manage threads surely see them.
    """
    try:
        allowed = channel.permissions_for(reader)
    except discord.ClientException:
        return False  # the thread's channel is unknown
    if _is_private(channel) and not allowed.manage_threads:
        return False
    return bool(allowed.view_channel and allowed.read_message_history)


def no_such_match(number: int) -> NoSuchMatch:
    """Return the refusal for a match that does not exist, or is hidden from this person."""
    return NoSuchMatch(say("There's no match #{number} here.", number=number))


async def may_see_now(client: discord.Client, match: Match, user_id: int) -> bool:
    """Return whether a user, without an interaction, may currently see a server's match.

    Raises discord.HTTPException, aiohttp.ClientError, OSError if Discord does not answer.
    """
    guild = client.get_guild(match.guild_id or 0)
    if guild is None:
        return False
    try:
        channel = await _channel(client, guild, match.channel_id)
        member = await guild.fetch_member(user_id)
        if channel is None or may_read(channel, member):
            return channel is not None
        if not (_is_private(channel) and channel.permissions_for(member).view_channel):
            return False
        await channel.fetch_member(user_id)
    except (discord.NotFound, discord.Forbidden, discord.ClientException):
        return False  # the channel is gone or closed, or the user has left it or the server
    return True


async def channel_now(reply: Reply, channel_id: int) -> Any:
    """Return a channel or thread of this server; ``None`` if it is not known in time."""
    guild = reply.interaction.guild
    if guild is None:
        return None
    try:
        async with asyncio.timeout(WAIT):
            return await _channel(reply.interaction.client, guild, channel_id)
    except (discord.DiscordException, aiohttp.ClientError, OSError):
        return None  # a timeout is an OSError


async def _channel(client: discord.Client, guild: discord.Guild, channel_id: int) -> Any:
    """Return a channel or thread; ``None`` if it is not in that server.

    The gateway omits archived threads, so they are requested.
    """
    known = guild.get_channel_or_thread(channel_id)
    if known is not None:
        return known
    found = await client.fetch_channel(channel_id)
    return found if getattr(found, "guild", None) == guild else None


def _all_read(there: Any, here: Any) -> bool:
    """Return whether everyone who sees a channel can read another one.

    Members are unknown, but roles are known: overwrites that let single members in here, or keep
    single members or roles out there, count as no.
    """
    if _is_private(there):
        return False
    here, there = _with_permissions(here), _with_permissions(there)
    if here is None or there is None:
        return False
    if here == there:
        return True
    me, default = there.guild.me, there.guild.default_role
    let_in = any(
        rule.view_channel and not isinstance(target, discord.Role) and target.id != me.id
        for target, rule in here.overwrites.items()
    )
    kept_out = any(
        False in {rule.view_channel, rule.read_message_history}
        and target.id not in {me.id, default.id}
        for target, rule in there.overwrites.items()
    )
    readers = [role for role in there.guild.roles if here.permissions_for(role).view_channel]
    return not let_in and not kept_out and all(may_read(there, role) for role in readers)


def _is_private(channel: Any) -> bool:
    return isinstance(channel, discord.Thread) and channel.is_private()


def _with_permissions(channel: Any) -> discord.abc.GuildChannel | None:
    """Return the channel whose permissions apply: a thread's parent; ``None`` if unknown."""
    known = channel.parent if isinstance(channel, discord.Thread) else channel
    return known if isinstance(known, discord.abc.GuildChannel) else None

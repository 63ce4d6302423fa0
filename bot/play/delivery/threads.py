"""Threads that matches are played in, named by players and result.

A thread is made from a message, the challenge's or one posted for it, and shares its id. So
whatever fails in between, there is only one thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Final

import aiohttp
import discord
import structlog

from bot.core.computers import is_computer
from bot.core.i18n.locales import Locales
from bot.core.i18n.mentions import mention, mention_all
from bot.core.interactions.layout import text_layout
from bot.core.interactions.rendering import say_in
from bot.core.permissions.members import Members
from bot.core.posts import marks
from bot.core.requests.one_try import OneTry
from bot.core.shards.ownership import Shards
from bot.play.delivery.requests import in_time, refused
from bot.play.delivery.transport import ChannelTransport
from bot.play.matches import results
from bot.play.matches.positions import MatchView
from data.challenges.challenge import Challenge
from engine.phrase import Tongue, lines, say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_UNKNOWN_MESSAGE: Final = 10008
_HAS_A_THREAD: Final = 160004
ATTEMPTS: Final = 2
"""How often a thread is tried before all goes to the channel."""
FAILED: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What `open_from` raises."""
_A_WEEK: Final = 10080
"""The longest time Discord keeps an idle thread open, in minutes."""


@dataclass(eq=False, repr=False)
class Threads:
    """Opens threads."""

    client: discord.Client
    transport: ChannelTransport
    locales: Locales
    names: ThreadNames
    shards: Shards

    async def open(
        self, view: MatchView, channel_id: int, challenge: Challenge | None
    ) -> int | None:
        """Return the thread of a match, created if need be; ``None`` where that is impossible."""
        await self.shards.wait_ready(view.match.guild_id)
        channel = self.client.get_channel(channel_id)
        if not isinstance(channel, discord.TextChannel) or not may_open_threads(channel):
            return None
        for _ in range(ATTEMPTS):
            try:
                if challenge is not None and challenge.channel_id == channel_id:
                    thread = await self._open_from(view, channel_id, challenge.message_id)
                    if thread is not None:
                        return thread
                return await self._open_from(view, channel_id, await self._begin(view, channel_id))
            except FAILED as error:
                log.info("no thread could be opened", channel=channel_id, reason=repr(error))
                if refused(error):
                    break
        return None

    async def _open_from(
        self, view: MatchView, channel_id: int, message_id: int | None
    ) -> int | None:
        """Return the thread of a message; ``None`` if the message does not exist."""
        if message_id is None:
            return None
        name = await self.names.of(view)
        try:
            return await open_from(self.client, channel_id, message_id, name)
        except discord.NotFound as error:
            if error.code != _UNKNOWN_MESSAGE:
                raise
            return None

    async def _begin(self, view: MatchView, channel_id: int) -> int:
        """Return a message to make a thread from, posted if need be."""
        # No two places of a match share a mark, so it is never led back to one it left.
        left = 0 if view.match.place is None else view.match.channel_id
        number = (view.match.id * 31 + left) % len(marks.THREADS)
        mark = marks.THREADS[number]
        found = await self.transport.find(channel_id, [mark]) or {}
        if found:
            return found[mark]
        names = mention_all(player.user_id for player in view.match.players)
        message = text_layout(
            say("**{match}** between {players}", match=numbered(view), players=names)
        )
        locale = await self.locales.of_match(view.match)
        async with in_time():
            return await self.transport.post(
                channel_id, message.marked(mark), locale, nonce=f"m{view.match.id}s{number}"
            )


async def open_from(client: discord.Client, channel_id: int, message_id: int, name: str) -> int:
    """Return the thread of a message, opened if need be.

    Raises:
        discord.HTTPException, aiohttp.ClientError, OSError: it is not open.

    """
    try:
        async with OneTry():
            await client.http.start_thread_with_message(
                channel_id, message_id, name=name, auto_archive_duration=_A_WEEK
            )
    except discord.HTTPException as error:
        if error.code != _HAS_A_THREAD:
            raise
    return message_id


def may_open_threads(channel: discord.TextChannel) -> bool:
    """Return whether the bot may create threads in a channel and write in them."""
    allowed = channel.permissions_for(channel.guild.me)
    return allowed.create_public_threads and allowed.send_messages_in_threads


MAX_NAME: Final = 100
"""Discord's limit for a thread's name, in characters."""
_SHORTER: Final = (32, 20, 12, 7)
"""Characters kept of each player's name, tried in turn while the name is too long."""


@dataclass(eq=False, repr=False)
class ThreadNames:
    """Names threads in the language of each match."""

    members: Members
    locales: Locales

    async def of(self, view: MatchView) -> str:
        """Return the current thread name of a match."""
        locale = await self.locales.of_match(view.match)
        ids = [player.user_id for player in view.match.players]
        names = {user_id: await self._name(view, user_id) for user_id in ids}
        known = {user_id: name for user_id, name in names.items() if name is not None}
        if len(known) < len(names):
            return say_in(locale, numbered(view), MAX_NAME)
        return _fitting(view, known, locale)

    async def _name(self, view: MatchView, user_id: int) -> str | None:
        if user_id < 0 or is_computer(user_id) or view.match.guild_id is None:
            return mention(user_id)
        return await self.members.name(view.match.guild_id, user_id)


def numbered(view: MatchView) -> str:
    """Return the name of a match whose players' names are unknown."""
    return say("{game} · match #{number}", game=view.game.title, number=view.match.id)


def _fitting(view: MatchView, names: Mapping[int, str], locale: Tongue) -> str:
    """Return a name within the limit, with players' names shortened until it fits."""
    name = ""
    for most in _SHORTER:
        short = {user_id: _cut(one, most, locale) for user_id, one in names.items()}
        name = say_in(locale, title(view, short), 10 * MAX_NAME)
        if len(name) <= MAX_NAME:
            break
    return name[:MAX_NAME]


def _cut(name: str, limit: int, locale: Tongue) -> str:
    whole = say_in(locale, name, 10 * MAX_NAME)
    return whole if len(whole) <= limit else f"{whole[: limit - 1].rstrip()}…"


def title(view: MatchView, names: Mapping[int, str]) -> str:
    """Return the whole name of a thread with players under the given names."""
    challenger_first = sorted(view.match.players, key=lambda player: player.place)
    players = reduce(_versus, (names[player.user_id] for player in challenger_first))
    parts = [players, view.game.title]
    if view.match.finished:
        parts = [results.headline(view, names), view.game.title, players]
    return lines(parts, " · ")


def _versus(one: str, other: str) -> str:
    # Translators: the players of a match in the name of its thread: "Ann vs Ben".
    return say("{one} vs {other}", one=one, other=other)

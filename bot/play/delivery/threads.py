"""Threads that matches are played in.

A thread is made from a message, the challenge's or one posted for it, and shares its id. So
whatever fails in between, there is only one thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import aiohttp
import discord
import structlog

from bot.core.i18n.mentions import mention_all
from bot.core.interactions.layout import text_layout
from bot.core.posts import marks
from bot.core.requests.one_try import OneTry
from bot.play.delivery.requests import in_time, refused
from bot.play.delivery.thread_names import numbered
from engine.phrase import say

if TYPE_CHECKING:
    from bot.core.i18n.locales import Locales
    from bot.core.shards.ownership import Shards
    from bot.play.delivery.thread_names import ThreadNames
    from bot.play.delivery.transport import ChannelTransport
    from bot.play.matches.positions import MatchView
    from data.challenges.challenge import Challenge

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_UNKNOWN_MESSAGE: Final = 10008
_HAS_A_THREAD: Final = 160004
ATTEMPTS: Final = 2
"""How often a thread is tried before all goes to the channel."""
FAILED: Final = (discord.HTTPException, aiohttp.ClientError, OSError)
"""What `open_from` raises."""
_A_WEEK: Final = 10080
"""The longest time Discord keeps an idle thread open, in minutes."""


class Threads:
    """Opens threads."""

    def __init__(
        self,
        client: discord.Client,
        transport: ChannelTransport,
        locales: Locales,
        names: ThreadNames,
        shards: Shards,
    ) -> None:
        """Open threads through a client, in the language of each match."""
        self._client = client
        self._transport = transport
        self._locales = locales
        self._names = names
        self._shards = shards

    async def open(
        self, view: MatchView, channel_id: int, challenge: Challenge | None
    ) -> int | None:
        """Return the thread of a match, created if need be; ``None`` where that is impossible."""
        await self._shards.wait_ready(view.match.guild_id)
        channel = self._client.get_channel(channel_id)
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
        name = await self._names.of(view)
        try:
            return await open_from(self._client, channel_id, message_id, name)
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
        found = await self._transport.find(channel_id, [mark]) or {}
        if found:
            return found[mark]
        names = mention_all(player.user_id for player in view.match.players)
        message = text_layout(
            say("**{match}** between {players}", match=numbered(view), players=names)
        )
        locale = await self._locales.of_match(view.match)
        async with in_time():
            return await self._transport.post(
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

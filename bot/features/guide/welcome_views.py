"""Welcomes servers, and answers mentions and direct messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import discord
import structlog
from cachetools import TTLCache

from bot.core.i18n.locales import Locales
from bot.core.permissions.channels import missing
from bot.core.posts.kinds import Content
from bot.core.posts.poster import Poster
from bot.core.scheduling.wall_clock import WallClock
from bot.features.guide.posts import NEW, WelcomePost
from bot.features.guide.welcome_buttons import welcome
from bot.play.pictures.rendering import Renderer
from data.posts import posts
from data.sql import key_values
from data.sql.errors import StoreError
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_AGAIN: Final = 600.0
"""Seconds until a channel or person may get the welcome again."""
_CHANNELS: Final = 10_000


class Welcomes:
    """Welcomes servers and people."""

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        renderer: Renderer,
        poster: Poster,
        *,
        locales: Locales,
        clock: WallClock,
    ) -> None:
        """Look up the servers of a client, and record those that were welcomed in a store."""
        self._client = client
        self._store = store
        self._renderer = renderer
        self._poster = poster
        self._locales = locales
        self._clock = clock
        self._answered: TTLCache[int, bool] = TTLCache(
            _CHANNELS, _AGAIN, timer=lambda: clock().timestamp()
        )

    async def greet_new(self, shard: int) -> Sequence[int]:
        """Welcome a shard's servers that added the bot while it was offline; return the posts."""
        wanted = list[int]()
        for guild in [one for one in self._client.guilds if one.shard_id == shard]:
            # Discord says nothing of a server that is unavailable, not even who the bot is there.
            me: discord.Member | None = guild.me
            joined = None if me is None else me.joined_at
            if joined is not None and self._clock() - joined < NEW:
                wanted += await self.greet(guild)
        return wanted

    async def greet(self, guild: discord.Guild) -> Sequence[int]:
        """Have the welcome posted in a server, once; return the post, if it is new."""
        key, now = f"welcomed:{guild.id}", self._clock()
        try:
            async with self._store.write() as tx:
                if await key_values.get(tx, key) is None:
                    await key_values.set(tx, key, now.isoformat())
                    return [
                        await posts.want(tx, WelcomePost.kind, guild.id, at=now, guild_id=guild.id)
                    ]
        except StoreError as error:
            log.info("could not welcome a server", guild=guild.id, reason=str(error))
        return []

    async def answer(self, message: discord.Message) -> None:
        """Answer a direct message, or a mention, with the welcome."""
        bot = self._client.user
        if bot is None or message.author.bot or message.webhook_id is not None:
            return
        # A reply to one of its boards notifies the bot without addressing it.
        spoken_to = message.guild is None or bot.mention in message.content
        if not spoken_to or message.channel.id in self._answered:
            return
        self._answered[message.channel.id] = True
        locale = await self._locales.of_player(message.author.id)
        if message.guild is not None:
            locale = await self._locales.of_guild(message.guild.id)
            allowed = message.channel.permissions_for(message.guild.me)
            if missing(allowed, thread=isinstance(message.channel, discord.Thread)):
                return
        layout, files = await welcome(self._renderer, locale, server=message.guild is not None)
        content = Content(layout, locale, message.channel.id, files)
        if not await self._poster.answer(message.channel.id, content, nonce=f"w{message.id}"):
            self._answered.pop(message.channel.id, None)

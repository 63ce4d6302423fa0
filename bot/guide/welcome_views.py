"""Posts the welcome: once in each server, and in reply to mentions and direct messages."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
import structlog
from cachetools import TTLCache

from bot.guide.welcome_buttons import welcome
from bot.interactions.views import NOBODY, View, attachment
from bot.permissions.channels import missing
from data import key_values
from data.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bot.i18n.locales import Locales
    from bot.pictures.rendering import Renderer
    from bot.scheduling.wall_clock import WallClock
    from data.store import Store
    from engine.phrase import Tongue

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

NEW: Final = timedelta(days=1)
"""Servers that added the bot longer ago need no welcome."""
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
        *,
        locales: Locales,
        clock: WallClock,
    ) -> None:
        """Post through a client, and record welcomed servers in a store."""
        self._client = client
        self._store = store
        self._renderer = renderer
        self._locales = locales
        self._clock = clock
        self._answered: TTLCache[int, bool] = TTLCache(
            _CHANNELS, _AGAIN, timer=lambda: clock().timestamp()
        )

    async def greet_new(self, shard: int) -> None:
        """Welcome a shard's servers that added the bot while it was offline."""
        for guild in [one for one in self._client.guilds if one.shard_id == shard]:
            joined = guild.me.joined_at
            if joined is not None and self._clock() - joined < NEW:
                await self.greet(guild)

    async def greet(self, guild: discord.Guild) -> None:
        """Post the welcome in a server, at most once; failures are not retried."""
        channel = next(_places(guild), None)
        if channel is None:
            return
        try:
            if await self._first(f"welcomed:{guild.id}"):
                locale = await self._locales.of_guild(guild.id)
                await self._post(channel, locale, server=True, nonce=f"w{guild.id}")
        except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as error:
            log.info("could not welcome a server", guild=guild.id, reason=str(error))

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
        try:
            await self._post(
                message.channel,
                locale,
                server=message.guild is not None,
                nonce=f"w{message.id}",
            )
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("could not answer a message", reason=str(error))

    async def _post(
        self,
        channel: discord.abc.Messageable,
        locale: Tongue,
        *,
        server: bool,
        nonce: str,
    ) -> None:
        layout, files = await welcome(self._renderer, locale, server=server)
        await channel.send(
            view=View(layout, locale),
            files=[attachment(file) for file in files],
            nonce=nonce,  # if two processes post the same, Discord shows one
            allowed_mentions=NOBODY,
        )

    async def _first(self, key: str) -> bool:
        """Record a key; return whether it is new: true for one process only."""
        async with self._store.write() as tx:
            if await key_values.get(tx, key) is not None:
                return False
            await key_values.set(tx, key, self._clock().isoformat())
        return True


def _places(guild: discord.Guild) -> Iterator[discord.TextChannel]:
    """Yield the channels in which the bot can post pictures, the system channel first."""
    first = guild.system_channel
    for channel in [first, *guild.text_channels]:
        if channel is not None and not missing(channel.permissions_for(guild.me)):
            yield channel

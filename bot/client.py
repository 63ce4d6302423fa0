"""The Discord client: its life cycle, and the events of Discord that parts of the bot react to."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import aiohttp
import discord
import structlog

from bot.delivery.outbox_worker import OutboxWorker
from bot.guide.welcome_views import Welcomes
from bot.interactions.dispatch import Dispatcher
from bot.monitoring.metrics import Metrics
from bot.permissions.members import Members
from bot.scheduling.reachability import Reachability

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from svcs import Container

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Client(discord.Client):
    """The connection to Discord. It holds no parts of the bot: it finds them by type.

    It needs no privileged intent: commands and presses bring all it must know, and Discord
    hands over the words of messages that mention the bot.
    """

    def __init__(
        self,
        services: Container,
        begin: Callable[[], Awaitable[None]],
        resume: Callable[[], object],
    ) -> None:
        """Pass events to services.

        Args:
            services: every part of the bot, by type.
            begin: prepares them once Discord has accepted the token.
            resume: lets them work, once presses arrive.

        """
        # Nobody here speaks, so nobody needs to hear that the voice libraries are missing.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=discord.Intents(guilds=True, guild_messages=True, dm_messages=True),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
            http_trace=self._trace(),
        )
        self._services = services
        self._begin = begin
        self._resume = resume

    async def setup_hook(self) -> None:
        """Start the services."""
        await self._begin()

    def locale_of(self, guild_id: int) -> str | None:
        """Return the language of a server, as far as Discord told it."""
        guild = self.get_guild(guild_id)
        return None if guild is None else guild.preferred_locale.value

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer presses, choices and forms; commands go through their tree."""
        if interaction.guild_id is not None:
            self._services.get(Members).seen(interaction.guild_id, interaction.user)
        await self._services.get(Dispatcher).dispatch(interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Welcome a server, and go on with its matches if the bot was there before."""
        self._services.get(OutboxWorker).retry(guild.id)
        await self._services.get(Welcomes).greet(guild)

    async def on_message(self, message: discord.Message) -> None:
        """Answer who mentions the bot or writes to it."""
        await self._services.get(Welcomes).answer(message)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Go on with the matches of a server that was out of reach."""
        if self.is_ready():
            self._services.get(OutboxWorker).retry(guild.id)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Look whether what was not allowed is allowed now."""
        self._services.get(OutboxWorker).retry(channel.guild.id)

    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Look whether what was not allowed is allowed now."""
        self._services.get(OutboxWorker).retry(after.guild.id)

    async def on_guild_role_update(self, _: discord.Role, after: discord.Role) -> None:
        """Look whether what was not allowed is allowed now."""
        self._services.get(OutboxWorker).retry(after.guild.id)

    async def on_member_update(self, _: discord.Member, after: discord.Member) -> None:
        """Look whether another role allows the bot what was not allowed."""
        if after.id == after.guild.me.id:
            self._services.get(OutboxWorker).retry(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Look whether a thread was unlocked."""
        self._services.get(OutboxWorker).retry(payload.guild_id)

    async def on_ready(self) -> None:
        """Go on with all work, as presses arrive now."""
        log.info("ready", user=str(self.user), guilds=len(self.guilds))
        self._services.get(Reachability).connected()
        self._resume()

    async def on_resumed(self) -> None:
        """Take notice that presses arrive again."""
        self._services.get(Reachability).connected()

    async def on_disconnect(self) -> None:
        """Take notice that no presses arrive."""
        self._services.get(Reachability).disconnected()

    def _trace(self) -> aiohttp.TraceConfig:
        """Return what notices whether Discord answers requests."""

        async def ended(_: object, __: object, end: aiohttp.TraceRequestEndParams) -> None:
            self._services.get(Metrics).answered(end.response)
            status = end.response.status
            reachability = self._services.get(Reachability)
            if status >= 500 or status == 429:
                reachability.failed()
            else:
                reachability.answered()

        async def broke(_: object, __: object, end: aiohttp.TraceRequestExceptionParams) -> None:
            if not isinstance(end.exception, asyncio.CancelledError):
                self._services.get(Metrics).unanswered()
                self._services.get(Reachability).failed()

        trace = aiohttp.TraceConfig()
        trace.on_request_end.append(ended)
        trace.on_request_exception.append(broke)
        return trace

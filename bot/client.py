"""The Discord client: its life cycle, and the events of Discord that parts of the bot react to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
import structlog

from bot.delivery.outbox_worker import OutboxWorker
from bot.interactions.dispatch import Dispatcher
from bot.permissions.members import Members

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from svcs import Container

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Client(discord.Client):
    """The connection to Discord. It holds no parts of the bot: it finds them by type.

    It needs no privileged intent: commands and presses bring all it must know.
    """

    def __init__(self, services: Container, begin: Callable[[], Awaitable[None]]) -> None:
        """Pass events to services; ``begin`` starts them once Discord has accepted the token."""
        # Nobody here speaks, so nobody needs to hear that the voice libraries are missing.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            intents=discord.Intents(guilds=True),
            max_messages=None,
            allowed_mentions=discord.AllowedMentions.none(),
        )
        self._services = services
        self._begin = begin

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
            self._services.get(Members).seen(interaction.guild_id, interaction.user.id)
        await self._services.get(Dispatcher).dispatch(interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on with the matches of a server that the bot was in before."""
        self._services.get(OutboxWorker).retry(guild.id)

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
        """Log that the bot is there."""
        log.info("ready", user=str(self.user), guilds=len(self.guilds))

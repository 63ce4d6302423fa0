"""The Discord client: opens and closes the parts in order, and takes notice of what happens.

What the parts are is in `bot.wiring`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
import structlog

from bot.commands import install
from bot.interactions import forms
from bot.interactions.reply import PATIENCE
from bot.interactions.tree import Tree
from bot.wiring import Wired

if TYPE_CHECKING:
    import asyncio

    from bot.pictures.rendering import Renderer
    from bot.scheduling.wall_clock import Clock
    from bot.workers.pool import WorkerPool
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Bot(Wired):
    """The bot."""

    def __init__(
        self,
        store: Store,
        studio: Renderer,
        *,
        clock: Clock,
        always_sync: bool = False,
        patience: float = PATIENCE,
        workers: WorkerPool | None = None,
        analysis_workers: WorkerPool | None = None,
        analyse_after: float | None = None,
    ) -> None:
        """Work on a store, with pictures from a studio.

        Args:
            store: open; closed by its owner.
            studio: likewise.
            clock: the time of day.
            patience: seconds until an interaction is acknowledged before its answer is ready.
            workers: choose the moves of computers; one process by default. Closed with the bot.
            analysis_workers: analyse finished matches, likewise.
            analyse_after: seconds until the analysis queue starts; ``None`` analyses only the
                matches that users ask about.
            always_sync: register the commands at each start, for a Discord that forgets them.

        """
        super().__init__(
            store,
            studio,
            clock=clock,
            patience=patience,
            workers=workers,
            analysis_workers=analysis_workers,
        )
        self.tree = Tree(self, self.dispatcher)
        self._analyse_after = analyse_after
        self._always_sync = always_sync
        install(self.tree, self.dispatcher)

    @property
    def _rested(self) -> asyncio.Event:
        return self.dispatcher._drained  # noqa: SLF001 -- tests wait for it

    async def setup_hook(self) -> None:
        """Listen to every button there ever was, sync the commands and post what is left over."""
        await self.tongues.load()
        await self.tree.register(always=self._always_sync)
        await self.courier.recover()
        await self.alarms.begin()
        await self.opponents.recover()
        if self._analyse_after is not None:
            self.analysis_queue.start(after=self._analyse_after)
        self.timekeeper.start()
        self.recomputing.start()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer somebody who has filled in a form; discord.py does all the rest."""
        if interaction.guild_id is not None:
            self.members.seen(interaction.guild_id, interaction.user.id)
        if interaction.type is discord.InteractionType.modal_submit:
            await forms.taken(interaction)
        await self.dispatcher.dispatch(interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Go on with the matches of a server that the bot was in before."""
        self.courier.retry(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Go on with the matches of a server that was out of reach."""
        if self.is_ready():
            self.courier.retry(guild.id)

    async def on_guild_channel_create(self, channel: discord.abc.GuildChannel) -> None:
        """Look whether what was not allowed is allowed now."""
        self.courier.retry(channel.guild.id)

    async def on_guild_channel_update(
        self, _: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        """Look whether what was not allowed is allowed now."""
        self.courier.retry(after.guild.id)

    async def on_guild_role_update(self, _: discord.Role, after: discord.Role) -> None:
        """Look whether what was not allowed is allowed now."""
        self.courier.retry(after.guild.id)

    async def on_member_update(self, _: discord.Member, after: discord.Member) -> None:
        """Look whether another role allows the bot what was not allowed."""
        if after.id == after.guild.me.id:
            self.courier.retry(after.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Look whether a thread was unlocked."""
        self.courier.retry(payload.guild_id)

    async def on_ready(self) -> None:
        """Log that the bot is there."""
        log.info("ready", user=str(self.user), guilds=len(self.guilds))

    async def finish(self, grace: float = 10.0) -> None:
        """Let callbacks and posts under way finish, then disconnect."""
        await self.dispatcher.drained(grace)
        await self.timekeeper.close()
        await self.opponents.close()
        await self.analysis_queue.close()
        await self.records.close()
        await self.workers.close()
        await self.analysis_workers.close()
        await self.recomputing.close()
        await self.alarms.end()
        await self.courier.close()
        await self.close()

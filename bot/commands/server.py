"""``/server``: what those decide who may manage a server: its settings, and its matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.commands.run import run
from bot.permissions import require_manager
from bot.views import server_settings
from engine.phrase import say

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.client import Bot


def server_group() -> app_commands.Group:
    """Return the group. Discord shows it to managers only; who uses it is checked all the same."""
    made = app_commands.Group(
        name="server",
        description=say("For those who manage this server"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )
    made.add_command(_settings())
    return made


def _settings() -> app_commands.Command[Any, Any, None]:
    async def settings(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Answer) -> None:
            client = interaction.client
            guild_id = require_manager(interaction)
            chosen = await client.choices.server(guild_id)
            spoken = server_settings.languages(client)
            await answer.tell(server_settings.message(chosen, interaction.guild, spoken))

        await run(interaction, work)

    return app_commands.Command(
        name="settings",
        description=say("Where and how games are played in this server"),
        callback=settings,
    )

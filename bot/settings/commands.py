"""``/me``: what a player chooses for themself, in every server and in direct messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord import app_commands

from bot.interactions.commands import run
from bot.settings import player_buttons
from bot.settings.server_buttons import languages
from engine.phrase import say

if TYPE_CHECKING:
    import discord

    from bot.client import Bot
    from bot.interactions.reply import Reply


def me_group() -> app_commands.Group:
    """Return the group."""
    made = app_commands.Group(name="me", description=say("How you like to play"))

    async def settings(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            client = interaction.client
            chosen = await client.choices.player(interaction.user.id)
            await answer.tell(player_buttons.message(chosen, languages(client)))

        await run(interaction, work)

    made.add_command(
        app_commands.Command(
            name="settings",
            description=say(
                "Look, pings, confirmation, language and quiet hours, as you like them"
            ),
            callback=settings,
        )
    )
    return made

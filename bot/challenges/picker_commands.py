"""The entry in a person's context menu: challenge them to a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.challenges import picker_buttons
from bot.interactions.commands import run
from bot.permissions import play
from engine.phrase import word

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply

NAME = word("command", "Challenge to a game…")


def challenge_person() -> app_commands.ContextMenu:
    """Return the entry."""

    # discord.py reads from these two what kind of menu it is.
    async def callback(
        interaction: discord.Interaction[Bot], person: discord.Member | discord.User
    ) -> None:
        async def work(answer: Reply) -> None:
            await play.require_challenges(interaction)
            await play.require_opponent(interaction, person)
            settings = await interaction.client.choices.server(interaction.guild_id)
            picked = picker_buttons.Picked(person.id, "", "", settings.days)
            await answer.tell(picker_buttons.message(picked))

        await run(interaction, work)

    return app_commands.ContextMenu(name=NAME, callback=callback)

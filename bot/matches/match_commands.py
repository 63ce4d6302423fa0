"""``/match``: what concerns any match, whatever the game: to look at it, and to verify it."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.analysis.commands import analysis_command
from bot.interactions import layouts
from bot.interactions.commands import run
from bot.matches.lookup import visible
from bot.matches.relocate_commands import move_command
from bot.matches.verification import proof
from bot.practice.hint_commands import hint_command
from bot.replays.commands import look_commands
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply


def match_group() -> app_commands.Group:
    """Return the group."""
    made = app_commands.Group(name="match", description=say("Look into a match"))
    for command in look_commands():
        made.add_command(command)

    @app_commands.describe(number=say("The number of the match"))
    async def verify(interaction: discord.Interaction[Bot], number: int) -> None:
        async def work(answer: Reply) -> None:
            view = await visible(answer, number)
            checked = await proof(interaction.client.store, view.match.id)
            files = []
            if checked.record is not None:
                record = io.BytesIO(checked.record.encode())
                files = [discord.File(record, filename=checked.filename)]
            await answer.tell(
                layouts.text(checked.words, attached=checked.filename if files else None),
                files=files,
            )

        await run(interaction, work)

    made.add_command(
        app_commands.Command(
            name="verify",
            description=say("Check that nobody, not even the bot, chose the throws of a match"),
            callback=verify,
        )
    )
    made.add_command(move_command())
    made.add_command(hint_command())
    made.add_command(analysis_command())
    return made

"""``/match analysis``: what luck did in a match and what skill did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.analysis import buttons as analysis_view
from bot.interactions.commands import completing, run
from bot.matches.lookup import suggest_ended
from bot.replays.commands import NUMBER
from bot.replays.service import is_record
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply


def analysis_command() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(number=NUMBER)
    async def analysis(interaction: discord.Interaction[Bot], number: str) -> None:
        async def work(answer: Reply) -> None:
            await analysis_view.show(answer, interaction.client, number)

        await run(interaction, work, public=not is_record(number))

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="analysis",
        description=say("After a match: what luck did, what skill did, and what was better"),
        callback=analysis,
    )

    made.autocomplete("number")(completing(suggest_ended))

    return made

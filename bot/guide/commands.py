"""``/help``: what the bot can do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.guide import buttons as help_view
from bot.interactions.commands import run
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply


def help_command() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    async def show(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            await answer.tell(help_view.message())

        await run(interaction, work)

    return app_commands.Command(
        name="help", description=say("How to begin, and what else there is"), callback=show
    )

"""``/leaderboard``: who has won, drawn and lost in this server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.commands.run import run
from bot.views import pages
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.client import Bot


def leaderboard() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(game=say("One game; without it all games together"))
    @app_commands.choices(
        game=[app_commands.Choice(name=g.title, value=g.slug) for g in registry.games().values()]
    )
    async def show(interaction: discord.Interaction[Bot], game: str | None = None) -> None:
        async def work(answer: Answer) -> None:
            slug = pages.known_game(game or "")
            page = await pages.leaderboard(
                interaction.client, interaction.guild_id, interaction.user.id, slug
            )
            await answer.tell(page)

        await run(interaction, work, public=True)

    return app_commands.Command(
        name="leaderboard", description=say("Who has won, drawn and lost here"), callback=show
    )

"""``/games``: all open matches of whoever asks, in every server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.interactions.commands import run
from bot.matches import games_buttons
from bot.matches.lookup import known_game
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    import discord

    from bot.client import Bot
    from bot.interactions.reply import Reply


def games_command() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(game=say("One game; without it all games together"))
    @app_commands.choices(
        game=[app_commands.Choice(name=g.title, value=g.slug) for g in registry.games().values()]
    )
    async def show(interaction: discord.Interaction[Bot], game: str | None = None) -> None:
        async def work(answer: Reply) -> None:
            slug = known_game(game or "")
            await answer.tell(
                await games_buttons.page_of(interaction.client, interaction.user.id, slug)
            )

        await run(interaction, work)

    return app_commands.Command(
        name="games",
        description=say("All your open matches, those that wait for you first"),
        callback=show,
    )

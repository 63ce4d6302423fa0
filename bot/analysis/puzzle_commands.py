"""``/puzzle``: a position in which one move is clearly best."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.analysis import puzzle_buttons as puzzle_view
from bot.interactions.commands import run
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    import discord

    from bot.client import Bot
    from bot.interactions.reply import Reply


def puzzle_command() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(game=say("Of which game; without it of any"))
    @app_commands.choices(
        game=[
            app_commands.Choice(name=game.title, value=slug)
            for slug, game in registry.games().items()
        ][:25]
    )
    async def puzzle(interaction: discord.Interaction[Bot], game: str | None = None) -> None:
        async def work(answer: Reply) -> None:
            client = interaction.client
            riddle = await client.puzzles.next(interaction.user.id, game)
            await puzzle_view.pose(answer, client, riddle, mixed=game is None, new=True)

        await run(interaction, work)

    return app_commands.Command(
        name="puzzle",
        description=say("Find the one best move in a position from a real match"),
        callback=puzzle,
    )

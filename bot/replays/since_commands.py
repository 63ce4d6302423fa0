"""``since``: what happened in a match since one's last turn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.interactions.commands import run
from bot.matches.lookup import WHICH, pick
from bot.replays import since_buttons as since_view
from engine.phrase import say

if TYPE_CHECKING:
    import discord

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from engine.registry import AnyGame


def since_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command of a game."""

    @app_commands.describe(match=WHICH)
    async def since(interaction: discord.Interaction[Bot], match: int | None = None) -> None:
        async def work(answer: Reply) -> None:
            view = await pick(answer, game.slug, match, my_turn=True)
            await since_view.show(answer, interaction.client, view)

        await run(interaction, work)

    return app_commands.Command(
        name="since", description=say("See what happened since your last turn"), callback=since
    )

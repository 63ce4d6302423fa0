"""``/leaderboard``: who plays best, in one game or in each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.interactions.commands import run
from bot.leaderboards import buttons as view
from bot.matches.lookup import known_game
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply

_HERE, _EVERYWHERE = "here", "everywhere"


def leaderboard() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(
        game=say("One game; without it the first players of each"),
        scope=say("Ratings of this server, or of all servers together"),
    )
    @app_commands.choices(
        game=[app_commands.Choice(name=g.title, value=g.slug) for g in registry.games().values()],
        scope=[
            app_commands.Choice(name=say("This server"), value=_HERE),
            app_commands.Choice(name=say("All servers"), value=_EVERYWHERE),
        ],
    )
    async def show(
        interaction: discord.Interaction[Bot], game: str | None = None, scope: str | None = None
    ) -> None:
        everywhere = scope == _EVERYWHERE

        async def work(answer: Reply) -> None:
            client, slug = interaction.client, known_game(game or "")
            if slug:
                found = await view.page(answer, client, slug, everywhere=everywhere)
            else:
                found = await view.overview(answer, client, everywhere=everywhere)
            shown, files = found
            await answer.tell(shown, files=files)

        await run(interaction, work, public=True)

    return app_commands.Command(
        name="leaderboard", description=say("Who plays best, here or in all servers"), callback=show
    )

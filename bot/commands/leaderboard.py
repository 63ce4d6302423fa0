"""``/leaderboard``: who plays best, in one game; who has won how often, in all together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.commands.run import run
from bot.views import leaderboard as ratings
from bot.views import pages
from bot.words.refusals import BadInput
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.client import Bot

_HERE, _EVERYWHERE = "here", "everywhere"


def leaderboard() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(
        game=say("One game, by rating; without it all games together"),
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
        async def work(answer: Answer) -> None:
            client, guild, user = interaction.client, interaction.guild_id, interaction.user.id
            slug = pages.known_game(game or "")
            everywhere = scope == _EVERYWHERE
            if slug:
                page = await ratings.page(client, guild, user, slug, everywhere=everywhere)
            else:
                raise BadInput(
                    say("Over all servers there are ratings of single games: choose a game.")
                )
            await answer.tell(page)

        await run(interaction, work, public=True)

    return app_commands.Command(
        name="leaderboard", description=say("Who plays best here"), callback=show
    )

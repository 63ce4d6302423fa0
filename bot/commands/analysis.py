"""``/match analysis``: what luck did in a match and what skill did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.commands.run import run
from bot.delivery.lent import home_of
from bot.play.replay import parsed
from bot.views import analysis as analysis_view
from bot.words.refusals import NotAllowed
from data import matches
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.client import Bot

_MOST_CHOICES = 25


def analysis_command() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(number=say("The number of the match, such as 12"))
    async def analysis(interaction: discord.Interaction[Bot], number: str) -> None:
        async def work(answer: Answer) -> None:
            brought, _ = parsed(number)
            if brought:
                raise NotAllowed(
                    say("Only matches that were played here are looked at, not records.")
                )
            await analysis_view.show(answer, interaction.client, number)

        await run(interaction, work, public=True)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="analysis",
        description=say("After a match: what luck did, what skill did, and what was better"),
        callback=analysis,
    )

    @made.autocomplete("number")
    async def suggest(
        interaction: discord.Interaction[Bot], typed: str
    ) -> list[app_commands.Choice[str]]:
        async with interaction.client.store.read() as tx:
            played = await matches.of_player(
                tx,
                interaction.user.id,
                guild_id=home_of(interaction),
                open_only=False,
                limit=2 * _MOST_CHOICES,
            )
        named = [
            (f"#{match.id} {registry.game(match.game).title}", str(match.id))
            for match in played
            if match.finished
        ]
        wanted = typed.strip().lstrip("#").lower()
        return [
            app_commands.Choice(name=name, value=value)
            for name, value in named
            if wanted in name.lower()
        ][:_MOST_CHOICES]

    return made

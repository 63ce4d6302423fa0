"""``/match hint``: what to play, in practice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.errors import NoSuchMatch, WhichMatch
from bot.interactions import layouts
from bot.interactions.commands import run
from bot.matches.computers import is_practice
from bot.matches.lookup import visible
from bot.matches.turns import waits_for
from bot.practice import text as words
from engine.phrase import say, shortened, word

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView

_MOST_CHOICES = 25


def hint_command() -> app_commands.Command[Any, Any, None]:
    """Return the command."""

    @app_commands.describe(number=say("The number of the match, if you practise in several"))
    async def hint(interaction: discord.Interaction[Bot], number: int | None = None) -> None:
        async def work(answer: Reply) -> None:
            client, user = interaction.client, interaction.user.id
            if number is None:
                view = await _practised(interaction)
            else:
                view = await visible(answer, number)
            given, now = await client.hints.give(view, user)
            await answer.tell(layouts.text(words.hint(view, given, now.match.hints)))

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="hint",
        description=say("In practice: see what the strongest computer would play"),
        callback=hint,
    )

    @made.autocomplete("number")
    async def suggest(
        interaction: discord.Interaction[Bot], typed: int | str
    ) -> list[app_commands.Choice[int]]:
        named = [
            (shortened(f"#{view.match.id} {view.game.title}", 100), view.match.id)
            for view in await _waiting(interaction)
        ]
        return [
            app_commands.Choice(name=name, value=number)
            for name, number in named
            if str(typed).strip().lstrip("#") in name
        ][:_MOST_CHOICES]

    return made


async def _waiting(interaction: discord.Interaction[Bot]) -> list[MatchView]:
    """Return the practice matches that wait for a person, those in this channel first."""
    user = interaction.user.id
    views = await interaction.client.matches.of_player(user)
    found = [view for view in views if is_practice(view.match) and waits_for(view, user)]
    return sorted(found, key=lambda view: view.match.channel_id != interaction.channel_id)


async def _practised(interaction: discord.Interaction[Bot]) -> MatchView:
    """Return the practice match that is meant where none was said."""
    found = await _waiting(interaction)
    if not found:
        raise NoSuchMatch(
            say(
                "No practice match waits for your move. Each game has a command `{command}`.",
                command=word("command", "practice"),
            )
        )
    here = [view for view in found if view.match.channel_id == interaction.channel_id] or found
    if len(here) > 1:
        raise WhichMatch(
            say(
                "Which match: {numbers}? Say it with the option `{option}`.",
                numbers=", ".join(f"#{view.match.id}" for view in here),
                option=word("option", "number"),
            )
        )
    return here[0]

"""``/<game> learn``: a short course on small positions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.guide import lesson_buttons as learn_view
from bot.guide.lessons import lesson
from bot.interactions.commands import run
from engine.phrase import say, shortened, translated

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from engine.registry import AnyGame


def learn_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command of a game that has lessons."""

    @app_commands.rename(number="lesson")
    @app_commands.describe(number=say("Which lesson to begin with"))
    async def learn(interaction: discord.Interaction[Bot], number: int = 1) -> None:
        async def work(answer: Reply) -> None:
            post = lesson(game.slug, number)
            message, files = await learn_view.drawn(post, interaction.client, answer)
            await answer.tell(message, files=files)

        await run(interaction, work)

    made: app_commands.Command[Any, Any, None] = app_commands.Command(
        name="learn",
        description=say("Learn {game} in a few small lessons", game=game.title),
        callback=learn,
    )

    @made.autocomplete("number")
    async def suggest(
        interaction: discord.Interaction[Bot], typed: str
    ) -> list[app_commands.Choice[int]]:
        tongue = await interaction.client.tongues.of_answer(interaction, public=False)
        wanted = str(typed).strip().lower()
        found = []
        for number, taught in enumerate(game.lessons, start=1):
            name = say("{number}: {title}", number=number, title=taught.title)
            shown = translated(shortened(name, 100), tongue)
            if wanted in shown.lower():
                found.append(app_commands.Choice(name=shown, value=number))
        return found

    return made

"""``takeback``: asks the others to let one take the last decision back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.interactions import layouts
from bot.interactions.commands import run
from bot.matches import takeback_buttons as takeback_view
from bot.matches.computers import is_practice
from bot.matches.lookup import WHICH, pick
from bot.matches.takebacks import missing
from engine.phrase import say

if TYPE_CHECKING:
    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from engine.registry import AnyGame


def takeback_command(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command of a game."""

    @app_commands.describe(match=WHICH)
    async def takeback(interaction: discord.Interaction[Bot], match: int | None = None) -> None:
        async def work(answer: Reply) -> None:
            view = await pick(answer, game.slug, match)
            user = interaction.user.id
            if is_practice(view.match):
                await _undo(answer, interaction.client, view)
                return
            offer, now = await interaction.client.takebacks.offer(view.match.id, user)
            others = [discord.Object(p.user_id) for p in missing(offer, now) if p.user_id > 0]
            await answer.tell(
                takeback_view.message(offer, now),
                mentions=discord.AllowedMentions(everyone=False, roles=False, users=others),
            )

        await run(interaction, work, public=True)

    return app_commands.Command(
        name="takeback", description=say("Ask to take your last move back"), callback=takeback
    )


async def _undo(answer: Reply, client: Bot, view: MatchView) -> None:
    """Take the last decision back at once, where only computers could mind."""
    turn = await client.takebacks.undo(view.match.id, answer.interaction.user.id)
    words = say("Your last move in match #{number} is taken back.", number=view.match.id)
    try:
        await answer.tell(layouts.text(words), public=False)
    finally:
        client.table.deliver(answer, view.match.id, turn.after)

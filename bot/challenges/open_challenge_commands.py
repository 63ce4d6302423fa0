"""``seek`` and ``withdraw``: challenges to accept, and one's own to take back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord import app_commands

from bot.challenges import buttons as challenge_view
from bot.challenges import open_challenge_buttons
from bot.challenges import text as challenges_text
from bot.errors import ChallengeGone
from bot.interactions import layouts
from bot.interactions.commands import run
from engine import registry
from engine.phrase import lines, say

if TYPE_CHECKING:
    import discord
    from discord import ui

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from engine.registry import AnyGame


def seek_all() -> app_commands.Command[Any, Any, None]:
    """Return the command that lists the open challenges of all games."""
    return _seek("", say("Challenges in this server that you can accept, in all games"))


def seek(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command that lists the open challenges of one game."""
    told = say("Challenges to {game} in this server that you can accept", game=game.title)
    return _seek(game.slug, told)


def withdraw(game: AnyGame) -> app_commands.Command[Any, Any, None]:
    """Return the command that takes back one's own challenges of a game."""

    async def callback(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            client, user = interaction.client, interaction.user.id
            mine = await client.challenges.made_by(user, game=game.slug)
            if not mine:
                raise ChallengeGone(say("You have no open challenge to {title}.", title=game.title))
            if len(mine) == 1:
                closed = await client.challenges.withdraw(mine[0].id, user)
                try:
                    await answer.tell(await challenge_view.shown(client, closed))
                finally:
                    await client.expiry.show(closed)
                return
            bars = await client.admission.bars(mine)
            entries = [
                challenges_text.line(one, registry.game(one.game), number, bar=bars.get(one.id))
                for number, one in enumerate(mine, 1)
            ]
            buttons: list[ui.Item[Any]] = [
                challenge_view.ChallengeButton(
                    one.id, "withdraw", say("Withdraw {number}", number=number)
                )
                for number, one in enumerate(mine, 1)
            ]
            await answer.tell(layouts.text(lines([say("Which challenge?"), *entries]), *buttons))

        await run(interaction, work)

    return app_commands.Command(
        name="withdraw", description=say("Take a challenge of yours back"), callback=callback
    )


def _seek(game: str, description: str) -> app_commands.Command[Any, Any, None]:
    async def callback(interaction: discord.Interaction[Bot]) -> None:
        async def work(answer: Reply) -> None:
            await answer.tell(
                await open_challenge_buttons.page(interaction, interaction.client, game)
            )

        await run(interaction, work)

    return app_commands.Command(name="seek", description=description, callback=callback)

"""The list of challenges that somebody could accept, with a button for each, in pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.challenges import text as challenges_text
from bot.challenges.buttons import ChallengeButton
from bot.errors import NotHere
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.permissions import play
from engine import registry
from engine.phrase import glued, lines, plural, say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply

PER_PAGE = 5


class LobbyButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"k:seek:(?P<game>[a-z0-9_]*):(?P<page>\d+)",
):
    """Turns to a page of the list."""

    def __init__(self, game: str, page: int) -> None:
        """Address one page; ``game`` is empty for all games."""
        super().__init__(
            ui.Button(
                label=say("Page {number}", number=page + 1),
                style=discord.ButtonStyle.secondary,
                custom_id=f"k:seek:{game}:{page}",
            )
        )
        self.game, self.page = game, page

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> LobbyButton:
        """Rebuild a button from its address."""
        return cls(match["game"], int(match["page"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the page, as the list is now, in place of the one before."""
        await answer.replace(await page(answer.interaction, client, self.game, self.page))


async def page(
    interaction: discord.Interaction[Any], client: Bot, game: str, number: int = 0
) -> layouts.Message:
    """Return a page of the challenges that somebody could accept.

    Args:
        interaction: who is looking, and where.
        client: knows the challenges.
        game: one game; empty for all.
        number: of the page, from 0; the last one where there are fewer.

    Raises:
        NotHere: outside a server.

    """
    if interaction.guild_id is None:
        raise NotHere(say("Open challenges belong to a server: look for them in one."))
    user = interaction.user.id
    found = await client.lobby.open_to(
        user, interaction.guild_id, lambda one: play.sees(interaction, one), game=game or None
    )
    own = _own(len(await client.challenges.made_by(user, game=game or None)), game)
    if not found:
        return layouts.text(lines([_nothing(game), *own]))
    pages = -(-len(found) // PER_PAGE)
    number = min(number, pages - 1)
    first = number * PER_PAGE
    shown = list(enumerate(found[first : first + PER_PAGE], start=first + 1))
    bars = await client.admission.bars(one for _, one in shown)
    entries = [
        challenges_text.line(one, registry.game(one.game), place, bar=bars.get(one.id))
        for place, one in shown
    ]
    title = glued("### ", say("Who wants to play?"))
    buttons: list[ui.Item[Any]] = [
        ChallengeButton(one.id, "accept", say("Accept {number}", number=place))
        for place, one in shown
    ]
    turners = [LobbyButton(game, other) for other in (number - 1, number + 1) if 0 <= other < pages]
    return layouts.text(lines([title, *entries, *own]), *buttons, *turners)


def _nothing(game: str) -> str:
    if game:
        return say(
            "Nobody here is looking for an opponent in {title}. `/{game} challenge` without an "
            "opponent lets anyone accept.",
            title=registry.game(game).title,
            game=game,
        )
    return say(
        "Nobody here is looking for an opponent. The `challenge` command of a game without an "
        "opponent lets anyone accept."
    )


def _own(number: int, game: str) -> list[str]:
    """Return a reminder of one's own challenges, which are not in the list."""
    if not number:
        return []
    told = plural("One open challenge is your own.", "{n} open challenges are your own.", number)
    if game:
        told = plural(
            "One open challenge is your own: `/{game} withdraw` withdraws it.",
            "{n} open challenges are your own: `/{game} withdraw` withdraws them.",
            number,
            game=game,
        )
    return [glued("-# ", told)]

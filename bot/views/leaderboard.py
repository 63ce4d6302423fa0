"""``/leaderboard``: pages of ratings, for one server and for all, and an overview of all games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.delivery.lent import home_of
from bot.ratings import computers
from bot.ratings.book import EVERYWHERE
from bot.views import frame
from bot.views.press import Pressed
from bot.words import leaderboard as words
from bot.words import profile
from bot.words.refusals import NoSuchMatch
from bot.words.slash import slash
from engine import registry
from engine.phrase import glued, say

if TYPE_CHECKING:
    import re

    from bot.answer import Answer
    from bot.client import Bot

MINE: Final = "me"
"""The page where whoever presses stands."""
_MOST_GAMES: Final = 20


class RatingsButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"l:(?P<scope>here|all):(?P<game>[a-z0-9_]*):(?P<page>\d{1,6}|me)",
):
    """Turns to a page of the leaderboard of a game, or to the overview where it names none."""

    def __init__(
        self, game: str, page: int | str, label: str = "", *, everywhere: bool
    ) -> None:
        """Address one page."""
        scope = "all" if everywhere else "here"
        super().__init__(
            ui.Button(
                label=label or say("Page"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"l:{scope}:{game}:{page}",
            )
        )
        self.everywhere, self.game, self.page = everywhere, game, page

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> RatingsButton:
        """Rebuild a button from its address."""
        number = MINE if match["page"] == MINE else int(match["page"])
        return cls(match["game"], number, everywhere=match["scope"] == "all")

    async def press(self, answer: Answer, client: Bot) -> None:
        """Show the page in place of the one before."""
        if not self.game:
            shown, files = await overview(answer, client, everywhere=self.everywhere), []
        else:
            shown, files = await page(
                answer, client, self.game, self.page, everywhere=self.everywhere
            )
        await answer.replace(shown, files=files)


async def page(
    answer: Answer, client: Bot, slug: str, number: int | str = 0, *, everywhere: bool = False
) -> tuple[frame.Message, list[discord.File]]:
    """Return a page of the leaderboard of a game, and its picture.

    Args:
        answer: the answer to who asks, whose own place is shown.
        client: the bot.
        slug: the game.
        number: which page, counted from 0, or `MINE`.
        everywhere: whether all servers are taken together; outside of servers they always are.

    Raises:
        NoSuchMatch: the page of the reader is asked for, who has no rated match.

    """
    reader, home = answer.interaction.user.id, home_of(answer.interaction)
    everywhere = everywhere or home is None
    scope = EVERYWHERE if everywhere or home is None else home
    if number == MINE:
        number = await client.boards.page_of(scope, slug, reader)
        if number is None:
            raise NoSuchMatch(_unrated(slug))
    board = await client.boards.read(scope, slug, reader=reader, page=int(number))
    game = registry.game(slug)
    buttons = _turners(slug, board)
    ...


async def overview(answer: Answer, client: Bot, *, everywhere: bool = False) -> frame.Message:
    """Return the first players of each game.

    Args:
        answer: the answer to who asks, whose own places are shown.
        client: the bot.
        everywhere: whether all servers are taken together; outside of servers they always are.

    """

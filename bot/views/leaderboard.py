"""``/leaderboard``: pages of ratings, for one server and for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.ratings.book import EVERYWHERE
from bot.views import frame
from bot.views.press import Pressed
from bot.words import leaderboard as words
from bot.words.refusals import NoSuchMatch
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    import re

    from bot.answer import Answer
    from bot.client import Bot


class RatingsButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"l:(?P<scope>here|all):(?P<game>[a-z0-9_]+):(?P<page>\d{1,6})",
):
    """Turns to a page of the leaderboard of a game."""

    def __init__(self, game: str, page: int, label: str = "", *, everywhere: bool) -> None:
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
        return cls(match["game"], int(match["page"]), everywhere=match["scope"] == "all")

    async def press(self, answer: Answer, client: Bot) -> None:
        """Show the page in place of the one before."""
        shown = await page(
            client,
            answer.interaction.guild_id,
            answer.interaction.user.id,
            self.game,
            self.page,
            everywhere=self.everywhere,
        )
        await answer.replace(shown)


async def page(
    client: Bot,
    guild_id: int | None,
    user_id: int,
    slug: str,
    number: int = 0,
    *,
    everywhere: bool = False,
) -> frame.Message:
    """Return a page of the leaderboard of a game.

    Args:
        client: the bot.
        guild_id: where it is asked for.
        user_id: whose own place is shown.
        slug: the game.
        number: which page, counted from 0.
        everywhere: whether all servers are taken together.

    Raises:
        NoSuchMatch: the leaderboard of a server was asked for outside one.

    """
    if guild_id is None and not everywhere:
        raise NoSuchMatch(say("A leaderboard belongs to a server: ask for it in one."))
    scope = EVERYWHERE if everywhere or guild_id is None else guild_id
    board = await client.boards.read(scope, slug, reader=user_id, page=number)
    turners = []
    if number > 0:
        turners.append(_turner(slug, number - 1, everywhere=everywhere))
    if board.more:
        turners.append(_turner(slug, number + 1, everywhere=everywhere))
    return frame.text(words.board(board, registry.game(slug), user_id), *turners)


def _turner(slug: str, number: int, *, everywhere: bool) -> RatingsButton:
    label = say("Page {number}", number=number + 1)
    return RatingsButton(slug, number, label, everywhere=everywhere)

"""``/leaderboard``: pages of ratings, for one server and for all, and an overview of all games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import discord
from discord import ui

from bot.delivery.interaction_transport import home_of
from bot.errors import NoSuchMatch
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.leaderboards import chart_views, computers, profile_text
from bot.leaderboards import text as words
from bot.leaderboards.service import PER_PAGE
from bot.pictures.leaderboards import of_board
from data.rating import EVERYWHERE
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.leaderboards.service import LeaderboardPage

MINE: Final = "me"
"""The page where whoever presses stands."""
_MOST_GAMES: Final = 20


class RatingsButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"l:(?P<scope>here|all):(?P<game>[a-z0-9_]*):(?P<page>\d{1,6}|me)",
):
    """Turns to a page of the leaderboard of a game, or to the overview where it names none."""

    def __init__(self, game: str, page: int | str, label: str = "", *, everywhere: bool) -> None:
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

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the page in place of the one before."""
        if self.game:
            found = await page(answer, client, self.game, self.page, everywhere=self.everywhere)
        else:
            found = await overview(answer, client, everywhere=self.everywhere)
        shown, files = found
        await answer.replace(shown, files=files)


async def page(
    answer: Reply, client: Bot, slug: str, number: int | str = 0, *, everywhere: bool = False
) -> tuple[layouts.Message, list[discord.File]]:
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
        mine = await client.boards.page_of(scope, slug, reader)
        if mine is None:
            raise NoSuchMatch(words.unrated(registry.game(slug)))
        number = mine
    board = await client.boards.read(scope, slug, reader=reader, page=int(number))
    game = registry.game(slug)
    buttons = list(_turners(slug, board, reader))
    if home is not None:
        label = profile_text.scope(everywhere=not everywhere)
        buttons.append(RatingsButton(slug, 0, label, everywhere=not everywhere))
    buttons.append(RatingsButton("", 0, say("All games"), everywhere=everywhere))
    guild = None if everywhere else answer.interaction.guild
    people = [rating.user_id for rating in (*board.ranked, *board.unranked)]
    gone = await client.members.gone(guild, people)
    told = words.board(board, game, reader, gone=gone, computers=computers.of(slug))
    parts: list[ui.Item[Any]] = [ui.TextDisplay(words.heading(board, game))]
    files: list[discord.File] = []
    shown = of_board(board, reader)
    if shown is not None:
        pressed = answer.interaction.message
        public = pressed is None or not pressed.flags.ephemeral
        gallery, file = await chart_views.chart(answer, client, shown, public=public)
        parts.append(gallery)
        files.append(file)
    parts.append(ui.TextDisplay(told))
    return layouts.Message(*parts, *layouts.rows(buttons)), files


def _turners(slug: str, board: LeaderboardPage, reader: int) -> Iterator[RatingsButton]:
    number, everywhere = board.page, board.everywhere
    last = max(0, board.total - 1) // PER_PAGE
    if number > 1:
        yield RatingsButton(slug, 0, say("First page"), everywhere=everywhere)
    for other, wanted in ((number - 1, number > 0), (number + 1, board.more)):
        if wanted:
            label = say("Page {number}", number=other + 1)
            yield RatingsButton(slug, other, label, everywhere=everywhere)
    if last > number + 1:
        yield RatingsButton(slug, last, say("Last who are listed"), everywhere=everywhere)
    if board.own is not None and not words.shows(board, reader):
        yield RatingsButton(slug, MINE, say("My place"), everywhere=everywhere)


async def overview(
    answer: Reply, client: Bot, *, everywhere: bool = False
) -> tuple[layouts.Message, list[discord.File]]:
    """Return the first players of each game; without a picture.

    Args:
        answer: the answer to who asks, whose own places are shown.
        client: the bot.
        everywhere: whether all servers are taken together; outside of servers they always are.

    """
    reader, home = answer.interaction.user.id, home_of(answer.interaction)
    everywhere = everywhere or home is None
    scope = EVERYWHERE if everywhere or home is None else home
    boards = {
        game: await client.boards.read(scope, game.slug, reader=reader)
        for game in registry.games().values()
    }
    first = [one for board in boards.values() for one in board.ranked[: words.FIRST]]
    guild = None if everywhere else answer.interaction.guild
    gone = await client.members.gone(guild, [rating.user_id for rating in first])
    buttons = [
        RatingsButton(game.slug, 0, game.title, everywhere=everywhere)
        for game in list(boards)[:_MOST_GAMES]
    ]
    if home is not None:
        label = profile_text.scope(everywhere=not everywhere)
        buttons.append(RatingsButton("", 0, label, everywhere=not everywhere))
    return layouts.text(words.overview(boards, reader, gone=gone), *buttons), []

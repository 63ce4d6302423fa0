"""Longer answers in pages: the buttons that turn them, for rules and leaderboards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.views import frame
from bot.views.press import Pressed
from bot.words import notices
from bot.words.refusals import NoSuchMatch
from data import standings
from engine import registry
from engine.errors import BadOption
from engine.phrase import lines, say

if TYPE_CHECKING:
    import re

    from bot.answer import Answer
    from bot.client import Bot

PER_PAGE = 10


class PageButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"p:(?P<book>rules|board):(?P<game>[a-z0-9_]*):(?P<page>\d+)",
):
    """Turns to a page of a book: the rules of a game, or a leaderboard."""

    def __init__(self, book: str, game: str, page: int, label: str = "") -> None:
        """Address one page; ``game`` is empty for a leaderboard over all games."""
        super().__init__(
            ui.Button(
                label=label or say("Page"),
                style=discord.ButtonStyle.secondary,
                custom_id=f"p:{book}:{game}:{page}",
            )
        )
        self.book, self.game, self.page = book, game, page

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> PageButton:
        """Rebuild a button from its address."""
        return cls(match["book"], match["game"], int(match["page"]))

    async def press(self, answer: Answer, client: Bot) -> None:
        """Show the page in place of the one before."""
        if self.book == "rules":
            await answer.replace(rules(self.game, self.page))
            return
        guild = answer.interaction.guild_id
        user = answer.interaction.user.id
        await answer.replace(await leaderboard(client, guild, user, self.game, self.page))


def rules(slug: str, page: int = 0) -> frame.Message:
    """Return a page of the rules of a game."""
    pages = notices.rules_pages(registry.game(slug))
    page = min(page, len(pages) - 1)
    return frame.text(pages[page], *_turners("rules", slug, page, len(pages)))


async def leaderboard(
    client: Bot, guild_id: int | None, user_id: int, slug: str, page: int = 0
) -> frame.Message:
    """Return a page of the leaderboard of a server, with the reader's own place.

    Raises:
        NoSuchMatch: asked for outside a server.

    """
    if guild_id is None:
        raise NoSuchMatch(say("A leaderboard belongs to a server: ask for it in one."))
    game = slug or None
    title = (
        say("### Leaderboard · {game}", game=registry.game(slug).title)
        if slug
        else say("### Leaderboard · all games")
    )
    async with client.store.read() as tx:
        total = await standings.count(tx, guild_id, game)
        pages = max(1, -(-total // PER_PAGE))
        page = min(page, pages - 1)
        rows = await standings.page(tx, guild_id, game, limit=PER_PAGE, offset=page * PER_PAGE)
        own = await standings.of(tx, guild_id, user_id, game)
    if not rows:
        return frame.text(lines((title, say("Nobody has finished a match here yet."))))
    table = notices.standings(enumerate(rows, start=page * PER_PAGE + 1))
    told = [title, table]
    if own is not None and all(row.user_id != user_id for row in rows):
        # Translators: the reader's own line in the leaderboard.
        told.append(say("You: {standing}", standing=notices.standings([(own[1], own[0])])))
    return frame.text(lines(told), *_turners("board", slug, page, pages))


def known_game(slug: str) -> str:
    """Return a slug that names a game, or the empty text for all of them.

    Raises:
        BadOption: no game of that name.

    """
    if slug and slug not in registry.games():
        raise BadOption(
            say(
                "There is no game “{name}”. There are: {games}.",
                name=slug,
                games=", ".join(registry.games()),
            )
        )
    return slug


def _turners(book: str, game: str, page: int, pages: int) -> list[ui.Item[Any]]:
    turners: list[ui.Item[Any]] = []
    if page > 0:
        turners.append(PageButton(book, game, page - 1, say("Page {number}", number=page)))
    if page + 1 < pages:
        turners.append(PageButton(book, game, page + 1, say("Page {number}", number=page + 2)))
    return turners

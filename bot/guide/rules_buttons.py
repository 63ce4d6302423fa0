"""Longer answers in pages: the buttons that turn them, for rules; those of old leaderboards too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.leaderboards import buttons as leaderboards_buttons
from bot.matches import text as matches_text
from engine import registry
from engine.errors import BadOption
from engine.phrase import say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply


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

    async def press(self, answer: Reply, client: Bot) -> None:
        """Show the page in place of the one before."""
        if self.book == "rules":
            await answer.replace(rules(self.game, self.page))
            return
        # Boards of a time before ratings: what they were is shown by its successor.
        if self.game in registry.games():
            shown, files = await leaderboards_buttons.page(answer, client, self.game)
        else:
            shown, files = await leaderboards_buttons.overview(answer, client)
        await answer.replace(shown, files=files)


def rules(slug: str, page: int = 0) -> layouts.Message:
    """Return a page of the rules of a game."""
    pages = matches_text.rules_pages(registry.game(slug))
    page = min(page, len(pages) - 1)
    return layouts.text(pages[page], *_turners("rules", slug, page, len(pages)))


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

"""Pages of the help and of the rules, with the buttons that turn them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.guide import text
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, text_layout
from bot.interactions.pager import Page
from bot.matches.text import rules_pages
from engine import registry

if TYPE_CHECKING:
    from bot.interactions.reply import Reply


class HelpButton(Button, prefix="h"):
    """Turns to a page of the help."""

    topic: str

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the one before."""
        await reply.replace(help_page(self.topic))


class RulesButton(Button, prefix="rules"):
    """Turns to a page of the rules of a game."""

    game: str
    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page in place of the one before."""
        await reply.replace(rules_page(self.game, self.page))


def help_page(topic: str = text.START) -> Layout:
    """Return a page of the help; the first one for a topic that is no more."""
    topics = text.topics()
    shown = topic if topic in topics else text.START
    others = [HelpButton(name).component(title) for name, title in topics.items() if name != shown]
    return text_layout(text.page(shown), *others)


def rules_page(slug: str, wanted: int = 0) -> Layout:
    """Return a page of the rules of a game."""
    told = rules_pages(registry.game(slug))
    page = Page.of(wanted, total=len(told), size=1)
    return text_layout(told[page.number], *page.buttons(partial(RulesButton, slug)))

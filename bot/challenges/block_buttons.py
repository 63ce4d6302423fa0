"""A player's block list, with a button that unblocks each person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bot.challenges.blocks import Blocks
from bot.i18n.mentions import who
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, text_layout
from bot.interactions.numbers import Id
from bot.interactions.pager import Page
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.interactions.reply import Reply

PER_PAGE: Final = 10


class BlockedButton(Button, prefix="blocked"):
    """Turns to a page of the list."""

    page: int

    async def press(self, reply: Reply) -> None:
        """Show the page, as the list is now."""
        await reply.replace(layout(await reply.get(Blocks).of(reply.user_id), self.page))


class UnblockButton(Button, prefix="unblock"):
    """Unblocks a person."""

    person: Id

    async def press(self, reply: Reply) -> None:
        """Unblock the person, and show the list without them."""
        blocks = reply.get(Blocks)
        await blocks.remove(reply.user_id, self.person)
        await reply.replace(layout(await blocks.of(reply.user_id)))


def layout(blocked: Sequence[int], wanted: int = 0) -> Layout:
    """Return a page of the list."""
    if not blocked:
        return text_layout(
            say("You have blocked nobody. `/block` keeps somebody from challenging you.")
        )
    page = Page.of(wanted, total=len(blocked), size=PER_PAGE)
    shown = page.numbered(blocked)
    entries = [glued(f"{number}. ", who(person)) for number, person in shown]
    buttons = [
        UnblockButton(person).component(say("Unblock {number}", number=number))
        for number, person in shown
        if person > 0
    ]
    return text_layout(
        lines([say("You take no challenges from:"), *entries]),
        *buttons,
        *page.buttons(BlockedButton),
    )

"""The list of those whom a player has blocked, with a button that takes each back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.i18n.mentions import who
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply

PER_PAGE = 10


class BlockedButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"k:blocked:(?P<deed>page|free):(?P<number>\d+)",
):
    """Turns to a page of the list, or unblocks somebody."""

    def __init__(self, deed: str, number: int, label: str = "") -> None:
        """Address a page, or the person of that id."""
        super().__init__(
            ui.Button(
                label=label or say("Page {number}", number=number + 1),
                style=discord.ButtonStyle.secondary,
                custom_id=f"k:blocked:{deed}:{number}",
            )
        )
        self.deed, self.number = deed, number

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> BlockedButton:
        """Rebuild a button from its address."""
        return cls(match["deed"], int(match["number"]))

    async def press(self, answer: Reply, client: Bot) -> None:
        """Do it, and show the list as it is then."""
        page = self.number
        user = answer.interaction.user.id
        if self.deed == "free":
            await client.blocks.remove(user, self.number)
            page = 0
        await answer.replace(message(await client.blocks.of(user), page))


def message(blocked: tuple[int, ...], page: int = 0) -> layouts.Message:
    """Return a page of the list."""
    if not blocked:
        return layouts.text(
            say("You have blocked nobody. `/block` keeps somebody from challenging you.")
        )
    pages = -(-len(blocked) // PER_PAGE)
    page = min(page, pages - 1)
    first = page * PER_PAGE
    shown = list(enumerate(blocked[first : first + PER_PAGE], start=first + 1))
    title = say("You take no challenges from:")
    entries = [glued(f"{number}. ", who(person)) for number, person in shown]
    buttons = [
        BlockedButton("free", person, say("Unblock {number}", number=number))
        for number, person in shown
        if person > 0
    ]
    turners = [BlockedButton("page", other) for other in (page - 1, page + 1) if 0 <= other < pages]
    return layouts.text(lines([title, *entries]), *buttons, *turners)

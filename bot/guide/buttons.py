"""``/help``: one page at a time, and a button for each of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.guide import text as guide_text
from bot.interactions import layouts
from bot.interactions.buttons import Pressed

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply


class HelpButton(Pressed, ui.DynamicItem[ui.Button[Any]], template=r"h:(?P<topic>[a-z]+)"):
    """Turns to a page of the help."""

    def __init__(self, topic: str, label: str = "?") -> None:
        """Address one page."""
        super().__init__(
            ui.Button(label=label, style=discord.ButtonStyle.secondary, custom_id=f"h:{topic}")
        )
        self.topic = topic

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> HelpButton:
        """Rebuild a button from its address."""
        return cls(match["topic"])

    async def press(self, answer: Reply, client: Bot) -> None:  # noqa: ARG002 -- as for all
        """Show the page in place of the one before."""
        await answer.replace(message(self.topic))


def message(topic: str = guide_text.START) -> layouts.Message:
    """Return a page of the help."""
    others = [
        HelpButton(name, title) for name, title in guide_text.topics().items() if name != topic
    ]
    return layouts.text(guide_text.page(topic), *others)

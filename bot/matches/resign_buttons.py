"""The question before a match is given up, seen only by the player who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from engine.phrase import say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply


class ResignButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=r"r:(?P<match>\d+):(?P<reply>yes|no)",
):
    """Gives a match up, or does not."""

    def __init__(self, match_id: int, reply: str) -> None:
        """Address one reply to the question about one match."""
        sure = reply == "yes"
        super().__init__(
            ui.Button(
                label=say("Resign") if sure else say("Keep playing"),
                style=discord.ButtonStyle.danger if sure else discord.ButtonStyle.secondary,
                custom_id=f"r:{match_id}:{reply}",
            )
        )
        self.match_id, self.sure = match_id, sure

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> ResignButton:
        """Rebuild a button from its address."""
        return cls(int(match["match"]), match["reply"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Give the match up, or put the question away."""
        if self.sure:
            await client.table.resign(answer, self.match_id)
        else:
            words = say("Match #{number} goes on.", number=self.match_id)
            await answer.replace(layouts.text(words))


def question(match_id: int, words: str) -> layouts.Message:
    """Return the question whether to give a match up."""
    return layouts.text(words, ResignButton(match_id, "yes"), ResignButton(match_id, "no"))

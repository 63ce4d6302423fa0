"""The question before a resignation, seen only by the player who asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bot.interactions.controls import Button
from bot.interactions.layout import Layout, text_layout
from bot.matches.board_views import Table
from engine.phrase import say

if TYPE_CHECKING:
    from bot.interactions.reply import Reply


class ResignButton(Button, prefix="r"):
    """Resigns, or goes on playing."""

    match_id: int
    answer: Literal["yes", "no"]

    async def press(self, reply: Reply) -> None:
        """Resign the match, or put the question away."""
        if self.answer == "yes":
            await reply.get(Table).resign(reply, self.match_id)
        else:
            await reply.replace(text_layout(say("Match #{number} goes on.", number=self.match_id)))


def question(match_id: int, words: str) -> Layout:
    """Return the question whether to resign a match."""
    return text_layout(
        words,
        ResignButton(match_id, "yes").component(say("Resign"), style="danger"),
        ResignButton(match_id, "no").component(say("Keep playing")),
    )

"""The button behind *More* that gives a hint in practice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.interactions.controls import Button
from bot.matches.board_actions import behind_more
from bot.matches.lookup import visible
from bot.matches.turns import waits_for
from bot.practice import hint_views
from engine.phrase import say

if TYPE_CHECKING:
    from bot.interactions.components import Component
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView


class HintButton(Button, prefix="hint"):
    """Shows the best move of a practice match."""

    match_id: int

    async def press(self, reply: Reply) -> None:
        """Show it, to this player alone."""
        await hint_views.show(reply, await visible(reply, self.match_id))


@behind_more(order=10)
def hint_button(view: MatchView, user_id: int) -> Component | None:
    """Return the button if it is this player's turn in practice."""
    if not view.practice or not waits_for(view, user_id):
        return None
    return HintButton(view.match.id).component(say("Hint"))

"""The button behind *More* that gives a hint in practice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.interactions.controls import Button
from bot.features.practice import hint_views
from bot.play.boards.board_actions import behind_more
from bot.play.controls.lookup import visible
from bot.play.matches.turns import waits_for
from engine.phrase import say

if TYPE_CHECKING:
    from bot.core.interactions.components import Component
    from bot.core.interactions.reply import Reply
    from bot.play.matches.positions import MatchView


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

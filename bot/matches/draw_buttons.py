"""A draw by agreement: the offer, which anyone sees, and the opponent's answer.

An offer is its message: it names the turn it was made at and lapses when that turn is over, so
there is nothing to store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bot.errors import NotForYou
from bot.i18n.mentions import who
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, text_layout
from bot.matches.service import Matches
from engine.phrase import lines, say

if TYPE_CHECKING:
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView


class DrawButton(Button, prefix="d"):
    """Accepts or declines the draw that a player offered at a turn."""

    match_id: int
    ply: int
    offered_by: int
    answer: Literal["yes", "no"]

    async def press(self, reply: Reply) -> None:
        """End the match as a draw, or put the offer away."""
        matches, by = reply.get(Matches), who(self.offered_by)
        if self.answer == "no":
            view = await matches.view(self.match_id)
            if view.player_of(reply.user_id) is None:
                raise NotForYou(say("This offer is for the opponent of {player}.", player=by))
            await reply.replace(text_layout(self._off(reply.user_id)))
            return
        await matches.agree(self.match_id, reply.user_id, self.offered_by, self.ply)
        words = say(
            "{player} accepted the draw that {other} offered in match #{number}.",
            player=who(reply.user_id),
            other=by,
            number=self.match_id,
        )
        await reply.replace(text_layout(words))

    def _off(self, user_id: int) -> str:
        if user_id == self.offered_by:
            return say(
                "{player} withdrew the offer of a draw in match #{number}. Play goes on.",
                player=who(user_id),
                number=self.match_id,
            )
        return say(
            "{player} declined a draw in match #{number}. Play goes on.",
            player=who(user_id),
            number=self.match_id,
        )


def offer(view: MatchView, user_id: int) -> Layout:
    """Return the offer of a draw at the present turn, calling all other players."""
    others = [who(p.user_id) for p in view.match.players if p.user_id != user_id]
    words = say(
        "{others}, {player} offers you a draw in match #{number} (rule {rule}). "
        "The offer stands until the next move.",
        others=lines(others, " "),
        player=who(user_id),
        number=view.match.id,
        rule=view.game.agreed_draw,
    )
    number, turn = view.match.id, view.version
    return text_layout(
        words,
        DrawButton(number, turn, user_id, "no").component(say("Play on")),
        DrawButton(number, turn, user_id, "yes").component(say("Agree to a draw"), style="danger"),
    )

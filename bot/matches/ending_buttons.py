"""The question before a resignation, and the offer of a draw with the opponent's answer.

An offer is its message: it names the turn it was made at and lapses when that turn is over, so
there is nothing to store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from bot.delivery.notices import Notice, announces
from bot.errors import NotForYou
from bot.i18n.mentions import all_of, who
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, text_layout
from bot.interactions.numbers import Id
from bot.matches import results
from bot.matches.service import Matches
from bot.matches.stand_ins import LEVEL, playing
from engine.game import Seat
from engine.phrase import lines, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView


class ResignButton(Button, prefix="r"):
    """Resigns, or goes on playing."""

    match_id: int
    answer: Literal["yes", "no"]

    async def press(self, reply: Reply) -> None:
        """Resign the match, or put the question away."""
        told = say("Match #{number} goes on.", number=self.match_id)
        if self.answer == "yes":
            view = await reply.get(Matches).resign(self.match_id, reply.user_id)
            told = say("You resigned match #{number}.", number=self.match_id)
            told = lines([told, results.result(view) or say("A computer plays on for you.")], " ")
        await reply.replace(text_layout(told))


class DrawButton(Button, prefix="d"):
    """Accepts or declines the draw that a player offered at a turn."""

    match_id: int
    ply: int
    offered_by: Id
    answer: Literal["yes", "no"]

    async def press(self, reply: Reply) -> None:
        """End the match as a draw, or put the offer away."""
        matches, user = reply.get(Matches), reply.user_id
        player, by, number = who(user), who(self.offered_by), self.match_id
        if self.answer == "yes":
            await matches.agree(number, user, self.offered_by, self.ply)
            told = say(
                "{player} accepted the draw that {other} offered in match #{number}.",
                player=player,
                other=by,
                number=number,
            )
        elif (await matches.view(number)).player_of(user) is None:
            raise NotForYou(say("This offer is for the opponent of {player}.", player=by))
        elif user == self.offered_by:
            told = say(
                "{player} withdrew the offer of a draw in match #{number}. Play goes on.",
                player=player,
                number=number,
            )
        else:
            told = say(
                "{player} declined a draw in match #{number}. Play goes on.",
                player=player,
                number=number,
            )
        await reply.replace(text_layout(told))


@announces("gave-up")
def _gave_up(view: MatchView, payload: Mapping[str, Any]) -> Notice:
    player = view.player_at(Seat(payload["seat"]))
    facts = {"player": who(player.user_id), "match": f"#{view.match.id}"}
    if player.gave_up_how == "resigned":
        said = say("**{player} resigned** match {match}.", **facts)
    elif player.gave_up_how == "forfeited":
        said = say("**{player} ran out of time** in match {match}.", **facts)
    else:
        said = say("**{player} left** match {match}.", **facts)
    goes_on = say(
        "A computer (level {level}) takes over **{seat}**. {others} play on for their places.",
        level=LEVEL,
        seat=view.seat_names[player.seat],
        others=all_of(one.user_id for one in playing(view.match)),
    )
    return Notice(text_layout(lines([said, goes_on])))


def resignation(match_id: int, words: str) -> Layout:
    """Return the question whether to resign a match."""
    return text_layout(
        words,
        ResignButton(match_id, "yes").component(say("Resign"), style="danger"),
        ResignButton(match_id, "no").component(say("Keep playing")),
    )


def draw_offer(view: MatchView, user_id: int) -> Layout:
    """Return the offer of a draw at the present turn, calling all other players."""
    others = [who(p.user_id) for p in playing(view.match) if p.user_id != user_id]
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

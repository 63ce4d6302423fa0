"""The question before a resignation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from bot.delivery.notices import Notice, announces
from bot.i18n.mentions import all_of, who
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, text_layout
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
    answer: Literal["yes", "void", "no"]
    """``void`` resigns only while nothing is counted for it."""

    async def press(self, reply: Reply) -> None:
        """Resign the match, or put the question away."""
        told = say("Match #{number} goes on.", number=self.match_id)
        if self.answer != "no":
            void = self.answer == "void"
            view = await reply.get(Matches).resign(self.match_id, reply.user_id, promised_void=void)
            told = say("You resigned match #{number}.", number=self.match_id)
            told = lines([told, results.result(view) or say("A computer plays on for you.")], " ")
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


def resignation(match_id: int, words: str, *, void: bool) -> Layout:
    """Return the question whether to resign a match, for nothing where it is void."""
    return text_layout(
        words,
        ResignButton(match_id, "void" if void else "yes").component(say("Resign"), style="danger"),
        ResignButton(match_id, "no").component(say("Keep playing")),
    )

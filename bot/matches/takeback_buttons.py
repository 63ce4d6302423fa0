"""A decision taken back by consent: the offer, which anyone sees, and the answers to it.

It is a message of its own, away from every board. The harmless answer comes first, and neither of
them looks like the button that plays a move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from bot.i18n.mentions import all_of, who
from bot.interactions.controls import Button
from bot.interactions.layout import Layout, text_layout
from bot.interactions.numbers import Id
from bot.matches import story
from bot.matches.takebacks import Offer, Takebacks, missing
from engine.phrase import lines, say

if TYPE_CHECKING:
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from engine.phrase import Phrase


class TakebackButton(Button, prefix="u"):
    """Agrees to take a decision back, or does not."""

    match_id: int
    version: int
    """That of the match at the time of the offer."""
    asked_by: Id
    agreed: str
    """The seats that have agreed, a digit each."""
    answer: Literal["yes", "no"]

    async def press(self, reply: Reply) -> None:
        """Take the decision back with the last one to agree, or put the offer away."""
        offer = Offer(self.match_id, self.version, self.asked_by, self.agreed)
        takebacks, user = reply.get(Takebacks), reply.user_id
        if self.answer == "no":
            await takebacks.refuse(offer, user)
            await reply.replace(text_layout(self._refused(user)))
            return
        offer, view = await takebacks.agree(offer, user)
        if missing(offer, view):
            await reply.replace(message(offer, view))
            return
        facts = {"asker": who(offer.user_id), "number": self.match_id}
        words = (
            say(
                "{player} agreed: {asker} takes the last move of match #{number} back.",
                player=who(user),
                **facts,
            )
            if len(view.match.players) == 2
            else say(
                "All have agreed: {asker} takes the last move of match #{number} back.", **facts
            )
        )
        await reply.replace(text_layout(words))

    def _refused(self, user: int) -> Phrase:
        number = self.match_id
        if user == self.asked_by:
            return say(
                "{player} no longer asks to take a move back in match #{number}. Play goes on.",
                player=who(user),
                number=number,
            )
        return say(
            "{player} would rather not have the move taken back in match #{number}. Play goes on.",
            player=who(user),
            number=number,
        )


def message(offer: Offer, view: MatchView) -> Layout:
    """Return an offer that pings the players who have not agreed yet."""
    left = missing(offer, view)
    words = [
        say(
            "{others}, {asker} asks to take the last move of match #{number} back:",
            others=all_of(player.user_id for player in left),
            asker=who(offer.user_id),
            number=offer.match_id,
        ),
        story.tell(view, view.tail[-1]),
    ]
    if offer.agreed:
        agreed = [p.user_id for p in view.match.players if str(p.seat) in offer.agreed]
        words.append(say("Agreed so far: {players}.", players=all_of(agreed)))
    words.append(say("-# The offer stands until the next move."))
    return text_layout(
        lines(words),
        TakebackButton(*offer, "no").component(say("Play on")),
        TakebackButton(*offer, "yes").component(say("Agree to take it back"), style="success"),
    )

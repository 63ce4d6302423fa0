"""A decision taken back by consent: the offer, which anyone sees, and the answers to it.

It is a message of its own, away from every board. The harmless answer comes first, and neither of
them looks like the button that plays a move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import ui

from bot.i18n.mentions import all_of, who
from bot.interactions import layouts
from bot.interactions.buttons import Pressed
from bot.matches import story
from bot.matches.takebacks import Offer, missing
from engine.phrase import lines, say

if TYPE_CHECKING:
    import re

    from bot.client import Bot
    from bot.interactions.reply import Reply
    from bot.matches.positions import MatchView
    from engine.phrase import Phrase


class TakebackButton(
    Pressed,
    ui.DynamicItem[ui.Button[Any]],
    template=(
        r"u:(?P<match>\d+):(?P<version>\d+):(?P<user>-?\d+):(?P<agreed>\d*):(?P<reply>yes|no)"
    ),
):
    """Agrees to take a decision back, or does not.

    The address names the match, its version at the time, who asks, and the seats that agreed.
    """

    def __init__(self, offer: Offer, reply: str) -> None:
        """Address one reply to one offer."""
        yes = reply == "yes"
        agreed = "".join(str(seat) for seat in sorted(offer.agreed))
        super().__init__(
            ui.Button(
                label=say("Agree to take it back") if yes else say("Play on"),
                style=discord.ButtonStyle.success if yes else discord.ButtonStyle.secondary,
                custom_id=f"u:{offer.match_id}:{offer.version}:{offer.user_id}:{agreed}:{reply}",
            )
        )
        self.offer, self.yes = offer, yes

    @classmethod
    async def from_custom_id(
        cls, _: discord.Interaction[Any], __: ui.Item[Any], match: re.Match[str]
    ) -> TakebackButton:
        """Rebuild a button from its address."""
        agreed = frozenset(int(seat) for seat in match["agreed"])
        made = Offer(int(match["match"]), int(match["version"]), int(match["user"]), agreed)
        return cls(made, match["reply"])

    async def press(self, answer: Reply, client: Bot) -> None:
        """Take the decision back with the last one to agree, or put the offer away."""
        user, number = answer.interaction.user.id, self.offer.match_id
        if not self.yes:
            await client.takebacks.refuse(self.offer, user)
            await answer.replace(layouts.text(self._refused(user)))
            return
        now, view, turn = await client.takebacks.agree(self.offer, user)
        if turn is None:
            await answer.replace(message(now, view))
            return
        asker = who(now.user_id)
        if len(view.match.players) == 2:
            words = say(
                "{player} agreed: {asker} takes the last move of match #{number} back.",
                player=who(user),
                asker=asker,
                number=number,
            )
        else:
            words = say(
                "All have agreed: {asker} takes the last move of match #{number} back.",
                asker=asker,
                number=number,
            )
        try:
            await answer.replace(layouts.text(words))
        finally:
            client.table.deliver(answer, number, turn.after)

    def _refused(self, user: int) -> Phrase:
        number = self.offer.match_id
        if user == self.offer.user_id:
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


def message(offer: Offer, view: MatchView) -> layouts.Message:
    """Return an offer, calling those who have still to agree."""
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
    if len(left) + 1 < len(view.match.players):
        agreed = [p.user_id for p in view.match.players if p.seat in offer.agreed]
        words.append(say("Agreed so far: {players}.", players=all_of(agreed)))
    words.append(say("-# The offer stands until the next move."))
    buttons = [TakebackButton(offer, reply) for reply in ("no", "yes")]
    return layouts.text(lines(words), *buttons)

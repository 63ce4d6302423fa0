"""Begins a match against computers, for a command or a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges.buttons import ChallengeMessages
from bot.challenges.text import link
from bot.delivery.interaction_transport import place_of
from bot.interactions.layout import text_layout
from bot.matches.board_views import Table
from bot.matches.computers import is_computer
from bot.matches.service import Matches
from bot.practice.opponents import Opponents
from bot.practice.service import Practice
from engine.phrase import say

if TYPE_CHECKING:
    from bot.challenges.invitations import Invitation
    from bot.interactions.reply import Reply


async def begin(reply: Reply, asked: Invitation) -> None:
    """Begin a match against computers and announce it in its channel.

    Raises:
        Refusal: it cannot be begun.

    """
    messages = reply.get(ChallengeMessages)
    challenge = await reply.get(Practice).begin(asked, place=place_of(reply.interaction))
    assert challenge.match_id is not None
    try:
        if asked.channel_id == reply.channel_id:
            await messages.post(reply, challenge, public=True)
        else:
            posted = await messages.post_in_channel(challenge)
            words = say(
                "Match #{number} begins here: {where}",
                number=challenge.match_id,
                where=link(posted),
            )
            await reply.tell(text_layout(words), public=False)
    finally:
        view = await reply.get(Matches).view(challenge.match_id)
        if view.to_move is not None and is_computer(view.to_move.user_id):
            reply.get(Opponents).wake(view.match.id)
        reply.get(Table).deliver(reply, challenge.match_id, view)

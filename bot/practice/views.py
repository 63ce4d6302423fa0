"""Begins a match against computers, for a command or a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges.buttons import ChallengeMessages
from bot.challenges.text import link
from bot.delivery.interaction_transport import place_of
from bot.interactions.layout import text_layout
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

"""What the controls of ladders share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.core.errors import Refusal
from bot.core.interactions.layout import Layout, text_layout
from bot.core.permissions.visibility import sees_or_deleted
from bot.features.ladder import challenge_text
from bot.features.ladder.service import Ladders
from engine.phrase import say

if TYPE_CHECKING:
    from bot.core.interactions.reply import Reply
    from bot.features.ladder.view import LadderView
    from data.ladders.ladder_challenges import LadderChallenge


async def visible(reply: Reply, number: int) -> LadderView:
    """Return a ladder of this server that the user may see.

    Raises:
        Refusal: there is no such ladder.

    """
    view = await reply.get(Ladders).get(number, reply.guild_id)
    if not sees_or_deleted(reply, view.ladder.channel_id):
        raise Refusal(say("There's no such ladder on this server."))
    return view


async def state_of(reply: Reply, challenge: LadderChallenge) -> Layout:
    """Return a challenge's new state, for the player who has just acted on it."""
    view = await reply.get(Ladders).get(challenge.ladder_id, reply.guild_id)
    return text_layout(challenge_text.challenge(view, challenge, None))


async def show_privately(reply: Reply, layout: Layout) -> None:
    """Replace a private message, or reply to a post in private."""
    if reply.pressed_is_private:
        await reply.replace(layout)
    else:
        await reply.send(layout, public=False)

"""Beginning a match against computers, from a command or a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.challenges import buttons as challenge_view
from bot.challenges import limits
from bot.delivery.interaction_transport import LENT, lent
from bot.interactions import layouts
from bot.matches.computers import is_computer
from engine.phrase import say

if TYPE_CHECKING:
    from bot.challenges.invitations import Invitation
    from bot.client import Bot
    from bot.interactions.reply import Reply


async def begin(answer: Reply, client: Bot, asked: Invitation) -> None:
    """Begin a match against computers and say so to everybody in its channel.

    Raises:
        Refusal: it cannot be begun.

    """
    place = LENT if lent(answer.interaction) else None
    challenge = await client.beginning.begin(client.challenges, asked, place=place)
    assert challenge.match_id is not None
    try:
        if asked.channel_id == answer.interaction.channel_id:
            message = await challenge_view.shown(client, challenge)
            sent = await answer.tell(message, public=True)
            if sent is not None:
                await client.challenges.shown(challenge.id, sent)
        else:
            shown = await challenge_view.post_there(client, challenge)
            words = say(
                "Match #{number} begins here: {where}",
                number=challenge.match_id,
                where=limits.where(shown),
            )
            await answer.tell(layouts.text(words), public=False)
    finally:
        view = await client.matches.view(challenge.match_id)
        if view.to_move is not None and is_computer(view.to_move.user_id):
            client.opponents.wake(view.match.id)
        client.table.deliver(answer, challenge.match_id, view)

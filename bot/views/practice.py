"""Beginning a match against computers, from a command or a button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.delivery.lent import LENT, lent
from bot.views import challenge as challenge_view

if TYPE_CHECKING:
    from bot.answer import Answer
    from bot.client import Bot
    from bot.meet.invitations import Invitation


async def begin(answer: Answer, client: Bot, asked: Invitation) -> None:
    """Begin a match against computers and say so to everybody.

    Raises:
        Refusal: it cannot be begun.

    """
    place = LENT if lent(answer.interaction) else None
    challenge = await client.beginning.begin(client.challenges, asked, place=place)
    assert challenge.match_id is not None
    try:
        message = await challenge_view.shown(client, challenge)
        sent = await answer.tell(message, public=True)
        if sent is not None and asked.channel_id == answer.interaction.channel_id:
            await client.challenges.shown(challenge.id, sent)
    finally:
        view = await client.matches.view(challenge.match_id)
        client.opponents.notice(view)
        client.table.deliver(answer, challenge.match_id, view)

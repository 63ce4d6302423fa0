"""Closes the messages of offers: draws, takebacks and the like that are no longer open."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import discord
import structlog

from bot.delivery.requests import refused
from bot.interactions.layout import text_layout
from bot.matches import offer_text
from data.boards import PostedMessage

if TYPE_CHECKING:
    from bot.delivery.reach import Reach
    from bot.delivery.stored_messages import Done
    from data.offers import Offer

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def close(reach: Reach, offer: Offer, done: Done) -> None:
    """Say on the message of an offer what became of it; a press on it does that by itself."""
    assert offer.message_id is not None
    assert offer.channel_id is not None
    if offer.message_id in {one.message_id for one in reach.offers}:
        return
    earlier = reach.reaching(offer.message_id)
    if reach.editable or earlier is not None:
        posted = PostedMessage(offer.message_id, offer.channel_id, offer.match_id, 0, live=False)
        words = text_layout(offer_text.closed(offer, reach.view))
        send = reach.transport.edit if earlier is None else earlier.edit_reached
        edit = partial(send, posted, words, reach.locale)
        try:
            await reach.requests.edit(offer.message_id, ("offer", offer.id), edit)
        except discord.HTTPException as error:
            if not refused(error):
                raise
            log.info("an offer cannot be edited", message=offer.message_id, code=error.code)
    done.taken_down.append(offer)

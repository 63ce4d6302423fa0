"""The transaction for changes to a ladder."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bot.core.errors import Refusal
from bot.features.ladder.view import fresh_view
from data.ladders import ladders
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from bot.core.scheduling.wall_clock import WallClock
    from bot.features.ladder.view import LadderView
    from data.store.store import Store, Transaction


@asynccontextmanager
async def changing(
    store: Store, clock: WallClock, ladder_id: int, guild_id: int | None
) -> AsyncIterator[tuple[Transaction, LadderView, datetime]]:
    """Open a transaction to change an open ladder of a server.

    Raises:
        Refusal: there is no such ladder, or it is closed.

    """
    async with store.write() as tx:
        locked = await ladders.lock(tx, ladder_id)
        if locked is None or locked.guild_id != guild_id:
            raise Refusal(say("There's no such ladder on this server."))
        if locked.closed_at is not None:
            raise Refusal(say("This ladder is closed."))
        yield tx, await fresh_view(tx, ladder_id), clock()

"""Hourly limits on expensive actions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.errors import TooMany
from bot.core.i18n.mentions import timestamp
from bot.core.shards.ownership import Shards
from data.people import limits
from data.store.store import Store, Transaction
from engine.phrase import say

MAX_IMPORTS: Final = 20
"""Maximum records a player may import per hour, rejected ones included."""
MAX_COPIES: Final = 10
"""Maximum copies of their own data a user may ask for per hour."""


async def take(store: Store, user_id: int, action: str, now: datetime, limit: int) -> None:
    """Count one use; raise TooMany if the hourly limit is reached."""
    async with store.write() as tx:
        again = await limits.take(tx, user_id, action, now, limit)
    if again is not None:
        raise TooMany(
            say(
                "You've reached the limit of {number} an hour. You can do this again {when}.",
                number=limit,
                when=timestamp(again, "R"),
            )
        )


_EVERY: Final = timedelta(seconds=10)


@dataclass(eq=False, repr=False)
class ExpiredLimits:
    """A source of the scheduler: expired uses of limits."""

    store: Store
    shards: Shards

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next use expires."""
        if not self.shards.owns(None):
            return None
        ends = (await limits.first_hour_end(tx), await limits.first_end(tx))
        return min((end for end in ends if end is not None), default=None)

    async def due(self, now: datetime, /) -> timedelta:
        """Delete everything expired."""
        async with self.store.write() as tx:
            await limits.forget_hours(tx, now)
            await limits.forget(tx, now)
        return _EVERY

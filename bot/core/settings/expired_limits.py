"""Deletes expired uses of limits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.shards.ownership import Shards
from data.people import hourly_uses, spent_limits
from data.store.store import Store, Transaction

_EVERY: Final = timedelta(seconds=10)


@dataclass(eq=False, repr=False)
class ExpiredLimits:
    """A source of the scheduler: expired uses of limits."""

    store: Store
    shards: Shards

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next use expires."""
        if not self.shards.has_direct_messages:
            return None
        ends = (await hourly_uses.first_end(tx), await spent_limits.first_end(tx))
        return min((end for end in ends if end is not None), default=None)

    async def due(self, now: datetime, /) -> timedelta:
        """Delete everything expired."""
        async with self.store.write() as tx:
            await hourly_uses.forget(tx, now)
            await spent_limits.forget(tx, now)
        return _EVERY

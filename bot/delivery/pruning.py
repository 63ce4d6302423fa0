"""Deletes jobs of the outbox that were done long ago, some at a time, while the bot runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from data import outbox

if TYPE_CHECKING:
    from datetime import datetime

    from bot.shards.ownership import Shards
    from data.store import Store, Transaction

KEPT: Final = timedelta(days=30)
"""How long jobs that are done are kept, to look into what happened."""
BATCH: Final = 500
"""How many one transaction deletes: what players do waits for no more."""
_EVERY: Final = timedelta(hours=1)


class Pruning:
    """A source of the scheduler: jobs that were done long ago."""

    def __init__(self, store: Store, shards: Shards) -> None:
        """Prune the outbox of a store, in one of all processes."""
        self._store = store
        self._shards = shards
        self._not_before: datetime | None = None

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the oldest job is to go, but not more often than once an hour."""
        if not self._shards.has_direct_messages:
            return None
        oldest = await outbox.oldest_done(tx)
        if oldest is None:
            return None
        return max(oldest + KEPT, self._not_before or oldest)

    async def due(self, now: datetime, /) -> None:
        """Delete what was done long ago."""
        deleted = BATCH
        while deleted == BATCH:
            async with self._store.write() as tx:
                deleted = await outbox.prune(tx, now - KEPT, most=BATCH)
        self._not_before = now + _EVERY

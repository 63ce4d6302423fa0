"""Deletes outbox jobs finished long ago, in batches, while the bot runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.shards.ownership import Shards
from data.matches import outbox
from data.store.store import Store, Transaction

KEPT: Final = timedelta(days=30)
"""How long finished jobs are kept, for troubleshooting."""
BATCH: Final = 500
"""Maximum jobs deleted per transaction, so that players never wait for more."""
_EVERY: Final = timedelta(hours=1)


@dataclass(eq=False, repr=False)
class Pruning:
    """A source of the scheduler: outbox jobs finished long ago."""

    store: Store
    shards: Shards

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the oldest job expires."""
        if not self.shards.has_direct_messages:
            return None
        oldest = await outbox.oldest_done(tx)
        return None if oldest is None else oldest + KEPT

    async def due(self, now: datetime, /) -> timedelta:
        """Delete jobs finished long ago."""
        deleted = BATCH
        while deleted == BATCH:
            async with self.store.write() as tx:
                deleted = await outbox.prune(tx, now - KEPT, limit=BATCH)
        return _EVERY

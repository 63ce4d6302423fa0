"""Deletes outbox jobs finished long ago, in batches, while the bot runs."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from data.matches import outbox

if TYPE_CHECKING:
    from datetime import datetime

    from bot.core.shards.ownership import Shards
    from data.store.store import Store, Transaction

KEPT: Final = timedelta(days=30)
"""How long finished jobs are kept, for troubleshooting."""
BATCH: Final = 500
"""Maximum jobs deleted per transaction, so that players never wait for more."""
_EVERY: Final = timedelta(hours=1)


class Pruning:
    """A source of the scheduler: outbox jobs finished long ago."""

    def __init__(self, store: Store, shards: Shards) -> None:
        """Prune the outbox of a store, in one process only."""
        self._store = store
        self._shards = shards

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the oldest job expires."""
        if not self._shards.has_direct_messages:
            return None
        oldest = await outbox.oldest_done(tx)
        return None if oldest is None else oldest + KEPT

    async def due(self, now: datetime, /) -> timedelta:
        """Delete jobs finished long ago."""
        deleted = BATCH
        while deleted == BATCH:
            async with self._store.write() as tx:
                deleted = await outbox.prune(tx, now - KEPT, limit=BATCH)
        return _EVERY

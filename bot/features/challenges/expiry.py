"""Closes expired challenges."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from bot.core.shards.ownership import Shards
from data.challenges import challenges, open_challenges
from data.challenges.challenge import NotOpen, State
from data.store.store import Store, Transaction


@dataclass(eq=False, repr=False)
class Expiry:
    """A source of the scheduler: expired challenges."""

    store: Store
    shards: Shards

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when something is next due, ``None`` for never."""
        return await open_challenges.next_end(tx, scope=self.shards.scope)

    async def due(self, now: datetime, /) -> None:
        """Do everything that is due. Idempotent."""
        async with self.store.read() as tx:
            expired = await open_challenges.expired(tx, now, scope=self.shards.scope)
        if not expired:
            return
        async with self.store.write() as tx:
            for one in expired:
                with suppress(NotOpen):  # a press was faster
                    closed = await challenges.close(tx, one.id, State.EXPIRED, now)
                    await challenges.show(tx, closed, now)

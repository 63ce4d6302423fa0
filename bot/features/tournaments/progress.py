"""Advances tournaments when a step is due.

A change to a tournament or the end of a match wakes it. Due steps are found in the store, so a
missed wake-up loses nothing.
"""

from __future__ import annotations

from datetime import datetime

from bot.core.background import Background
from bot.core.scheduling.wall_clock import WallClock
from bot.core.shards.ownership import Shards
from bot.features.tournaments.steps import Steps
from data.matches.matches import ENDED
from data.sql.errors import StoreError
from data.store.store import Store, Transaction
from data.tournaments import tournaments


class Progress:
    """Advances the tournaments on this process's shards; a source of the scheduler."""

    def __init__(self, store: Store, steps: Steps, *, shards: Shards, clock: WallClock) -> None:
        """Watch a store."""
        self._store = store
        self._steps = steps
        self._shards = shards
        self._clock = clock
        self.work = Background("tournaments", self._take_steps, (StoreError,))
        for topic in (tournaments.CHANGED, ENDED):
            store.listen(topic, self.work.wake)
        store.listen_missed(self.work.wake)

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next step is due; steps due now are taken in the background."""
        now, scope = self._clock(), self._shards.scope
        if not self.work.busy and await tournaments.due(tx, now, scope=scope):
            self.work.wake_from_thread()
        return await tournaments.next_moment(tx, now, scope=scope)

    async def due(self, now: datetime, /) -> None:
        """Take due steps soon."""
        del now
        self.work.wake()

    async def _take_steps(self) -> None:
        await self._steps.take_due(self._shards.scope)

"""Takes the steps of tournaments when they are due.

A tournament that changes wakes it, and so does a match that ends. What is due is found in the store,
so nothing is lost if nobody does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.background import Background
from data import tournaments
from data.errors import StoreError
from data.matches import ENDED

if TYPE_CHECKING:
    from datetime import datetime

    from bot.scheduling.wall_clock import WallClock
    from bot.shards.ownership import Shards
    from bot.tournaments.steps import Steps
    from data.store import Store, Transaction


class Progress:
    """Looks after the tournaments on the shards of this process; a source of the scheduler."""

    def __init__(self, store: Store, steps: Steps, *, shards: Shards, clock: WallClock) -> None:
        """Look into a store."""
        self._store = store
        self._steps = steps
        self._shards = shards
        self._clock = clock
        self.work = Background("tournaments", self._take_steps, (StoreError,))
        for topic in (tournaments.CHANGED, ENDED):
            store.listen(topic, self.work.wake)
        store.listen_missed(self.work.wake)

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when there is something to do later; what is due now is taken in the background."""
        now, scope = self._clock(), self._shards.scope
        if not self.work.busy and await tournaments.due(tx, now, scope=scope):
            self.work.wake_from_thread()
        return await tournaments.next_moment(tx, now, scope=scope)

    async def due(self, now: datetime, /) -> None:
        """Take what has become due, soon."""
        del now
        self.work.wake()

    async def _take_steps(self) -> None:
        await self._steps.take_due(self._shards.scope)

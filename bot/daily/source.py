"""The scheduler's source for daily puzzles: chooses those that are due."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from data import puzzle_schedules

if TYPE_CHECKING:
    from datetime import datetime

    from bot.daily.service import DailyPuzzles
    from bot.shards.ownership import Shards
    from data.store import Store, Transaction

BATCH: Final = 10
"""Puzzles chosen at a time: many servers have them due at the same hour."""
_BETWEEN_BATCHES: Final = timedelta(seconds=2)


class DailySource:
    """A source of the scheduler: daily puzzles."""

    def __init__(self, store: Store, puzzles: DailyPuzzles, *, shards: Shards) -> None:
        """Choose the puzzles of a store.

        Args:
            store: the store.
            puzzles: chooses them.
            shards: knows which servers belong to this process.

        """
        self._store = store
        self._puzzles = puzzles
        self._shards = shards
        self._not_before: datetime | None = None

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when something is next due, ``None`` for never."""
        moment = await puzzle_schedules.next_moment(tx, scope=self._shards.scope)
        if moment is None or self._not_before is None:
            return moment
        return max(moment, self._not_before)

    async def due(self, now: datetime, /) -> None:
        """Choose due puzzles, a batch at a time. Idempotent."""
        scope = self._shards.scope
        async with self._store.read() as tx:
            schedules = await puzzle_schedules.due_now(tx, now, limit=BATCH, scope=scope)
        chosen = [await self._puzzles.choose(schedule, now) for schedule in schedules]
        self._not_before = None
        if len(schedules) == BATCH or not all(chosen):
            self._not_before = now + _BETWEEN_BATCHES

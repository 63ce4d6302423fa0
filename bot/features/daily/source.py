"""The scheduler's source for daily puzzles: chooses those that are due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.scheduling.scheduler import BETWEEN_BATCHES
from bot.core.shards.ownership import Shards
from bot.features.daily.service import DailyPuzzles
from data.puzzles import puzzle_schedules
from data.store.store import Store, Transaction

BATCH: Final = 10
"""Puzzles chosen at a time: many servers have them due at the same hour."""


@dataclass(eq=False, repr=False)
class DailySource:
    """A source of the scheduler: daily puzzles."""

    store: Store
    puzzles: DailyPuzzles
    """Chooses them."""
    shards: Shards
    """Knows which servers belong to this process."""

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when something is next due, ``None`` for never."""
        return await puzzle_schedules.next_moment(tx, scope=self.shards.scope)

    async def due(self, now: datetime, /) -> timedelta | None:
        """Choose due puzzles, a batch at a time. Idempotent."""
        scope = self.shards.scope
        async with self.store.read() as tx:
            schedules = await puzzle_schedules.due_now(tx, now, limit=BATCH, scope=scope)
        chosen = [await self.puzzles.choose(schedule, now) for schedule in schedules]
        return BETWEEN_BATCHES if len(schedules) == BATCH or not all(chosen) else None

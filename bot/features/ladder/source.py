"""Schedules the steps of ladders."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.core.scheduling.scheduler import BETWEEN_BATCHES
from bot.core.shards.ownership import Shards
from bot.features.ladder.steps import LadderSteps
from data.ladders import ladder_challenges, ladders
from data.store.store import Store, Transaction

BATCH: Final = 20
"""Steps to take at a time."""


@dataclass(eq=False, repr=False)
class LadderSource:
    """The scheduler's source for ladders."""

    store: Store
    steps: LadderSteps
    shards: Shards

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next step is due."""
        scope = self.shards.scope
        found = (
            await ladders.next_check(tx, scope=scope),
            await ladder_challenges.next_due(tx, scope=scope),
        )
        return min((one for one in found if one is not None), default=None)

    async def due(self, now: datetime, /) -> timedelta | None:
        """Take due steps, a batch at a time."""
        scope = self.shards.scope
        async with self.store.read() as tx:
            looked = await ladders.due_for_check(tx, now, limit=BATCH, scope=scope)
            called = await ladder_challenges.due(tx, now, limit=BATCH, scope=scope)
        for number in looked:
            await self.steps.check(number, now)
        for challenge in called:
            await self.steps.take(challenge, now)
        return BETWEEN_BATCHES if BATCH in {len(looked), len(called)} else None

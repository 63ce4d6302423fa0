"""Schedules the steps of ladders."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from data import ladder_challenges, ladders

if TYPE_CHECKING:
    from datetime import datetime

    from bot.ladder.steps import LadderSteps
    from bot.shards.ownership import Shards
    from data.store import Store, Transaction

BATCH: Final = 20
"""Steps to take at a time."""
_BETWEEN_BATCHES: Final = timedelta(seconds=2)


class LadderSource:
    """The scheduler's source for ladders."""

    def __init__(self, store: Store, steps: LadderSteps, *, shards: Shards) -> None:
        """Take the due steps of a store's ladders, for this process's servers."""
        self._store = store
        self._steps = steps
        self._shards = shards
        self._not_before: datetime | None = None

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next step is due."""
        scope = self._shards.scope
        found = (
            await ladders.next_check(tx, scope=scope),
            await ladder_challenges.next_due(tx, scope=scope),
        )
        moment = min((one for one in found if one is not None), default=None)
        if moment is None or self._not_before is None:
            return moment
        return max(moment, self._not_before)

    async def due(self, now: datetime, /) -> None:
        """Take due steps, a batch at a time."""
        scope = self._shards.scope
        async with self._store.read() as tx:
            looked = await ladders.due_for_check(tx, now, limit=BATCH, scope=scope)
            called = await ladder_challenges.due(tx, now, limit=BATCH, scope=scope)
        for number in looked:
            await self._steps.check(number, now)
        for challenge in called:
            await self._steps.take(challenge, now)
        full = BATCH in {len(looked), len(called)}
        self._not_before = now + _BETWEEN_BATCHES if full else None

"""Finds the jobs of the outbox that no commit announces, and wakes the outbox worker for them.

They were left behind by an earlier run, were put off and have become due, or come from another
process whose announcement was lost.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

import structlog

from bot.core.scheduling.wall_clock import WallClock
from bot.core.shards.ownership import Shards
from bot.play.delivery.outbox_worker import OutboxWorker
from data.matches import outbox
from data.sql.errors import StoreError
from data.sql.scope import Scope
from data.store.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_NEW: Final = timedelta(minutes=2)
"""How far before the last check to look for new jobs: clocks differ, and a transaction may commit
some time after it has queued a job."""
_PAGE: Final = 500
"""Maximum matches read at once from an earlier run's backlog."""


class UnannouncedJobs:
    """Wakes the outbox worker for jobs that no announcement wakes it for."""

    def __init__(
        self, store: Store, worker: OutboxWorker, *, shards: Shards, clock: WallClock
    ) -> None:
        """Search the outbox of a store for jobs of the shards that this process owns."""
        self._store = store
        self._worker = worker
        self._shards = shards
        self._clock = clock
        self._woken = clock()
        """The worker was woken for what was due by then."""
        self._looked: datetime | None = None
        """Time of the last check for new jobs."""
        store.listen_missed(self._check_missed)

    async def recover(self, scope: Scope | None = None) -> None:
        """Deliver everything that an earlier run left behind in a scope, page by page."""
        now = self._woken = self._clock()
        async with self._store.write() as tx:
            await outbox.unblock_matches(tx, scope, now)
        number = last = 0
        while True:
            async with self._store.read() as tx:
                found = await outbox.waiting_matches(tx, now, after=last, limit=_PAGE, scope=scope)
            if not found:
                break
            for match_id in found:
                self._worker.wake_in_turn(match_id)
            number, last = number + len(found), found[-1]
        if number:
            log.info("delivering jobs left over from the last run", matches=number)

    def catch_up(self) -> None:
        """Catch up if the clock has been set back; called before `next`."""
        self._woken = min(self._woken, self._clock())

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next scheduled job becomes due."""
        return await outbox.next_due(tx, self._woken, scope=self._shards.scope)

    async def due(self, now: datetime, /) -> None:
        """Deliver the jobs that have become due since the last call."""
        async with self._store.read() as tx:
            found = await outbox.due_between(tx, self._woken, now, scope=self._shards.scope)
        self._woken = max(self._woken, now)
        for match_id in found:
            self._worker.wake(match_id)

    def _check_missed(self) -> None:
        """Look for new jobs of other processes, in case an announcement was lost."""
        self._worker.run(self._find_new, "outbox-new")

    async def _find_new(self) -> None:
        now = self._clock()
        since = (self._looked or now) - _NEW
        try:
            async with self._store.read() as tx:
                found = await outbox.added_since(tx, since, now, scope=self._shards.scope)
        except StoreError as error:
            log.warning("could not look for new jobs", reason=str(error))
            return
        self._looked = now
        for match_id in found:
            self._worker.wake_in_turn(match_id)

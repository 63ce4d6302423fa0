"""The work for the servers of a shard while this process owns it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import structlog

from bot.app.thinking import Thinking
from bot.core.background import cancel, retry, store_failed
from bot.core.posts.poster import Poster
from bot.core.scheduling.reachability import Reachability
from bot.core.scheduling.scheduler import Scheduler
from bot.core.shards.ownership import Shards
from bot.features.guide.commands import Welcomes
from bot.features.tournaments.steps import Progress
from bot.play.delivery.deliverer import Deliverer
from bot.play.delivery.outbox_worker import OutboxWorker, UnannouncedJobs
from data.sql.statements import Scope

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


_FOR_WELCOMES: Final = 5.0
"""Seconds that boards wait for the welcome of new servers."""


@dataclass(eq=False, repr=False)
class ShardWork:
    """Resumes what an earlier owner of a shard has left behind, and ends it again."""

    shards: Shards
    reachability: Reachability
    poster: Poster
    welcomes: Welcomes
    deliverer: Deliverer
    outbox: OutboxWorker
    unannounced: UnannouncedJobs
    progress: Progress
    scheduler: Scheduler
    thinking: Thinking | None = None
    """Works on the task queue; ``None`` leaves it to other processes."""
    analyse_after: float | None = None
    """See `Thinking.start`."""
    _begun: dict[int, asyncio.Task[None]] = field(default_factory=dict, init=False)
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)
    resumed: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set once the work for the first shard has resumed."""

    async def prepare(self) -> None:
        """Note which jobs an earlier owner may have started."""
        await self.deliverer.begin()

    def start(self, shard: int) -> None:
        """Resume the work for a shard once presses arrive there; further calls do nothing."""
        if shard not in self._begun:
            work = asyncio.create_task(self._start(shard), name=f"resumes-{shard}")
            self._begun[shard] = work

    async def finish(self, shard: int, grace: float) -> None:
        """End the work for a shard; cancel what has not ended after ``grace`` seconds."""
        await cancel(self._begun.pop(shard, None))
        await self.outbox.release(shard, grace)
        await self.reachability.remove(shard)

    async def close(self) -> None:
        """Cancel the work that is still resuming."""
        await cancel(*self._begun.values())

    async def _start(self, shard: int) -> None:
        try:
            async with self._one_at_a_time:
                await self._recover(shard)
        except Exception:
            log.exception("the work for a shard has stopped", shard=shard)

    async def _recover(self, shard: int) -> None:
        await retry(partial(self.reachability.add, shard), store_failed)
        if self.shards.is_connected(shard):
            self.reachability.connected(shard)
        everything = self.shards.scope is None
        scope = None if everything else Scope(self.shards.count, frozenset({shard}))
        await retry(partial(self.poster.recover, scope), store_failed)
        # So that in a new channel the boards come below the welcome.
        welcomes = await self.welcomes.greet_new(shard)
        await self.poster.post_first(welcomes, _FOR_WELCOMES)
        await retry(partial(self.unannounced.recover, scope), store_failed)
        self.progress.work.wake()
        if self.resumed.is_set():
            self.scheduler.wake()
        else:
            if self.thinking is not None:
                await self.thinking.start(analyse_after=self.analyse_after)
            self.scheduler.start()
            self.resumed.set()

"""What goes on for the servers of a shard while it is this process's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import structlog

from bot.delivery.outbox_worker import OutboxWorker
from bot.guide.welcome_views import Welcomes
from bot.retries import retrying, store_failed
from bot.roles.thinking import Thinking
from bot.scheduling.reachability import Reachability
from bot.scheduling.scheduler import Scheduler
from bot.tournaments.posts_views import TournamentPosts
from bot.tournaments.progress import Progress
from data.scope import Scope

if TYPE_CHECKING:
    from svcs import Container

    from bot.shards.ownership import Shards

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ShardWork:
    """Goes on with what an earlier owner of a shard has left behind, and ends it again."""

    def __init__(
        self, services: Container, shards: Shards, *, thinks: bool, analyse_after: float | None
    ) -> None:
        """Let the services of the bot work.

        Args:
            services: every part of the bot, by type.
            shards: knows which shards are this process's.
            thinks: whether this process does tasks of the queue.
            analyse_after: see `Thinking.start`.

        """
        self._services = services
        self._shards = shards
        self._thinks = thinks
        self._analyse_after = analyse_after
        self._begun: dict[int, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()
        self.resumed = asyncio.Event()
        """Set when the work for the first shard goes on."""

    async def prepare(self) -> None:
        """Take notice which jobs an earlier owner may have begun."""
        await self._services.get(OutboxWorker).begin()

    def go_on(self, shard: int) -> None:
        """Go on with the work for a shard, once presses arrive there; nothing happens twice."""
        if shard not in self._begun:
            work = asyncio.create_task(self._go_on(shard), name=f"resumes-{shard}")
            self._begun[shard] = work

    async def finish(self, shard: int, grace: float) -> None:
        """End the work for a shard; break off what has not ended after some seconds."""
        task = self._begun.pop(shard, None)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await self._services.get(OutboxWorker).release(shard, grace)
        await self._services.get(Reachability).remove(shard)

    async def close(self) -> None:
        """Begin nothing more."""
        for task in self._begun.values():
            task.cancel()
        await asyncio.gather(*self._begun.values(), return_exceptions=True)

    async def _go_on(self, shard: int) -> None:
        try:
            await self._recover(shard)
        except Exception:
            log.exception("the work for a shard does not go on", shard=shard)

    async def _recover(self, shard: int) -> None:
        async with self._one_at_a_time:
            await self._reach(shard)
            # First, so that in a new channel the boards stand below the welcome.
            await self._services.get(Welcomes).greet_new(shard)
            everything = self._shards.scope is None
            scope = None if everything else Scope(self._shards.count, frozenset({shard}))
            async for attempt in retrying(store_failed):
                with attempt:
                    await self._services.get(OutboxWorker).recover(scope)
                    await self._services.get(TournamentPosts).recover(scope)
            self._services.get(Progress).work.wake()
            if self.resumed.is_set():
                self._services.get(Scheduler).wake()
            else:
                if self._thinks:
                    await self._services.get(Thinking).start(analyse_after=self._analyse_after)
                self._services.get(Scheduler).start()
                self.resumed.set()

    async def _reach(self, shard: int) -> None:
        reachability = self._services.get(Reachability)
        async for attempt in retrying(store_failed):
            with attempt:
                await reachability.add(shard)
        if self._shards.is_connected(shard):
            reachability.connected(shard)

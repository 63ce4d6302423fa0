"""Everything that computes: computers' moves, hints, analyses, record checks, ratings.

A process of role ``all`` runs it beside its connection to Discord, one of role ``worker`` runs
nothing else. Both find their tasks in the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Final

import structlog

from bot.core.background import retrying, store_failed
from bot.core.scheduling.wall_clock import WallClock
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.core.workers.task_queue import LEASE, Lane, TaskRunner
from bot.features.analysis.computing import AnalysisComputer
from bot.features.practice.thinking import HintFinder, Opponents
from bot.features.records import checking
from bot.features.records.checking import RecordChecker
from bot.play.matches.service import Matches
from bot.play.ratings import recomputing
from data.computer_tasks import Kind
from data.store.store import Store
from engine import registry

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_WARM_UP_LIMIT: Final = 600.0
"""Seconds: compiling everything takes minutes on a small machine, once."""


class Thinking:
    """The tasks of this process, and the processes that do them."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        *,
        clock: WallClock,
        pools: Mapping[str, WorkerPool] | None = None,
        lease: float = LEASE,
    ) -> None:
        """Do the tasks of a store.

        Args:
            store: holds the queue.
            matches: the matches of the store.
            clock: the time of day.
            pools: replace some of `pools`. Closed with this.
            lease: see `TaskRunner`.

        """
        self.pools = {
            "moves": WorkerPool(),
            "analyses": WorkerPool(niceness=19),
            "records": checking.workers(),
            **(pools or {}),
        }
        """The worker pools, by what they think about; of one process each, if not given."""
        moves, analysts, checkers = (self.pools[name] for name in ("moves", "analyses", "records"))
        opponents = Opponents(store, matches, moves, clock=clock)
        hints = HintFinder(store, matches, moves)
        analyses = AnalysisComputer(store, matches, analysts, clock=clock)
        lanes = (
            Lane(moves.size, {Kind.MOVE: opponents.play, Kind.HINT: hints.find}),
            Lane(
                analysts.size,
                {Kind.ANALYSIS: analyses.match, Kind.RECORD_ANALYSIS: analyses.record},
                urgent=True,
            ),
            Lane(checkers.size, {Kind.RECORD: RecordChecker(store, checkers).check}),
            Lane(1, {Kind.RATINGS: partial(recomputing.do_task, store)}),
        )
        self.runner = TaskRunner(store, lanes, clock=clock, lease=lease)
        self._later: asyncio.Task[None] | None = None

    async def start(self, *, analyse_after: float | None) -> None:
        """Start.

        Args:
            analyse_after: seconds before matches that no user asks about are analysed; ``None``
                leaves them to other processes.

        """
        async for attempt in retrying(store_failed):
            with attempt:
                await self.runner.start()
        if analyse_after is not None and self._later is None:
            self._later = asyncio.create_task(self._begin(analyse_after), name="analyses begin")

    async def close(self) -> None:
        """Stop; tasks in progress go back to the queue."""
        if self._later is not None:
            self._later.cancel()
            with suppress(asyncio.CancelledError):
                await self._later
        await self.runner.close()
        await asyncio.gather(*(pool.close() for pool in self.pools.values()))

    async def warm_up(self) -> None:
        """Compile and load everything in every process, before the first player needs it."""
        games = {"games": sorted(registry.games())}
        try:
            # The first pool compiles; the processes that choose moves load the result.
            for name in ("analyses", "moves"):
                await self.pools[name].run_in_each("warm_up", games, limit=_WARM_UP_LIMIT)
        except WorkerFailure as error:
            log.info("kernels are not compiled yet", reason=str(error))

    async def _begin(self, after: float) -> None:
        await asyncio.sleep(after)
        self.runner.take_all()
        await self.runner.idle()
        await self.warm_up()

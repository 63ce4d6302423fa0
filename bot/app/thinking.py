"""Everything that computes: computers' moves, hints, analyses, record checks, ratings.

The only process runs it beside its connection to Discord; a worker runs nothing else and needs no
Discord. Both find their tasks in the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import Final

import structlog
from svcs import Container

from bot import full_version
from bot.app import Services
from bot.app.membership import Membership, member, reached, shared_database
from bot.app.monitoring import Monitoring, monitored
from bot.core.background import MIN_PAUSE, cancel, retry, stop_signal, store_failed, until
from bot.core.config import Config
from bot.core.hooks import load
from bot.core.metrics import Metrics
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.core.workers.task_queue import LEASE, Lane, TaskRunner
from bot.features.analysis.computing import AnalysisComputer
from bot.features.practice.thinking import HintFinder, Opponents
from bot.features.records import checking
from bot.features.records.checking import RecordChecker
from bot.play.matches.service import Matches
from bot.play.ratings import recomputing
from data.cluster.cluster import WORKER
from data.computer_tasks import Kind
from data.sql.errors import BadAddress, Different, StoreError, TooNew
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
        """Do the tasks of a store; ``pools``, closed with this, replace some of `pools`."""
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
        """Start; after some seconds also with matches that no user asks about, unless ``None``."""
        await retry(self.runner.start, store_failed)
        if analyse_after is not None and self._later is None:
            self._later = asyncio.create_task(self._begin(analyse_after), name="analyses begin")

    async def close(self) -> None:
        """Stop; tasks in progress go back to the queue."""
        await cancel(self._later)
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


async def run(settings: Config) -> None:
    """Run until a signal to stop, even while the database is temporarily unavailable.

    Raises CannotWork if there is no database that processes can share, and StoreError if the
    database cannot be used.
    """
    database = shared_database(settings, "A worker")
    stopped = stop_signal()
    begun = asyncio.Event()
    lasting = (BadAddress, Different, TooNew)

    def away(error: BaseException) -> bool:
        if not begun.is_set() or stopped.is_set() or isinstance(error, lasting):
            return False
        if isinstance(error, StoreError):
            log.warning("the worker is waiting for the database", reason=str(error))
        return isinstance(error, StoreError)

    joining = partial(member, database, role=WORKER, version=full_version())

    async def work(monitoring: Monitoring) -> None:
        async with AsyncExitStack() as place:
            joined = await reached(place, joining, stopped)
            if joined is not None:
                begun.set()
                monitoring.watch(joined.store)
                place.callback(monitoring.watch, None)
                await _think(settings, joined, stopped, monitoring)

    async with monitored(
        settings.monitoring_address,
        Metrics(),
        hosts=settings.hosts,
        backups=settings.backup_folder,
    ) as monitoring:
        while not stopped.is_set():
            await retry(partial(work, monitoring), away, sleep=until(stopped))
            await until(stopped)(MIN_PAUSE)


async def _think(
    settings: Config, joined: Membership, stopped: asyncio.Event, monitoring: Monitoring
) -> None:
    """Do the tasks of the queue until stopped, or dismissed after a long silence."""
    store, clock = joined.store, WallClock()
    services = Services()
    services.add({Store: store, WallClock: clock})
    services.give(Thinking, pools={"moves": WorkerPool(settings.workers)})
    thinking = Container(services).get(Thinking)
    ready = asyncio.Event()
    monitoring.process.watch(thinking.pools, ready.is_set)
    working = asyncio.create_task(_work(settings, thinking, ready), name="worker")
    ends = {asyncio.create_task(wait) for wait in (stopped.wait(), joined.stay())}
    try:
        done, _ = await asyncio.wait({working, *ends}, return_when=asyncio.FIRST_COMPLETED)
        if working in done:
            working.result()
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
    finally:
        await cancel(working, *ends)
        await thinking.close()


async def _work(settings: Config, thinking: Thinking, ready: asyncio.Event) -> None:
    """Start once it can think without delay; other workers carry on meanwhile."""
    load(".service")
    await thinking.warm_up()
    await thinking.start(analyse_after=0.0 if settings.analyse_matches else None)
    ready.set()
    log.info("worker is ready", processes=settings.workers)

"""The process that thinks: computers' moves, hints, analyses, ratings. Needs no Discord."""

from __future__ import annotations

import asyncio
import signal

import structlog
from svcs import Container

from bot import VERSION
from bot.app import CannotWork
from bot.app.membership import Membership, member
from bot.app.monitoring import monitored
from bot.app.services import Services
from bot.app.thinking import Thinking
from bot.core.background import MIN_PAUSE, retrying, until
from bot.core.config import Config
from bot.core.hooks import load
from bot.core.metrics import Metrics
from bot.core.scheduling.wall_clock import SystemClock, WallClock
from bot.core.workers.pool import WorkerPool
from data.cluster.cluster import WORKER
from data.sql.errors import StoreError
from data.store.inspection import address
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def run(settings: Config) -> None:
    """Run until a signal to stop, even while the database is temporarily unavailable.

    Raises:
        CannotWork: there is no database that processes can share.
        StoreError: the database cannot be used.

    """
    given = settings.database_url
    if given is None or address(given.get_secret_value()).get_backend_name() == "sqlite":
        raise CannotWork(
            "A worker shares a PostgreSQL database with gateways: set DATABASE_URL. On SQLite, "
            "`python -m bot` does everything in one process."
        )
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stopped.set)
    begun = asyncio.Event()

    def away(error: BaseException) -> bool:
        again = isinstance(error, StoreError) and begun.is_set() and not stopped.is_set()
        if again:
            log.warning("the worker is waiting for the database", reason=str(error))
        return again

    database = given.get_secret_value()
    while not stopped.is_set():
        async for attempt in retrying(away, sleep=until(stopped)):
            with attempt:
                async with member(database, role=WORKER, version=VERSION) as joined:
                    begun.set()
                    await _think(settings, joined, stopped)
        await until(stopped)(MIN_PAUSE)


async def _think(settings: Config, joined: Membership, stopped: asyncio.Event) -> None:
    """Do the tasks of the queue until stopped, or dismissed after a long silence."""
    store, clock = joined.store, SystemClock()
    services = Services()
    services.add({Store: store, WallClock: clock})
    services.give(Thinking, pools={"moves": WorkerPool(settings.workers)})
    async with monitored(
        settings.monitoring_address, Metrics(), store, hosts=settings.hosts
    ) as monitoring:
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
            for task in (working, *ends):
                task.cancel()
            await asyncio.gather(working, return_exceptions=True)
            await thinking.close()


async def _work(settings: Config, thinking: Thinking, ready: asyncio.Event) -> None:
    """Start once it can think without delay; other workers carry on meanwhile."""
    load(".service")
    await thinking.warm_up()
    await thinking.start(analyse_after=0.0 if settings.analyse_matches else None)
    ready.set()
    log.info("worker is ready", processes=settings.workers)

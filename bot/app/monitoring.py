"""Serves ``/live``, ``/ready`` and ``/metrics`` to whatever monitors a process.

It runs on the event loop it reports on, so a hung loop answers nothing: a probe takes that for
dead, as it should. Silent clients cannot keep it from answering, and a website cannot read it, see
`playground.http_server`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Mapping
from contextlib import asynccontextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Final

import structlog
from aiohttp import web
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from bot.app.figures import BackupFigures, Source, StoreFigures, StoreWrites, gauge
from bot.core.background import cancel
from bot.core.metrics import PREFIX, LineCounter, Metrics
from bot.core.workers.pool import WorkerPool
from data.sql.errors import StoreError
from data.store.store import Store
from playground.http_server import HttpServer, is_address

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_LOOK_EVERY: Final = 0.5
"""Seconds between measurements of the event loop's lag."""
_NOW: Final = {"Cache-Control": "no-store"}
"""An answer only holds now."""
_WAITING_SECONDS: Final = 5.0
"""Seconds that a client has to send a request."""


class Monitoring:
    """What a process reports about itself."""

    def __init__(
        self,
        metrics: Metrics,
        store: Store | None = None,
        *,
        hosts: Collection[str] = (),
        backups: Path | None = None,
    ) -> None:
        """Report the metrics of this process and of a store to clients that name one of some hosts.

        Without a store, the process waits for its database. ``backups`` is the folder whose newest
        file is the last backup.
        """
        self.server = HttpServer(
            lambda host: is_address(host) or host == "localhost" or host in hosts,
            "MONITORING_HOSTS doesn't have this name.\n",
            waiting_seconds=_WAITING_SECONDS,
        )
        self.metrics = metrics
        self.writes = StoreWrites()
        self.process = ProcessFigures(self.writes)
        self.store = StoreFigures()
        self._sources: list[Source] = []
        metrics.registry.register(self.process)
        self.add(self.store)
        self.add(self.writes)
        if backups is not None:
            self.add(BackupFigures(backups))
        self.watch(store)

    @property
    def port(self) -> int:
        """The port it listens on, once it does."""
        return self.server.port

    def add(self, source: Source) -> None:
        """Report further metrics."""
        self._sources.append(source)
        self.metrics.registry.register(source)

    async def remove(self, source: Source) -> None:
        """Report some metrics no longer."""
        self._sources.remove(source)
        self.metrics.registry.unregister(source)
        await source.close()

    def watch(self, store: Store | None) -> None:
        """Report on a store from now on; on none while the process waits for its database."""
        self.process.forget()
        self.writes.watch(store)
        self.store.watch(store)
        if store is not None:
            store.observer = self._observe

    async def close(self) -> None:
        """Stop reading metrics."""
        for source in self._sources:
            await source.close()

    async def live(self, _: web.Request) -> web.Response:
        """Say that the event loop runs."""
        return web.Response(text="live\n", headers=_NOW)

    async def ready(self, _: web.Request) -> web.Response:
        """Say whether this process does its work."""
        problem = self.process.problem
        if problem is None:
            return web.Response(text="ready\n", headers=_NOW)
        status = HTTPStatus.SERVICE_UNAVAILABLE
        return web.Response(text=f"not ready: {problem}\n", status=status, headers=_NOW)

    def _observe(self, seconds: float, *, writes: bool, failure: StoreError | None) -> None:
        """Count a transaction that has ended."""
        self.metrics.transaction(seconds, writes=writes)
        if writes and failure is not None:
            self.writes.failed(failure)

    async def figures(self, _: web.Request) -> web.Response:
        """Show all metrics in Prometheus format."""
        for source in self._sources:
            await source.refresh()
        return web.Response(
            body=generate_latest(self.metrics.registry),
            headers={"Content-Type": CONTENT_TYPE_LATEST, **_NOW},
        )


@asynccontextmanager
async def monitored(
    address: str | None,
    metrics: Metrics,
    store: Store | None = None,
    *,
    hosts: Collection[str] = (),
    backups: Path | None = None,
) -> AsyncIterator[Monitoring]:
    """Report on this process at ``host:port``, if anywhere, while the block lasts.

    Without a ``store``, the process waits for its database until `Monitoring.watch`. ``hosts`` are the
    names by which clients reach it, besides addresses and ``localhost``, and ``backups`` is the folder
    of backups. Raises OSError if this address cannot be served.
    """
    monitoring = Monitoring(metrics, store, hosts=hosts, backups=backups)
    if address is None:
        yield monitoring
        return
    counter = LineCounter(metrics)
    logging.getLogger().addHandler(counter)
    looking = asyncio.create_task(_watch_loop(metrics), name="event loop lag")
    writing = asyncio.create_task(monitoring.writes.keep_trying(), name="attempts to write")
    try:
        await _listen(monitoring, address)
        log.info("monitoring", address=address, port=monitoring.port)
        yield monitoring
    finally:
        await cancel(looking, writing)
        await monitoring.close()
        await monitoring.server.stop()
        logging.getLogger().removeHandler(counter)


async def _listen(monitoring: Monitoring, address: str) -> None:
    app = web.Application()
    app.router.add_get("/live", monitoring.live)
    app.router.add_get("/ready", monitoring.ready)
    app.router.add_get("/metrics", monitoring.figures)
    host, _, port = address.rpartition(":")
    try:
        await monitoring.server.start(app, host.strip("[]"), int(port))
    except OSError as error:
        raise OSError(
            f"nothing can be served at {address} ({error.strerror}), perhaps because a bot runs "
            "already. MONITORING_ADDRESS takes another, and port 0 takes a free one"
        ) from error


async def _watch_loop(metrics: Metrics) -> None:
    loop = asyncio.get_running_loop()
    while True:
        asked = loop.time() + _LOOK_EVERY
        await asyncio.sleep(_LOOK_EVERY)
        metrics.lag(loop.time() - asked)


class ProcessFigures(Collector):
    """Whether this process does its work, and how its workers fare."""

    def __init__(self, writes: StoreWrites) -> None:
        """Start without workers, and not ready."""
        self._writes = writes
        self._works: Callable[[], bool] = lambda: False
        """Whether presses arrive, or tasks are taken."""
        self._pools: Mapping[str, WorkerPool] = {}
        self._kills: dict[str, int] = {}
        """Kills in earlier pools."""

    def watch(self, pools: Mapping[str, WorkerPool], ready: Callable[[], bool]) -> None:
        """Report on these workers, by what they do, and readiness from now on, not on earlier ones."""
        self._kills = self._all_kills()
        self._pools, self._works = pools, ready

    def forget(self) -> None:
        """Report that this process does no work, until `watch`."""
        self.watch({}, lambda: False)

    @property
    def problem(self) -> str | None:
        """Why this process does not do its work; ``None`` if it does."""
        if (unwritten := self._writes.problem) is not None:
            return f"the database cannot be written. {unwritten}"
        return (
            None
            if self._works()
            else "presses do not arrive, or tasks are not taken. The log says why."
        )

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        yield gauge("ready", "Whether this process is ready: 1 or 0.", float(self.problem is None))
        kills = CounterMetricFamily(
            f"{PREFIX}worker_kills",
            "Worker processes killed because they failed or timed out.",
            labels=["pool"],
        )
        for name, number in self._all_kills().items():
            kills.add_metric([name], number)
        yield kills

    def _all_kills(self) -> dict[str, int]:
        now = {name: self._kills.get(name, 0) + pool.kills for name, pool in self._pools.items()}
        return self._kills | now

"""Serves ``/live``, ``/ready`` and ``/metrics`` to whatever monitors a process.

It runs on the event loop it reports on, so a hung loop answers nothing: a probe takes that for
dead, as it should. Silent clients cannot keep it from answering, and a website cannot read it, see
`playground.http_server`.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import (
    AsyncIterator,
    Callable,
    Collection,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final

import structlog
from aiohttp import web
from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from bot.core.background import cancel
from bot.core.metrics import PREFIX, LineCounter, Metrics
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.pool import WorkerPool
from data import figures
from data.figures import Figures
from data.sql.errors import StoreError
from data.store.store import Store
from playground.http_server import HttpServer, is_address

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_LOOK_EVERY: Final = 0.5
"""Seconds between measurements of the event loop's lag."""
_FRESH: Final = 10.0
"""Seconds for which figures of the store are reused, so that requests cannot overload it."""
_NOW: Final = {"Cache-Control": "no-store"}
"""An answer only holds now."""
_WAITING_SECONDS: Final = 5.0
"""Seconds that a client has to send a request."""


class Source(Collector, ABC):
    """Metrics that are read on request."""

    @abstractmethod
    async def refresh(self) -> None:
        """Read them, unless they are fresh; `collect` yields what was read last."""

    async def close(self) -> None:
        """Stop reading."""


class Monitoring:
    """What a process reports about itself."""

    def __init__(self, metrics: Metrics, store: Store, *, hosts: Collection[str] = ()) -> None:
        """Report the metrics of this process and of a store to clients that name one of some hosts."""
        self.server = HttpServer(
            lambda host: is_address(host) or host == "localhost" or host in hosts,
            "MONITORING_HOSTS doesn't have this name.\n",
            waiting_seconds=_WAITING_SECONDS,
        )
        self.metrics = metrics
        self.process = ProcessFigures()
        self.store = StoreFigures(store)
        self._sources: list[Source] = []
        metrics.registry.register(self.process)
        self.add(self.store)
        store.observer = metrics.transaction

    @property
    def port(self) -> int:
        """The port it listens on, once it does."""
        return self.server.port

    def add(self, source: Source) -> None:
        """Report further metrics."""
        self._sources.append(source)
        self.metrics.registry.register(source)

    async def close(self) -> None:
        """Stop reading metrics."""
        for source in self._sources:
            await source.close()

    async def live(self, _: web.Request) -> web.Response:
        """Say that the event loop runs."""
        return web.Response(text="live\n", headers=_NOW)

    async def ready(self, _: web.Request) -> web.Response:
        """Say whether this process does its work."""
        if self.process.ready():
            return web.Response(text="ready\n", headers=_NOW)
        status = HTTPStatus.SERVICE_UNAVAILABLE
        return web.Response(text="not ready\n", status=status, headers=_NOW)

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
    address: str | None, metrics: Metrics, store: Store, *, hosts: Collection[str] = ()
) -> AsyncIterator[Monitoring]:
    """Report on this process at ``host:port``, if anywhere, while the block lasts.

    ``hosts`` are the names by which clients reach it, besides addresses and ``localhost``. Raises
    OSError if this address cannot be served.
    """
    monitoring = Monitoring(metrics, store, hosts=hosts)
    if address is None:
        yield monitoring
        return
    counter = LineCounter(metrics)
    logging.getLogger().addHandler(counter)
    looking = asyncio.create_task(_watch_loop(metrics), name="event loop lag")
    try:
        await _listen(monitoring, address)
        log.info("monitoring", address=address, port=monitoring.port)
        yield monitoring
    finally:
        await cancel(looking)
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
            f"nothing can be served at {address} ({error.strerror}): MONITORING_ADDRESS takes "
            "another, 0 any free port"
        ) from error


async def _watch_loop(metrics: Metrics) -> None:
    loop = asyncio.get_running_loop()
    while True:
        asked = loop.time() + _LOOK_EVERY
        await asyncio.sleep(_LOOK_EVERY)
        metrics.lag(loop.time() - asked)


class ProcessFigures(Collector):
    """Whether this process does its work, and how its workers fare."""

    def __init__(self) -> None:
        """Start without workers, and not ready."""
        self.ready: Callable[[], bool] = lambda: False
        """Whether this process does its work: presses arrive, or tasks are taken."""
        self._pools: Mapping[str, WorkerPool] = {}
        self._kills: dict[str, int] = {}
        """Kills in earlier pools."""

    def watch(self, pools: Mapping[str, WorkerPool], ready: Callable[[], bool]) -> None:
        """Report on these workers, by what they do, and readiness from now on, not on earlier ones."""
        self._kills = self._all_kills()
        self._pools, self.ready = pools, ready

    def collect(self) -> Iterator[Metric]:
        """Yield the current metrics."""
        yield gauge("ready", "Whether this process is ready: 1 or 0.", float(self.ready()))
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


class StoreFigures(Source):
    """What waits in the store, at most `_FRESH` old. All processes on one store report the same."""

    def __init__(self, store: Store) -> None:
        """Read from a store on request."""
        self._store = store
        self._last: Figures | None = None
        self._read_at = float("-inf")
        self._reachable = False
        self._lock = asyncio.Lock()
        self.reads = 0
        """Number of reads from the store."""

    async def refresh(self) -> None:
        """Read the metrics, unless they are fresh; keep the last ones if that fails."""
        async with self._lock:
            if time.monotonic() - self._read_at < _FRESH:
                return
            self.reads += 1
            try:
                async with self._store.read() as tx:
                    self._last = await figures.read(tx, WallClock()())
                self._reachable = True
            except StoreError as error:
                self._reachable = False
                log.warning("could not read the store's figures", reason=str(error))
            self._read_at = time.monotonic()

    def collect(self) -> Iterator[Metric]:
        """Yield what was read last."""
        yield gauge(
            "store_up",
            "Whether the last read of the database succeeded: 1 or 0.",
            float(self._reachable),
        )
        now = self._last
        if now is None:
            return
        yield labelled(
            "outbox_jobs",
            "Unsent outbox jobs, by state: pending, blocked (missing permission) or later (scheduled).",
            ("state",),
            {("pending",): now.pending.number, ("blocked",): now.blocked, ("later",): now.later},
        )
        yield gauge(
            "outbox_oldest_seconds", "Age of the oldest pending outbox job.", now.age(now.pending)
        )
        yield labelled(
            "posts",
            "Posts that are not up to date, by kind and state: due, later (scheduled) or failing "
            "(tried again at least hourly).",
            ("kind", "state"),
            {
                (kind, state): number
                for kind, waiting in now.posts.items()
                for state, number in (
                    ("due", waiting.due.number),
                    ("later", waiting.later),
                    ("failing", waiting.failing),
                )
            },
        )
        oldest = max((now.age(waiting.due) for waiting in now.posts.values()), default=0.0)
        yield gauge("posts_oldest_seconds", "Age of the oldest due post.", oldest)
        yield labelled(
            "tasks_waiting",
            "Tasks waiting for a worker, by kind.",
            ("kind",),
            {(kind,): waiting.number for kind, waiting in now.tasks.items()},
        )
        yield labelled(
            "tasks_oldest_seconds",
            "Age of the oldest waiting task, by kind.",
            ("kind",),
            {(kind,): now.age(waiting) for kind, waiting in now.tasks.items()},
        )
        yield labelled(
            "tasks_at_work",
            "Tasks in progress, by kind.",
            ("kind",),
            {(kind,): number for kind, number in now.in_progress.items()},
        )
        yield gauge("open_matches", "Ongoing matches.", now.open_matches)


def gauge(name: str, text: str, value: float) -> Metric:
    """Return a metric of one value."""
    return GaugeMetricFamily(f"{PREFIX}{name}", text, value=value)


def labelled(
    name: str, text: str, labels: Sequence[str], values: Mapping[tuple[str, ...], float]
) -> Metric:
    """Return a metric with a value for each combination of labels."""
    family = GaugeMetricFamily(f"{PREFIX}{name}", text, labels=labels)
    for label, value in values.items():
        family.add_metric(label, value)
    return family

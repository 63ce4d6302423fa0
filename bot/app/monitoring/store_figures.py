"""The metrics read from the store on request, but no more often than useful."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from typing import Final

import structlog
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.core.metrics import PREFIX
from bot.core.scheduling.wall_clock import WallClock
from data import figures
from data.figures import Figures
from data.sql.errors import StoreError
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

KEPT: Final = 10.0
"""Seconds for which metrics are reused, so that requests cannot overload the store."""


class StoreFigures(Collector):
    """What waits in the store, at most a few seconds old.

    Every process that shares a store reports the same.
    """

    def __init__(
        self, store: Store, *, clock: WallClock, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """Read from a store on request."""
        self._store = store
        self._clock = clock
        self._monotonic = monotonic
        self._last: Figures | None = None
        self._read_at = float("-inf")
        self._reachable = False
        self._lock = asyncio.Lock()
        self.reads = 0
        """Number of reads from the store."""

    async def refresh(self) -> None:
        """Read the metrics, unless they are fresh; keep the last ones if that fails."""
        async with self._lock:
            if self._monotonic() - self._read_at < KEPT:
                return
            self.reads += 1
            try:
                async with self._store.read() as tx:
                    self._last = await figures.read(tx, self._clock())
                self._reachable = True
            except StoreError as error:
                self._reachable = False
                log.warning("could not read the store's figures", reason=str(error))
            self._read_at = self._monotonic()

    async def close(self) -> None:
        """Do nothing: the owner of the store closes it."""

    def collect(self) -> Iterator[Metric]:
        """Yield what was read last."""
        yield _gauge(
            "store_up",
            "Whether the last read of the database succeeded: 1 or 0.",
            float(self._reachable),
        )
        now = self._last
        if now is None:
            return
        jobs = GaugeMetricFamily(
            f"{PREFIX}outbox_jobs",
            "Unsent outbox jobs, by state: pending, blocked (missing permission) or later (scheduled).",
            labels=["state"],
        )
        for state, number in (
            ("pending", now.pending.number),
            ("blocked", now.blocked),
            ("later", now.later),
        ):
            jobs.add_metric([state], number)
        yield jobs
        yield _gauge(
            "outbox_oldest_seconds", "Age of the oldest pending outbox job.", now.age(now.pending)
        )
        yield from _posts(now)
        tasks = GaugeMetricFamily(
            f"{PREFIX}tasks_waiting", "Tasks waiting for a worker, by kind.", labels=["kind"]
        )
        ages = GaugeMetricFamily(
            f"{PREFIX}tasks_oldest_seconds",
            "Age of the oldest waiting task, by kind.",
            labels=["kind"],
        )
        for kind, waiting in now.tasks.items():
            tasks.add_metric([kind], waiting.number)
            ages.add_metric([kind], now.age(waiting))
        working = GaugeMetricFamily(
            f"{PREFIX}tasks_at_work", "Tasks in progress, by kind.", labels=["kind"]
        )
        for kind, number in now.in_progress.items():
            working.add_metric([kind], number)
        yield from (tasks, ages, working)
        yield _gauge("open_matches", "Ongoing matches.", now.open_matches)


def _posts(now: Figures) -> Iterator[Metric]:
    number = GaugeMetricFamily(
        f"{PREFIX}posts",
        "Posts that are not up to date, by kind and state: due, later (scheduled) or failing "
        "(tried again at least hourly).",
        labels=["kind", "state"],
    )
    for kind, waiting in now.posts.items():
        number.add_metric([kind, "due"], waiting.due.number)
        number.add_metric([kind, "later"], waiting.later)
        number.add_metric([kind, "failing"], waiting.failing)
    yield number
    oldest = max((now.age(waiting.due) for waiting in now.posts.values()), default=0.0)
    yield _gauge("posts_oldest_seconds", "Age of the oldest due post.", oldest)


def _gauge(name: str, text: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"{PREFIX}{name}", text, value=value)

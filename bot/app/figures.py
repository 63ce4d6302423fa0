"""What a process reads when it is asked for its metrics: the database's figures and the age of backups."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.core.metrics import PREFIX
from bot.core.scheduling.scheduler import WallClock
from data import figures
from data.figures import Figures
from data.sql import key_values
from data.sql.errors import Full, StoreError, Unusable
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_FRESH: Final = 10.0
"""Seconds for which figures of the store are reused, so that requests cannot overload it."""
_WRITE_EVERY: Final = 15.0
"""Seconds between attempts to write to the database."""
_DOUBTFUL: Final = 60.0
"""Seconds after a failed write during which a successful attempt proves nothing: it is small, and may
fit where a move does not. Also the longest that an attempt may take."""
_WRITTEN: Final = "written"
"""The key under which each attempt leaves its time."""


class Source(Collector, ABC):
    """Metrics that are read on request."""

    @abstractmethod
    async def refresh(self) -> None:
        """Read them, unless they are fresh; `collect` yields what was read last."""

    async def close(self) -> None:
        """Stop reading."""


class StoreFigures(Source):
    """What waits in the store, at most `_FRESH` old. All processes on one store report the same."""

    def __init__(self) -> None:
        """Start without a store."""
        self._store: Store | None = None
        self._last: Figures | None = None
        self._read_at = float("-inf")
        self._reachable = False
        self._lock = asyncio.Lock()
        self.reads = 0
        """Number of reads from the store."""

    def watch(self, store: Store | None) -> None:
        """Read from this store from now on; without one, the database is out of reach."""
        self._store, self._last = store, None
        self._reachable, self._read_at = False, float("-inf")

    async def refresh(self) -> None:
        """Read the metrics, unless they are fresh; keep the last ones if that fails."""
        async with self._lock:
            if (store := self._store) is None:
                return
            if time.monotonic() - self._read_at < _FRESH:
                return
            self.reads += 1
            found = self._last
            try:
                async with store.read() as tx:
                    found = await figures.read(tx, WallClock()())
                reachable = True
            except StoreError as error:
                reachable = False
                log.warning("could not read the store's figures", reason=str(error))
            if self._store is store:
                self._last, self._reachable = found, reachable
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
        yield gauge(
            "shards_unowned",
            "Shards of which no gateway sends heartbeats; 0 where one process has all of them.",
            now.shards_unowned,
        )


class StoreWrites(Source):
    """Whether the database can be written: it is tried on a clock, and failed writes count, too."""

    def __init__(self, store: Store | None = None) -> None:
        """Write to a store, if there is one yet."""
        self._store = store
        self._refused: str | None = None
        """Why the last attempt failed."""
        self._answered_at = time.monotonic()
        """When the last attempt ended."""
        self._failure = ""
        self._failed_at = float("-inf")
        """When another write failed, and why."""
        self._watched = asyncio.Event()

    def watch(self, store: Store | None) -> None:
        """Write to this store from now on, or to none."""
        self._store, self._refused = store, None
        self._answered_at, self._failed_at = time.monotonic(), float("-inf")
        self._watched.set()

    @property
    def problem(self) -> str | None:
        """Why nothing can be written, one sentence or more; ``None`` if it can."""
        if self._store is None:
            return "It is waited for. The log says why."
        now = time.monotonic()
        if self._refused is not None:
            return self._refused
        if now - self._failed_at < _DOUBTFUL:
            return self._failure
        if now - self._answered_at > _DOUBTFUL:
            return "The database takes more than a minute to write a row."
        return None

    def failed(self, error: StoreError) -> None:
        """Note why a transaction failed, if the database cannot be written."""
        if isinstance(error, Full | Unusable):
            self._failure, self._failed_at = error.sentence, time.monotonic()

    async def keep_trying(self) -> None:
        """Write a row every few seconds until cancelled."""
        while True:
            self._watched.clear()
            await self.attempt()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._watched.wait(), _WRITE_EVERY)

    async def attempt(self) -> None:
        """Write a row: a database that can be read may be on a full disk, or read-only."""
        before, store = self._refused, self._store
        if store is None:
            return
        try:
            async with store.write() as tx:
                await key_values.set(tx, _WRITTEN, WallClock()().isoformat())
            refused = None
        except StoreError as error:
            refused = error.sentence
        if self._store is not store:
            return
        self._refused = refused
        self._answered_at = time.monotonic()
        if self._refused is not None and before is None:
            log.warning("the database cannot be written", reason=self._refused)

    async def refresh(self) -> None:
        """Do nothing: it is read on a clock of its own."""

    def collect(self) -> Iterator[Metric]:
        """Yield what is known now: nothing, while the database is out of reach."""
        if self._store is not None:
            yield gauge(
                "store_writable",
                "Whether the database can be written: 1 or 0.",
                float(self.problem is None),
            )


class BackupFigures(Source):
    """The age of the newest backup. The folder tells it, so that a backup changes no database."""

    def __init__(self, folder: Path) -> None:
        """Look at the files of a folder, which may be missing."""
        self._folder = folder
        self._newest = 0.0

    async def refresh(self) -> None:
        """Look again."""
        self._newest = await asyncio.to_thread(_newest_file, self._folder)

    def collect(self) -> Iterator[Metric]:
        """Yield what was found last."""
        yield gauge(
            "backup_timestamp_seconds",
            "When the newest file in BACKUP_FOLDER was written, in seconds since 1970; 0 without any.",
            self._newest,
        )


def _newest_file(folder: Path) -> float:
    """Return when the newest complete file was written; 0 if there is none, or it cannot be seen."""
    newest = 0.0
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(OSError):
                found = path.stat()
                if found.st_size and path.is_file() and path.suffix != ".part":
                    newest = max(newest, found.st_mtime)
    return newest


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

"""What happens by itself when its time has come: reminders, deadlines, challenges that expire.

One task sleeps until the next moment that any source names, or until it is woken because an
earlier one has come up. Nothing is polled, and no moment is kept here: each sleep begins with a
look at the store, so that a restart forgets nothing and repeats nothing.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, Protocol

import structlog

from data.errors import StoreError

if TYPE_CHECKING:
    from bot.scheduling.wall_clock import WallClock
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_PAUSE: Final = timedelta(seconds=1)
_MAX_PAUSE: Final = timedelta(minutes=5)


class Source(Protocol):
    """Something that has moments of its own."""

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when there is something to do next; a moment that has passed means now."""

    async def due(self, now: datetime, /) -> None:
        """Do all that has come due up to now.

        Each thing is taken in the transaction that records it, so that a second call finds
        nothing left of it, and `next` then names a later moment.
        """


@dataclass(slots=True)
class _Patience:
    """Until when something that failed is left alone: longer each time."""

    pause: timedelta = _PAUSE
    until: datetime | None = None

    def failed(self, now: datetime) -> None:
        self.until = now + self.pause
        self.pause = min(self.pause * 2, _MAX_PAUSE)

    def worked(self) -> None:
        self.until, self.pause = None, _PAUSE


@dataclass(frozen=True, slots=True)
class _Kept:
    """A source that is looked after."""

    source: Source
    patience: _Patience = field(default_factory=_Patience)

    @property
    def name(self) -> str:
        return type(self.source).__name__


class Scheduler:
    """Sleeps until something is due and lets it be done."""

    def __init__(self, store: Store, *, clock: WallClock) -> None:
        """Ask the sources of a store, and sleep by a clock."""
        self._store = store
        self._clock = clock
        self._sources: list[_Kept] = []
        self._patience = _Patience()
        self._task: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._asleep = asyncio.Event()
        self._until: datetime | None = None

    def register(self, source: Source) -> None:
        """Look after a source from now on."""
        self._sources.append(_Kept(source))
        self.wake()

    def start(self) -> None:
        """Start; overdue work is done first, oldest first."""
        if self._task is None:
            self._task = asyncio.create_task(self._work(), name="timekeeper")

    def wake(self, at: datetime | None = None) -> None:
        """Wake the scheduler for a due moment that may precede the next one known.

        Args:
            at: that moment, if known; a later one than the next due moment is ignored.

        """
        until = self._until if self._asleep.is_set() else None
        if at is None or until is None or at < until:
            self._woken.set()

    @property
    def next_moment(self) -> datetime | None:
        """When the present sleep ends; ``None`` if nothing is due."""
        return self._until

    async def rest(self) -> None:
        """Wait until everything is done that has come due, and it sleeps."""
        while self._task is not None and not self._task.done():
            await self._asleep.wait()
            come = self._until is not None and self._until <= self._clock()
            if not come and not self._woken.is_set():
                return
            self._asleep.clear()  # it is about to rise

    async def close(self) -> None:
        """Stop; a transaction under way is committed or rolled back."""
        if self._task is None:
            return
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._task = None
        self._asleep.set()

    async def _work(self) -> None:
        while True:
            self._asleep.clear()
            self._woken.clear()
            try:
                moments = await self._moments()
            except Exception as error:  # noqa: BLE001 -- the clock must not stop, whatever failed
                self._complain("all", self._patience, error)
                await self._sleep(self._patience.until)
                continue
            self._patience.worked()
            now = self._clock()
            ripe = [kept for moment, kept in moments if moment <= now]
            if not ripe:
                await self._sleep(moments[0][0] if moments else None)
                continue
            for kept in ripe:
                await self._let(kept, now)

    async def _moments(self) -> list[tuple[datetime, _Kept]]:
        """Return when each source wants to be called, the earliest first."""
        found: list[tuple[datetime, _Kept]] = []
        async with self._store.read() as tx:
            for kept in self._sources:
                moment = await kept.source.next(tx)
                if moment is not None:
                    found.append((max(moment, kept.patience.until or moment), kept))
        return sorted(found, key=lambda pair: pair[0])

    async def _let(self, kept: _Kept, now: datetime) -> None:
        try:
            await kept.source.due(now)
            async with self._store.read() as tx:
                moment = await kept.source.next(tx)
        except Exception as error:  # noqa: BLE001 -- as above
            self._complain(kept.name, kept.patience, error)
            return
        if moment is not None and moment <= now:
            log.error("something stays due", source=kept.name)
            kept.patience.failed(self._clock())
        else:
            kept.patience.worked()

    def _complain(self, name: str, patience: _Patience, error: Exception) -> None:
        if isinstance(error, StoreError):
            log.warning("what is due has to wait", source=name, why=str(error))
        else:
            log.error("what is due failed", source=name, exc_info=error)
        patience.failed(self._clock())

    async def _sleep(self, until: datetime | None) -> None:
        self._until = until
        self._asleep.set()
        waiting: list[asyncio.Task[Any]] = [asyncio.create_task(self._woken.wait())]
        if until is not None:
            waiting.append(asyncio.create_task(self._clock.until(until)))
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

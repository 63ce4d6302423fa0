"""The time of day, and what is due by it: reminders, deadlines, expiring challenges.

One task sleeps until the next moment that any source names, or until an earlier one comes up and
wakes it. Nothing is polled or kept in memory: before each sleep it reads the next moments from the
store, so a restart neither loses nor repeats anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Protocol

import structlog

from bot.core.background import UNHURRIED, cancel, retry
from data.sql.errors import StoreError
from data.sql.transaction import DUE
from data.store.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

BETWEEN_BATCHES: Final = timedelta(seconds=2)
"""Pause of a source that has done a whole batch, so that presses get their turn."""


_MAX_SLEEP: Final = timedelta(minutes=5)
"""Sleeps are capped, as the machine may be suspended or its clock set."""


class Timer(Protocol):
    """A pending call."""

    def cancel(self) -> object:
        """Cancel it."""


class WallClock:
    """The time of day; tests have others."""

    def __call__(self) -> datetime:
        """Return the current time, aware and in UTC."""
        return datetime.now(UTC)

    async def until(self, moment: datetime) -> None:
        """Return at a moment, even if the clock is set meanwhile; at once if it has passed."""
        while (left := moment - self()) > timedelta():  # noqa: ASYNC110 -- waits for a time of day
            await asyncio.sleep(min(left, _MAX_SLEEP).total_seconds())

    def call_later(self, wait: timedelta, action: Callable[[], object]) -> Timer:
        """Call back later: sleep of the machine delays it, setting the clock does not."""
        return asyncio.get_running_loop().call_later(wait.total_seconds(), action)


class Source(Protocol):
    """Something with work due at certain moments."""

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next work is due; a moment in the past means now.

        It awaits only statements, and changes nothing that the event loop may be using: all
        sources are asked in one go, see `Store.run_read`.
        """

    async def due(self, now: datetime, /) -> timedelta | None:
        """Do everything that is due; return how long it is not to be called again, if so.

        Each thing is taken in the transaction that records it, so a second call finds nothing
        left, and `next` then returns a later moment, unless the pause is for the rest.
        """


class Scheduler:
    """Sleeps until a source has work due, then runs it."""

    def __init__(self, store: Store, clock: WallClock) -> None:
        """Ask the sources of a store, and sleep by a clock."""
        self._store = store
        self._clock = clock
        self._sources: list[Source] = []
        self._rested: dict[int, datetime] = {}
        """Until when sources are not to be called, by their identity."""
        self._before_next: list[Callable[[], object]] = []
        self._task: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._asleep = asyncio.Event()
        self._next: datetime | None = None
        self._until: datetime | None = None
        store.listen_missed(self.wake)
        store.listen(DUE, lambda second: self.wake(datetime.fromtimestamp(second, UTC)))

    def register(self, source: Source, *, before_next: Callable[[], object] | None = None) -> None:
        """Add a source; ``before_next`` is called on the event loop before sources are asked."""
        self._sources.append(source)
        if before_next is not None:
            self._before_next.append(before_next)
        self.wake()

    def start(self) -> None:
        """Start. Overdue work comes first, oldest before the rest."""
        if self._task is None:
            self._task = asyncio.create_task(self._work(), name="scheduler")

    def wake(self, at: datetime | None = None) -> None:
        """Wake the scheduler, unless it sleeps only until an earlier moment than this one."""
        if at is None or self._until is None or at < self._until or not self._asleep.is_set():
            self._woken.set()

    @property
    def next_moment(self) -> datetime | None:
        """When the current sleep ends; ``None`` if it lasts until woken."""
        return self._until

    async def idle(self) -> None:
        """Wait until everything due is done and the scheduler sleeps."""
        while self._task is not None and not self._task.done():
            await self._asleep.wait()
            come = self._until is not None and self._until <= self._clock()
            if not come and not self._woken.is_set() and self._asleep.is_set():
                return
            self._asleep.clear()  # it is about to wake up, or awake already

    async def close(self) -> None:
        """Stop; an open transaction is committed or rolled back."""
        await cancel(self._task)
        self._task = None
        self._asleep.set()

    async def _work(self) -> None:
        UNHURRIED.set(True)
        while True:
            await retry(self._run_due, _failed, sleep=self._pause)
            await self._sleep(self._next)

    async def _run_due(self) -> None:
        """Let each source do what is due, oldest first, and find the next moment."""
        self._woken.clear()
        self._next = None
        now = self._clock()
        failed: dict[int, Exception] = {}
        moments = await self._moments()
        late = [source for moment, source in moments if moment <= now]
        for source in late:
            try:
                self._rested.pop(id(source), None)
                if pause := await source.due(now):
                    self._rested[id(source)] = now + pause
            except Exception as error:  # noqa: BLE001 -- it must not hold up the others
                failed[id(source)] = error
            # Look after each: what it does may make another's work due, which that one left not.
            moments = await self._moments()
            if any(one is source and moment <= now for moment, one in moments):
                left = RuntimeError(f"{type(source).__name__} has left something due")
                failed.setdefault(id(source), left)
        healthy = (moment for moment, source in moments if id(source) not in failed)
        self._next = next(healthy, None)
        if failed:
            raise ExceptionGroup("due", list(failed.values()))

    async def _moments(self) -> list[tuple[datetime, Source]]:
        """Return when each source wants to be called, earliest first."""

        async def ask(tx: Transaction) -> list[tuple[datetime | None, Source]]:
            return [(await source.next(tx), source) for source in self._sources]

        for listener in self._before_next:
            listener()
        found = await self._store.run_read(ask)
        rested = self._rested
        moments = [(max(at, rested.get(id(one), at)), one) for at, one in found if at is not None]
        return sorted(moments, key=lambda pair: pair[0])

    async def _pause(self, seconds: float) -> None:
        """Sleep after a failure, or until something else is due."""
        end = self._clock() + timedelta(seconds=seconds)
        await self._sleep(min(end, self._next or end))

    async def _sleep(self, until: datetime | None) -> None:
        """Sleep until a moment, or until woken."""
        self._until = until
        self._asleep.set()
        waiting: list[asyncio.Task[Any]] = [asyncio.create_task(self._woken.wait())]
        if until is not None:
            waiting.append(asyncio.create_task(self._clock.until(until)))
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._asleep.clear()
            await cancel(*waiting)


def _failed(error: BaseException) -> bool:
    """Log a failure; return whether to retry."""
    for one in error.exceptions if isinstance(error, ExceptionGroup) else (error,):
        if isinstance(one, StoreError):
            log.warning("due work has to wait", reason=str(one))
        elif isinstance(one, Exception):
            log.error("due work failed", exc_info=one)
    return isinstance(error, Exception)

"""Runs background work when woken, a limited number at once, and retries it when it fails.

Pauses grow, to a minute at most. One may end early, when something is woken, but none is shorter
than `MIN_PAUSE`: what fails at once and wakes itself must not keep the event loop from all else.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import signal
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import ContextVar, copy_context
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import structlog

from data.sql.errors import StoreError

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
AT_ONCE: Final = 32
"""Maximum keys for which a `KeyedBackground` works at once."""
MAX_PAUSE: Final = 60.0
MIN_PAUSE: Final = 0.1
"""Minimum seconds between two attempts, even if something wakes the next one."""
UNHURRIED: Final[ContextVar[bool]] = ContextVar("UNHURRIED", default=False)
"""Whether the current commit came by itself, like a reminder, so that no player waits for it."""


async def retry(
    work: Callable[[], Awaitable[object]],
    failed: Callable[[BaseException], bool],
    *,
    pause: float = 1.0,
    longest: float = MAX_PAUSE,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> None:
    """Do work until it succeeds.

    ``failed`` logs an error and says whether to retry; other errors are raised. ``pause`` is in
    seconds and grows to the ``longest``; ``sleep`` may end early, though the pause then still lasts `MIN_PAUSE`, or raise
    to give up. Tenacity would leave garbage in cycles at each use.
    """
    while True:
        try:
            await work()
        except BaseException as error:
            if not failed(error):
                raise
        else:
            return
        await _pause(sleep, pause)
        pause = min(2 * pause, longest)


def stop_signal() -> asyncio.Event:
    """Return an event that SIGINT and SIGTERM set, which the log says."""
    stopped = asyncio.Event()

    def stop(number: signal.Signals) -> None:
        log.info("stopping", signal=number.name)
        stopped.set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop, number)
    return stopped


def store_failed(error: BaseException) -> bool:
    """Return whether an error comes from the store, which may recover later."""
    return isinstance(error, StoreError)


async def pause_until(event: asyncio.Event, seconds: float) -> None:
    """Pause before a retry: some seconds, at least `MIN_PAUSE`, or until an event is set."""
    await _pause(until(event), seconds)


def until(event: asyncio.Event) -> Callable[[float | None], Awaitable[None]]:
    """Return a sleep that ends early once an event is set, and only then if for ``None`` seconds."""

    async def sleep(seconds: float | None) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):  # `wait_for` may swallow a cancellation
                await event.wait()

    return sleep


async def cancel(*tasks: asyncio.Future[Any] | None) -> None:
    """Cancel tasks, if there are any, and wait until they have ended."""
    known = [task for task in tasks if task is not None]
    for task in known:
        task.cancel()
    await asyncio.gather(*known, return_exceptions=True)


async def _pause(sleep: Callable[[float], Awaitable[None]], seconds: float) -> None:
    await asyncio.sleep(MIN_PAUSE)
    if seconds > MIN_PAUSE:
        await sleep(seconds - MIN_PAUSE)


class Slots:
    """A fixed number of slots, granted by priority, then in order of arrival."""

    def __init__(self, limit: int) -> None:
        """Provide ``limit`` slots."""
        self._free = limit
        self._queue: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    async def take(self, priority: int) -> None:
        """Wait for a slot; the lowest priority comes first."""
        if self._free > 0:
            self._free -= 1
            return
        waiting = asyncio.get_running_loop().create_future()
        heapq.heappush(self._queue, (priority, next(self._numbers), waiting))
        try:
            await waiting
        except asyncio.CancelledError:
            if not waiting.cancelled():
                self.release()
            raise

    def release(self) -> None:
        """Return a slot."""
        self._free += 1
        while self._free > 0 and self._queue:
            _, _, waiting = heapq.heappop(self._queue)
            if not waiting.done():
                self._free -= 1
                waiting.set_result(None)


@dataclass(eq=False, repr=False)
class Background:
    """Runs its work one at a time, and again if woken since it started."""

    name: str
    """Names it in the log."""
    work: Callable[[], Awaitable[None]]
    """Does it."""
    expected: tuple[type[BaseException], ...]
    """Errors that are logged only as warnings."""
    ended: Callable[[], object] = field(default_factory=lambda: lambda: None)
    """Called whenever nothing is left to do."""
    _woken: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _again: bool = field(default=False, init=False)
    """Whether to run once more after what is under way."""
    _closing: bool = field(default=False, init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop, init=False)

    def wake(self, _: object = None) -> None:
        """Run the work soon."""
        if self._closing:
            return
        self._woken.set()
        if self._task is None:
            context = copy_context()
            context.run(UNHURRIED.set, True)  # noqa: FBT003 -- a value
            self._task = asyncio.create_task(self._run(), name=self.name, context=context)

    def wake_after(self) -> None:
        """Run the work soon, but after what is under way, whose pause after a failure is not cut short.

        What is under way may have looked for the last time before there was something to find.
        """
        if self.busy:
            self._again = True
        else:
            self.wake()

    def wake_after_from_thread(self) -> None:
        """Do what `wake_after` does; may be called from outside the event loop."""
        self._loop.call_soon_threadsafe(self.wake_after)

    @property
    def busy(self) -> bool:
        """Whether the work is running."""
        return self._task is not None

    async def idle(self) -> None:
        """Wait until the work is done."""
        while self._task is not None:
            await asyncio.wait({self._task})
            await asyncio.sleep(0)

    async def close(self, grace: float = 2.0) -> None:
        """Finish the current work within ``grace`` seconds; the next start finds the rest."""
        self._closing = True
        if self._task is None:
            return
        self._woken.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self.idle()), grace)
        await cancel(self._task)

    async def _run(self) -> None:
        try:
            while self._woken.is_set() or self._again:
                await retry(self._once, self._failed, sleep=until(self._woken))
        except asyncio.CancelledError:
            raise
        except Exception as error:  # noqa: BLE001 -- already logged, and the bot is closing
            log.info("not finished before shutdown", what=self.name, reason=repr(error))
        finally:
            self._task = None
            self.ended()

    async def _once(self) -> None:
        self._woken.clear()
        self._again = False
        await self.work()

    def _failed(self, error: BaseException) -> bool:
        """Log a failure; return whether to retry."""
        if not isinstance(error, Exception):
            return False
        for one in error.exceptions if isinstance(error, ExceptionGroup) else (error,):
            if isinstance(one, self.expected):
                log.warning("trying again", what=self.name, reason=repr(one))
            else:
                log.error("failed, trying again", what=self.name, exc_info=one)
        return not self._closing


@dataclass(eq=False, repr=False)
class KeyedBackground:
    """Runs background work by key: for each key one at a time, so none waits for another's."""

    name: str
    work: Callable[[int], Awaitable[None]]
    expected: tuple[type[BaseException], ...]
    _slots: asyncio.Semaphore = field(
        default_factory=lambda: asyncio.Semaphore(AT_ONCE), init=False
    )
    _by_key: dict[int, Background] = field(default_factory=dict, init=False)
    _closing: bool = field(default=False, init=False)
    _loop: asyncio.AbstractEventLoop = field(default_factory=asyncio.get_running_loop, init=False)

    def wake(self, key: int) -> None:
        """Run the work for a key soon."""
        if self._closing:
            return
        if key not in self._by_key:
            self._by_key[key] = Background(
                f"{self.name}-{key}",
                partial(self._once, key),
                self.expected,
                ended=partial(self._by_key.pop, key),
            )
        self._by_key[key].wake()

    def wake_from_thread(self, key: int) -> None:
        """Run the work for a key soon; may be called from outside the event loop."""
        self._loop.call_soon_threadsafe(self.wake, key)

    async def idle_with(self, key: int) -> None:
        """Wait until the work for a key is done."""
        while key in self._by_key:
            await self._by_key[key].idle()

    def leave(self) -> frozenset[int]:
        """Return the keys for which work is running, or waits to be retried.

        What comes up for them can be left to it: it looks once more.
        """
        for one in self._by_key.values():
            one.wake_after()
        return frozenset(self._by_key)

    @property
    def busy(self) -> bool:
        """Whether any work is running."""
        return bool(self._by_key)

    async def idle(self) -> None:
        """Wait until all work is done."""
        while self._by_key:
            await asyncio.gather(*(one.idle() for one in self._by_key.values()))

    async def close(self) -> None:
        """Finish the current work as `Background.close` does."""
        self._closing = True
        await asyncio.gather(*(one.close() for one in list(self._by_key.values())))

    async def _once(self, key: int) -> None:
        async with self._slots:
            await self.work(key)

"""Recomputes outdated ratings in the background."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import structlog

from bot.ratings.recomputing import BATCH, recompute_outdated
from data import outdated_ratings

if TYPE_CHECKING:
    from bot.scheduling.wall_clock import Clock
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_MIN_PAUSE: Final = timedelta(seconds=1)
_MAX_PAUSE: Final = timedelta(minutes=5)


class RecomputingTask:
    """Recomputes outdated ratings: those left over at the start, then whenever there are any."""

    def __init__(self, store: Store, *, clock: Clock, batch: int = BATCH) -> None:
        """Work on a store, in batches of results."""
        self._store = store
        self._clock = clock
        self._batch = batch
        self._task: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._idle = asyncio.Event()
        store.listen(outdated_ratings.TOPIC, lambda _: self.wake())

    def start(self) -> None:
        """Begin, with what was left over."""
        if self._task is None:
            self.wake()
            self._task = asyncio.create_task(self._run(), name="recomputing")

    def wake(self) -> None:
        """Look for outdated ratings again."""
        self._woken.set()
        self._idle.clear()

    async def rest(self) -> None:
        """Wait until nothing is outdated any more, or it has failed and waits."""
        if self._task is not None:
            await self._idle.wait()

    async def close(self) -> None:
        """Stop; a transaction that is under way is completed or leaves nothing."""
        if self._task is None:
            return
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task
        self._task = None
        self._idle.set()

    async def _run(self) -> None:
        pause = _MIN_PAUSE
        while True:
            self._woken.clear()
            self._idle.clear()
            try:
                if games := await recompute_outdated(self._store, batch=self._batch):
                    log.info("ratings recomputed", games=games)
            except Exception as error:
                log.warning("ratings have to wait", exc_info=error, seconds=pause.total_seconds())
                self._idle.set()
                await self._wake_or(pause)
                pause = min(pause * 2, _MAX_PAUSE)
                continue
            pause = _MIN_PAUSE
            if not self._woken.is_set():
                self._idle.set()
                await self._woken.wait()

    async def _wake_or(self, pause: timedelta) -> None:
        waiting = [
            asyncio.create_task(self._woken.wait()),
            asyncio.create_task(self._clock.until(self._clock() + pause)),
        ]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

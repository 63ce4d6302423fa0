"""Recomputes outdated ratings in the background."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

import structlog

from bot.ratings.recomputing import BATCH, recompute_outdated
from bot.retries import retrying, until
from data import outdated_ratings

if TYPE_CHECKING:
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class RecomputingTask:
    """Recomputes outdated ratings: those left over at the start, then whenever there are any."""

    def __init__(self, store: Store, *, batch: int = BATCH, pause: float = 1.0) -> None:
        """Rate a batch of results of a store at once; pause so many seconds after a failure."""
        self._store = store
        self._batch = batch
        self._pause = pause
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
        while True:
            await self._woken.wait()
            async for attempt in retrying(_failed, pause=self._pause, sleep=self._sleep):
                with attempt:
                    self._woken.clear()
                    if games := await recompute_outdated(self._store, batch=self._batch):
                        log.info("ratings recomputed", games=games)
            if not self._woken.is_set():
                self._idle.set()

    async def _sleep(self, seconds: float) -> None:
        self._idle.set()
        await until(self._woken)(seconds)
        self._idle.clear()


def _failed(error: BaseException) -> bool:
    if isinstance(error, Exception):
        log.warning("ratings have to wait", exc_info=error)
    return isinstance(error, Exception)

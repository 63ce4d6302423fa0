"""The analysis queue: every finished match is analysed in the background, for mistakes and puzzles.

The transaction that ends a match also puts it in the queue. One worker process at a time takes it
from there; analyses that users ask for come first.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from bot.analysis.service import check
from bot.errors import NotAllowed
from bot.workers.pool import WorkerFailure
from data import analyses, computer_tasks
from data.computer_tasks import Kind
from data.errors import StoreError

if TYPE_CHECKING:
    from bot.analysis.service import Analyses
    from bot.matches.service import Matches
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_ATTEMPTS: Final = 3
_PAUSE: Final = 30.0
"""Seconds until the next attempt after an error of the store."""


class AnalysisQueue:
    """Analyses finished matches, one after the other."""

    def __init__(self, store: Store, matches: Matches, analyses: Analyses) -> None:
        """Work through the queue of a store."""
        self._store = store
        self._matches = matches
        self._analyses = analyses
        self._task: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        store.listen(Kind.ANALYSIS.topic, lambda _: self.wake())

    def start(self, *, after: float = 0.0) -> None:
        """Start working through the queue, after some seconds."""
        if self._task is None:
            self._idle.clear()
            self._task = asyncio.create_task(self._work(after), name="analysis-queue")

    def wake(self) -> None:
        """Check the queue for new matches."""
        if self._task is not None:
            self._idle.clear()
        self._woken.set()

    async def idle(self) -> None:
        """Wait until the queue is empty."""
        await self._idle.wait()

    async def close(self) -> None:
        """Stop; the queue is stored."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        self._idle.set()

    async def _work(self, after: float) -> None:
        await asyncio.sleep(after)
        warm = False
        while True:
            self._woken.clear()
            try:
                async with self._store.read() as tx:
                    waiting = await computer_tasks.waiting(tx, Kind.ANALYSIS, 1)
                if waiting:
                    self._idle.clear()
                    await self._next(waiting[0])
                    continue
            except StoreError as error:
                log.warning("analysis waits for the store", why=str(error))
                await asyncio.sleep(_PAUSE)
                continue
            self._idle.set()
            if not warm:
                warm = True
                await self._analyses.warm_up()
                continue
            await self._woken.wait()

    async def _next(self, match_id: int) -> None:
        """Analyse a match from the queue, which drops it after some failed attempts."""
        async with self._store.write() as tx:
            attempts = await computer_tasks.tried(tx, Kind.ANALYSIS, match_id)
            known = await analyses.of(tx, match_id)
            if known is not None or attempts > _ATTEMPTS:
                await computer_tasks.remove(tx, Kind.ANALYSIS, match_id)
                return
        view = await self._matches.view(match_id)
        try:
            check(view)
            await self._analyses.start(view)
        except NotAllowed:
            async with self._store.write() as tx:
                await computer_tasks.remove(tx, Kind.ANALYSIS, match_id)
        except WorkerFailure as error:
            log.warning("match not analysed", match=match_id, why=str(error))

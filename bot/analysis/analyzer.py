"""Runs analyses of whole matches in workers; one run serves everyone who asks for it."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Any, Final

from bot.workers.requests import match_arguments

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from bot.analysis.report import AnalysisReport
    from bot.matches.positions import MatchView
    from bot.workers.fair_queue import Requester
    from bot.workers.pool import WorkerPool

MIN_ENTRIES: Final = 4
"""Shorter matches are not analysed."""

_SECONDS_PER_ENTRY: Final = 0.25
_MAX_SECONDS: Final = 60.0
"""Computing time for one match."""
_GRACE: Final = 60.0
"""Seconds beyond the computing time until the worker is killed."""
_PATIENCE: Final = 240.0
"""Seconds until a user who waits is told to ask again."""


class MatchAnalyzer:
    """The analyses running now, by the name of their match or record."""

    def __init__(self, workers: WorkerPool) -> None:
        """Compute in these workers."""
        self._workers = workers
        self._running: dict[str, asyncio.Task[AnalysisReport]] = {}

    def start(
        self, name: str, work: Callable[[], Coroutine[Any, Any, AnalysisReport]]
    ) -> asyncio.Task[AnalysisReport]:
        """Return the task of an analysis, started unless it runs already."""
        task = self._running.get(name)
        if task is None:
            task = asyncio.create_task(work(), name=f"analysis-{name}")
            self._running[name] = task
            task.add_done_callback(lambda _: self._running.pop(name, None))
        return task

    async def wait(
        self, name: str, work: Callable[[], Coroutine[Any, Any, AnalysisReport]]
    ) -> AnalysisReport:
        """Return the report of an analysis, which goes on if the wait is given up.

        Raises:
            TimeoutError: it takes too long to wait for.
            WorkerFailure: it failed.

        """
        async with asyncio.timeout(_PATIENCE):
            return await asyncio.shield(self.start(name, work))

    async def compute(
        self,
        view: MatchView,
        log: Sequence[str],
        *,
        seed: str,
        requester: Requester,
        puzzles: bool,
    ) -> dict[str, Any]:
        """Analyse a finished match in a worker; return the result of its task.

        Args:
            view: the match.
            log: all its moves and throws.
            seed: determines all randomness.
            requester: shares the workers fairly with others.
            puzzles: whether to look for puzzles too.

        Raises:
            WorkerFailure: there is no result.

        """
        seconds = min(_SECONDS_PER_ENTRY * len(log), _MAX_SECONDS)
        computed: dict[str, Any] = await self._workers.run(
            "analyse",
            {
                "match": match_arguments(view, log),
                "result": result(view),
                "seed": int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6]),
                "seconds": seconds,
                "puzzles": puzzles,
            },
            requester=requester,
            limit=seconds + _GRACE,
        )
        return computed

    async def close(self) -> None:
        """Cancel all analyses."""
        tasks = list(self._running.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def result(view: MatchView) -> list[float] | None:
    """Return the share of each player in the win, in turn order; ``None`` if nobody came first.

    The outcome by the rules takes precedence over the recorded ranks.
    """
    ended = view.outcome
    ranks = [player.rank for player in view.match.players] if ended is None else list(ended.ranks)
    if 1 not in ranks:
        return None
    part = 1 / ranks.count(1)
    return [part if rank == 1 else 0.0 for rank in ranks]

"""Runs analyses of whole matches in workers; one run serves everyone who asks for it."""

from __future__ import annotations

import asyncio
import hashlib
from typing import TYPE_CHECKING, Any, Final

import structlog

from bot.analysis.report import to_json
from bot.errors import Refusal
from bot.workers.fair_queue import Requester
from bot.workers.pool import WorkerFailure
from bot.workers.requests import match_arguments
from engine import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from bot.analysis.report import AnalysisReport
    from bot.matches.positions import MatchView
    from bot.workers.pool import WorkerPool
    from engine.phrase import Phrase

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

MIN_ENTRIES: Final = 4
"""Shorter matches are not analysed."""

_SECONDS_PER_ENTRY: Final = 0.25
_MAX_SECONDS: Final = 60.0
"""Computing time for one match."""
_GRACE: Final = 60.0
"""Seconds beyond the computing time until the worker is killed."""
_PATIENCE: Final = 240.0
"""Seconds until a user who waits is told to ask again."""
_WARM_UP_LIMIT: Final = 600.0
"""Compiling everything takes minutes on a small machine, once."""


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
        self,
        name: str,
        work: Callable[[], Coroutine[Any, Any, AnalysisReport]],
        *,
        late: Phrase,
        failed: Phrase,
    ) -> AnalysisReport:
        """Return the report of an analysis, which goes on if the wait is given up.

        Raises:
            Refusal: it takes too long to wait for, or it failed.

        """
        try:
            async with asyncio.timeout(_PATIENCE):
                return await asyncio.shield(self.start(name, work))
        except TimeoutError as error:
            raise Refusal(late) from error
        except WorkerFailure as error:
            log.warning("not analysed", name=name, why=str(error))
            raise Refusal(failed) from error

    async def compute(
        self,
        view: MatchView,
        entries: Sequence[str],
        *,
        seed: str,
        requester: Requester,
        puzzles: bool,
    ) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Analyse a finished match in a worker; return its report to be stored, and its puzzles.

        Raises:
            WorkerFailure: there is no result.

        """
        seconds = min(_SECONDS_PER_ENTRY * len(entries), _MAX_SECONDS)
        computed = await self._workers.run(
            "analyse",
            {
                "match": match_arguments(view, entries),
                "result": result(view),
                "seed": int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6]),
                "seconds": seconds,
                "puzzles": puzzles,
            },
            requester=requester,
            limit=seconds + _GRACE,
        )
        return to_json(computed["analysis"]), computed["puzzles"]

    async def warm_up(self) -> None:
        """Have everything compiled before the first player needs it."""
        games = {"games": sorted(registry.games())}
        nobody = Requester(0, 0)
        try:
            await self._workers.run("warm_up", games, requester=nobody, limit=_WARM_UP_LIMIT)
        except WorkerFailure as error:
            log.info("kernels are not compiled yet", why=str(error))

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

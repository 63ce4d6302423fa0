"""The analysis queue: every finished match is analysed in the background, for mistakes and puzzles.

The transaction that ends a match also puts it in the queue. One worker process at a time takes it
from there; analyses that users ask for come first. A report is stored and never computed again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from bot.analysis.analyzer import MIN_ENTRIES
from bot.analysis.report import from_json
from bot.errors import NotAllowed
from bot.workers.pool import WorkerFailure
from bot.workers.requests import requester_of
from data import analyses, computer_tasks, matches, puzzles
from data.computer_tasks import Kind
from data.errors import StoreError
from engine.phrase import say

if TYPE_CHECKING:
    from bot.analysis.analyzer import MatchAnalyzer
    from bot.analysis.report import AnalysisReport
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_ATTEMPTS: Final = 3
_PAUSE: Final = 30.0
"""Seconds until the next attempt after an error of the store."""


class AnalysisQueue:
    """Analyses finished matches, one after the other and on request."""

    def __init__(
        self, store: Store, matches: Matches, analyzer: MatchAnalyzer, *, clock: WallClock
    ) -> None:
        """Analyse the matches of a store."""
        self._store = store
        self._matches = matches
        self._analyzer = analyzer
        self._clock = clock
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

    async def ask(self, view: MatchView) -> AnalysisReport:
        """Return the report on a match, computed now if it is not stored.

        Raises:
            NotAllowed: the match is in progress, has no result or is too short.
            Refusal: the analysis takes too long or failed.

        """
        _check(view)
        async with self._store.read() as tx:
            stored = await analyses.of(tx, view.match.id)
        if stored is not None:
            return from_json(stored)
        number = view.match.id
        return await self._analyzer.wait(
            str(number),
            lambda: self._analyse(view),
            late=say(
                "Match #{number} is being looked at, which takes longer than usual. Please "
                "ask again in a few minutes.",
                number=number,
            ),
            failed=say("Match #{number} could not be looked at just now.", number=number),
        )

    async def _analyse(self, view: MatchView) -> AnalysisReport:
        """Analyse a match; store its report and puzzles."""
        match = view.match
        async with self._store.read() as tx:
            log_ = [entry.notation for entry in await matches.log(tx, match.id)]
        report, found = await self._analyzer.compute(
            view, log_, seed=f"study {match.id}", requester=requester_of(view), puzzles=True
        )
        now = self._clock()
        async with self._store.write() as tx:
            await computer_tasks.remove(tx, Kind.ANALYSIS, match.id)
            await analyses.put(tx, match.id, report, now)
            for one in found:
                await puzzles.add(
                    tx,
                    game=match.game,
                    options=match.options,
                    position=one["position"],
                    solution=one["solution"],
                    said={"expected": one["expected"], "margin": one["margin"]},
                    at=now,
                )
        log.info("match analysed", match=match.id, puzzles=len(found))
        return from_json(report)

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
                await self._analyzer.warm_up()
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
            _check(view)
            await self._analyzer.start(str(match_id), lambda: self._analyse(view))
        except NotAllowed:
            async with self._store.write() as tx:
                await computer_tasks.remove(tx, Kind.ANALYSIS, match_id)
        except WorkerFailure as error:
            log.warning("match not analysed", match=match_id, why=str(error))


def _check(view: MatchView) -> None:
    """Raise NotAllowed if there is nothing to analyse."""
    number = view.match.id
    if not view.match.finished:
        raise NotAllowed(
            say(
                "Match #{number} is not over yet. What could have been played better is told "
                "when it is.",
                number=number,
            )
        )
    if any(player.rank is None for player in view.match.players):
        raise NotAllowed(
            say("Match #{number} has no result, so there is nothing to explain.", number=number)
        )
    if view.match.plies < MIN_ENTRIES:
        raise NotAllowed(say("In match #{number} hardly anything was played.", number=number))

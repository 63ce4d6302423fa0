"""Looks at matches after their end, in the background: what went wrong, and puzzles in them.

Every match that ends is put on a list in the store, in the transaction that ends it. One process
works through that list whenever there is nothing else to do; matches that somebody asks about
come first. What was found out is stored and never computed again.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from bot.analysis.analyzer import LEAST_ENTRIES, MatchAnalyzer
from bot.analysis.findings import read, stored
from bot.errors import MatchOver, NotAllowed, TryAgain
from bot.workers.fair_queue import Whose
from bot.workers.pool import WorkerFailure
from data import analyses, chores, matches, puzzles
from data.chores import Kind
from data.errors import StoreError
from engine import registry
from engine.phrase import say

if TYPE_CHECKING:
    from bot.analysis.findings import Findings
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import Clock
    from bot.workers.pool import WorkerPool
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_ATTEMPTS: Final = 3
_PAUSE: Final = 30.0
_UNTIL_WARM: Final = 600.0
"""To compile everything takes minutes on a small machine, once."""


class AnalysisQueue:
    """All matches that are to be looked at."""

    def __init__(
        self, store: Store, matches_: Matches, workers: WorkerPool, *, clock: Clock
    ) -> None:
        """Work on the matches of a store, in the processes that are left for it."""
        self._store = store
        self._matches = matches_
        self._workers = workers
        self._clock = clock
        self._looks = MatchAnalyzer(workers)
        self._steady: asyncio.Task[None] | None = None
        self._woken = asyncio.Event()
        self._rested = asyncio.Event()
        self._rested.set()

    def start(self, *, after: float = 0.0) -> None:
        """Begin to work through the list, after so many seconds."""
        if self._steady is None:
            self._rested.clear()
            self._steady = asyncio.create_task(self._work(after), name="studies")

    def wake(self) -> None:
        """Take notice that the list may have grown."""
        if self._steady is not None:
            self._rested.clear()
        self._woken.set()

    async def rest(self) -> None:
        """Wait until all that is on the list was looked at."""
        await self._rested.wait()

    async def close(self) -> None:
        """Stop; the list stays."""
        if self._steady is not None:
            self._steady.cancel()
            await asyncio.gather(self._steady, return_exceptions=True)
        await self._looks.close()
        self._rested.set()

    async def ask(self, view: MatchView) -> Findings:
        """Return what there is to say of a match, computed now if it was not before.

        Raises:
            NotAllowed: the match goes on, or has no result, or hardly anything was played.
            TryAgain: it takes longer, or failed.

        """
        _check(view)
        async with self._store.read() as tx:
            known = await analyses.of(tx, view.match.id)
        if known is not None:
            return read(known)
        try:
            return await self._looks.wait(str(view.match.id), lambda: self._look(view))
        except TimeoutError as error:
            raise TryAgain(
                say(
                    "Match #{number} is being looked at, which takes longer than usual. Please "
                    "ask again in a few minutes.",
                    number=view.match.id,
                )
            ) from error
        except WorkerFailure as error:
            raise TryAgain(
                say("Match #{number} could not be looked at just now.", number=view.match.id)
            ) from error

    def _study(self, view: MatchView) -> asyncio.Task[Findings]:
        """Return the task that looks at a match."""
        return self._looks.begin(str(view.match.id), lambda: self._look(view))

    async def _look(self, view: MatchView) -> Findings:
        match = view.match
        async with self._store.read() as tx:
            entries = [entry.notation for entry in await matches.log(tx, match.id)]
        said = await self._looks.look(
            view,
            entries,
            seed=f"study {match.id}",
            whose=Whose(match.guild_id or 0, match.players[0].user_id),
            puzzles=True,
        )
        found, now = stored(said["analysis"]), self._clock()
        async with self._store.write() as tx:
            await chores.remove(tx, Kind.STUDY, match.id)
            await analyses.put(tx, match.id, found, now)
            for one in said["puzzles"]:
                await puzzles.add(
                    tx,
                    game=match.game,
                    options=match.options,
                    position=one["position"],
                    solution=one["solution"],
                    said={"expected": one["expected"], "margin": one["margin"]},
                    at=now,
                )
        log.info("a match was looked at", match=match.id, puzzles=len(said["puzzles"]))
        return read(found)

    async def _work(self, after: float) -> None:
        await asyncio.sleep(after)
        warm = False
        while True:
            self._woken.clear()
            try:
                async with self._store.read() as tx:
                    waiting = await chores.waiting(tx, Kind.STUDY, 1)
                if waiting:
                    self._rested.clear()
                    await self._next(waiting[0])
                    continue
            except StoreError as error:
                log.warning("matches cannot be looked at now", why=str(error))
                await asyncio.sleep(_PAUSE)
                continue
            self._rested.set()
            if not warm:
                warm = True
                await self._warm()
                continue
            await self._woken.wait()

    async def _warm(self) -> None:
        """Let what computers need be compiled and kept, so that the first who practise need not wait."""
        try:
            games = {"games": sorted(registry.games())}
            await self._workers.do("warm", games, whose=Whose(0, 0), limit=_UNTIL_WARM)
        except WorkerFailure as error:
            log.info("what computers need is not compiled yet", why=str(error))

    async def _next(self, match_id: int) -> None:
        """Look at a match of the list; after some attempts in vain it is taken off."""
        async with self._store.write() as tx:
            attempts = await chores.tried(tx, Kind.STUDY, match_id)
            known = await analyses.of(tx, match_id)
            if known is not None or attempts > _ATTEMPTS:
                await chores.remove(tx, Kind.STUDY, match_id)
                return
        view = await self._matches.view(match_id)
        try:
            _check(view)
            await self._study(view)
        except (NotAllowed, MatchOver):
            async with self._store.write() as tx:
                await chores.remove(tx, Kind.STUDY, match_id)
        except WorkerFailure as error:
            log.warning("a match could not be looked at", match=match_id, why=str(error))


def _check(view: MatchView) -> None:
    """Refuse matches of which there is nothing to say."""
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
    if view.match.plies < LEAST_ENTRIES:
        raise NotAllowed(say("In match #{number} hardly anything was played.", number=number))

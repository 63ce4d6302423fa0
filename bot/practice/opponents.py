"""Plays the moves of computers: chosen in workers, made like any move, delivered by the outbox.

That a computer is to move is stored with the move before it, so a restart resumes. If a worker
fails, exceeds its limit or is killed, a shorter search follows, and at last a random move: no
match ever gets stuck.
"""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta
from typing import TYPE_CHECKING, Final

import structlog

from bot.errors import MatchOver, OldBoard
from bot.matches import advice
from bot.matches.computers import LEVELS
from bot.matches.stand_ins import computer_level
from bot.retries import retrying, store_failed
from bot.workers.pool import WorkerFailure
from bot.workers.requests import choose_move, seed_of
from data import computer_tasks
from data.computer_tasks import Kind

if TYPE_CHECKING:
    from datetime import datetime

    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.scheduling.wall_clock import WallClock
    from bot.workers.pool import WorkerPool
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

SHORT_WAIT: Final = timedelta(minutes=1)
"""A player who waited no longer is still around and needs no ping."""


class Opponents:
    """All computer players."""

    def __init__(
        self, store: Store, matches: Matches, workers: WorkerPool, *, clock: WallClock
    ) -> None:
        """Play the matches of a store, with moves that workers choose."""
        self._store = store
        self._matches = matches
        self._workers = workers
        self._clock = clock
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._woken: set[int] = set()
        self._closed = False
        store.listen(Kind.MOVE.topic, self.wake)

    def wake(self, match_id: int, *, since: datetime | None = None) -> None:
        """Schedule the computer's move if it is to play; ``since`` is when people began to wait."""
        if self._closed:
            return
        if match_id in self._tasks:
            self._woken.add(match_id)
            return
        work = self._play(match_id, since or self._clock())
        task = asyncio.create_task(work, name=f"computer-{match_id}")
        self._tasks[match_id] = task
        task.add_done_callback(lambda _: self._done(match_id))

    async def recover(self) -> None:
        """Resume every match in which a computer is to move."""
        async with self._store.read() as tx:
            found = await computer_tasks.waiting(tx, Kind.MOVE)
        for match_id in found:
            self.wake(match_id, since=self._clock() - 2 * SHORT_WAIT)
        if found:
            log.info("computers resume", matches=len(found))

    async def idle(self) -> None:
        """Wait until no computer is choosing a move."""
        while self._tasks:
            await asyncio.wait(set(self._tasks.values()))
            await asyncio.sleep(0)

    @property
    def busy(self) -> bool:
        """Whether a computer is to move."""
        return bool(self._tasks)

    async def close(self) -> None:
        """Stop; the moves still due are made after the next start."""
        self._closed = True
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def _done(self, match_id: int) -> None:
        del self._tasks[match_id]
        if match_id in self._woken:
            self._woken.discard(match_id)
            self.wake(match_id)

    async def _play(self, match_id: int, since: datetime) -> None:
        """Make the moves of computers in a match until a person is to move."""
        try:
            async for attempt in retrying(store_failed):
                with attempt:
                    while await self._move(match_id, since):
                        pass
        except Exception:
            log.exception("computer stopped until the next start", match=match_id)

    async def _move(self, match_id: int, since: datetime) -> bool:
        """Make one move; return whether it was a computer's turn."""
        view = await self._matches.view(match_id)
        mover = view.to_move
        level = None if mover is None else computer_level(mover)
        if mover is None or level is None:
            return False
        notation = await self._choose(view, level)
        quietly = view.practice and self._clock() - since <= SHORT_WAIT
        try:
            await self._matches.play(view, mover, notation, quietly=quietly)
        except (OldBoard, MatchOver):
            log.info("the match has moved on", match=match_id)
        return True

    async def _choose(self, view: MatchView, level: int) -> str:
        """Return a legal move, a random one if no search succeeds."""
        legal = view.game.legal_moves(view.state)
        if len(legal) == 1:
            return view.game.write(legal[0])
        async with self._store.read() as tx:
            if view.practice and await advice.in_play(tx, view.game, view.state):
                level = LEVELS[0]  # a good move here would be advice for people who play it
        for tried, seconds in ((level, 1.0), (min(level, 2), 0.3)):
            try:
                thought = await choose_move(
                    self._store, self._workers, view, level=tried, seconds=seconds
                )
            except WorkerFailure as error:
                log.warning("no move found", match=view.match.id, level=tried, why=str(error))
            else:
                return str(thought["notation"])
        return view.game.write(random.Random(seed_of(view)).choice(legal))  # noqa: S311 -- a game

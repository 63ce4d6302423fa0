"""Plays the computers' moves: chosen in workers, made like any move, delivered by the outbox.

A computer's turn is stored with the move before it, so it is never forgotten. If a worker fails,
exceeds its limit or is killed, a shorter search follows, and finally a random move: no match ever
gets stuck.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import structlog

from bot.core.computers import LEVELS
from bot.core.errors import MatchOver, OldBoard
from bot.core.scheduling.wall_clock import WallClock
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.core.workers.progress import Report
from bot.play.matches import advice
from bot.play.matches.computer_players import choose_move, computer_level, seed_of
from bot.play.matches.positions import MatchView
from bot.play.matches.service import Matches
from data import computer_tasks
from data.computer_tasks import Task
from data.matches import matches
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

SHORT_WAIT: Final = timedelta(minutes=1)
"""A player who has waited no longer than this is still around and needs no ping."""


@dataclass(eq=False, repr=False)
class Opponents:
    """All computer players."""

    store: Store
    matches: Matches
    workers: WorkerPool
    clock: WallClock

    async def play(self, task: Task, _: Report) -> None:
        """Make a computer's move in a match.

        A process that has meanwhile lost the task is refused, as for any old board.

        Raises:
            Lost: another process has taken over the task.

        """
        assert task.match_id is not None
        view = await self.matches.view(task.match_id)
        mover = view.to_move
        level = None if mover is None else computer_level(mover)
        if mover is None or level is None:
            async with self.store.write() as tx:
                await computer_tasks.finish(tx, task)
            return
        notation = await self._choose(view, level)
        waited = SHORT_WAIT if task.since is None else self.clock() - task.since
        try:
            # The commit removes the task, or replaces it if a computer moves next too.
            await self.matches.play(
                view, mover, notation, quietly=view.practice and waited <= SHORT_WAIT
            )
        except (OldBoard, MatchOver):
            log.info("the match has moved on", match=view.match.id)

    async def _choose(self, view: MatchView, level: int) -> str:
        """Return a legal move; a random one if no search succeeds."""
        legal = view.game.legal_moves(view.state)
        if len(legal) == 1:
            return view.game.write(legal[0])
        named = level
        async with self.store.read() as tx:
            here = advice.of_position(view.game, view.state)
            if view.practice and await advice.is_closed(tx, here):
                level = LEVELS[0]  # a good move here would be advice
        if level < named:
            await self._ease(view)
        for tried, seconds in ((level, 1.0), (min(level, 2), 0.3)):
            try:
                thought = await choose_move(
                    self.store, self.workers, view, level=tried, seconds=seconds
                )
            except WorkerFailure as error:
                log.warning("no move found", match=view.match.id, level=tried, reason=str(error))
                await self._ease(view)
            else:
                return str(thought["notation"])
        return view.game.write(random.Random(seed_of(view)).choice(legal))  # noqa: S311 -- a game

    async def _ease(self, view: MatchView) -> None:
        """Record that a practice match counts for nothing, before the weaker move is made."""
        if view.practice and not view.match.eased:
            async with self.store.write() as tx:
                await matches.ease(tx, view.match.id)

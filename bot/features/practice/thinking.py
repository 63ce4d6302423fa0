"""What computers think about: hints in practice, and their own moves.

Each turn has one hint, the strongest computer's move and its expected result. It is stored: asking
again repeats it and counts once. The asker waits for a queued task, which a `HintFinder` does in any
of the processes.

A computer's turn is stored with the move before it, so it is never forgotten. Its move is chosen in a
worker and made like any other. If a worker fails, exceeds its limit or is killed, a shorter search
follows, and finally a random move: no match ever gets stuck.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import structlog

from bot.core.computers import LEVELS, STRONGEST, is_practice
from bot.core.errors import MatchOver, NotAllowed, OldBoard, Refusal
from bot.core.i18n.mentions import slash
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers import Report
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.core.workers.task_queue import TaskQueue, Unanswered
from bot.play.matches import advice
from bot.play.matches.computer_players import choose_move, computer_level, requester_of, seed_of
from bot.play.matches.positions import Position, may_move
from bot.play.matches.service import Matches
from data import computer_tasks
from data.computer_tasks import Kind, Task
from data.matches import matches
from data.puzzles import analyses
from data.store.store import Store
from engine.phrase import say

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_SECONDS: Final = 1.0
_TIMEOUT: Final = 30.0
"""Seconds until a waiting user is asked to try again."""


@dataclass(frozen=True, slots=True)
class Hint:
    """A move and its expected result."""

    move: str
    """In notation."""
    expected: float
    """The expected result for the player to move: 1 for a win."""
    second: Sequence[Any] | None
    """The second-best move and its expected result; ``None`` for an only move."""


@dataclass(eq=False, repr=False)
class Hints:
    """Gives hints, which workers find."""

    store: Store
    matches: Matches
    tasks: TaskQueue

    async def give(self, position: Position, user_id: int) -> tuple[Hint, Position]:
        """Return the hint for the player to move, and the match with this hint counted.

        Raises NotAllowed if it is no practice match or closed to advice, Refusal if no worker found
        a move in time, and like `may_move`.
        """
        number = position.match.id
        if not is_practice(position.match):
            raise NotAllowed(
                say(
                    "Hints are for practice games. After this one, `{command}` shows what you "
                    "could have done better.",
                    command=slash("match", "analysis"),
                )
            )
        may_move(position, user_id)
        async with self.store.read() as tx:
            here = advice.of_position(position.game, position.state)
            await advice.require_open(tx, here, advice.hint_refusals())
            stored = await analyses.hint_of(tx, number, position.version)
        if stored is None:
            stored = await self._find(position)
        return Hint(**stored), await self.matches.position(number)

    async def _find(self, position: Position) -> dict[str, Any]:
        number = position.match.id
        try:
            await self.tasks.ask(
                Kind.HINT,
                f"{number}:{position.version}",
                requester_of(position.match),
                limit=_TIMEOUT,
                match_id=number,
            )
        except Unanswered as error:
            raise _nothing() from error
        async with self.store.read() as tx:
            found = await analyses.hint_of(tx, number, position.version)
        if found is None:
            raise _nothing()
        return found


@dataclass(eq=False, repr=False)
class HintFinder:
    """Finds hints in workers and stores them."""

    store: Store
    matches: Matches
    workers: WorkerPool

    async def find(self, task: Task, _: Report) -> None:
        """Find and store the hint for a turn, if it is worth giving."""
        assert task.match_id is not None
        position = await self.matches.position(task.match_id)
        found = None
        if task.name == f"{position.match.id}:{position.version}":
            found = await self._found(position)
        async with self.store.write() as tx:
            if found is not None:
                counted = is_practice(position.match)
                await analyses.add_hint(
                    tx, position.match.id, position.version, found, counted=counted
                )
            await computer_tasks.finish(tx, task)

    async def _found(self, position: Position) -> dict[str, Any] | None:
        try:
            thought = await choose_move(
                self.store, self.workers, position, level=STRONGEST, seconds=_SECONDS
            )
        except WorkerFailure as error:
            log.warning("no hint found", match=position.match.id, reason=str(error))
            return None
        if not thought["evaluated"]:
            return None  # a random move: neither worth showing nor storing
        move, others = thought["notation"], dict(thought["others"])
        expected = others.pop(move)
        best = max(others, key=others.__getitem__, default=None)
        second = None if best is None else [best, min(others[best], expected)]
        return {"move": move, "expected": expected, "second": second}


def _nothing() -> Refusal:
    return Refusal(say("I'm very busy, or have just started. Please ask again in a minute."))


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
        """
        assert task.match_id is not None
        position = await self.matches.position(task.match_id)
        mover = position.to_move
        level = None if mover is None else computer_level(mover)
        if mover is None or level is None:
            async with self.store.write() as tx:
                await computer_tasks.finish(tx, task)
            return
        notation = await self._choose(position, level)
        waited = SHORT_WAIT if task.since is None else self.clock() - task.since
        try:
            # The commit removes the task, or replaces it if a computer moves next too.
            await self.matches.play(
                position, mover, notation, quietly=position.practice and waited <= SHORT_WAIT
            )
        except (OldBoard, MatchOver):
            log.info("the match has moved on", match=position.match.id)

    async def _choose(self, position: Position, level: int) -> str:
        """Return a legal move; a random one if no search succeeds."""
        legal = position.game.legal_moves(position.state)
        if len(legal) == 1:
            return position.game.write(legal[0])
        named = level
        async with self.store.read() as tx:
            here = advice.of_position(position.game, position.state)
            if position.practice and await advice.is_closed(tx, here):
                level = LEVELS[0]  # a good move here would be advice
        if level < named:
            await self._ease(position)
        for tried, seconds in ((level, 1.0), (min(level, 2), 0.3)):
            try:
                thought = await choose_move(
                    self.store, self.workers, position, level=tried, seconds=seconds
                )
            except WorkerFailure as error:
                log.warning(
                    "no move found", match=position.match.id, level=tried, reason=str(error)
                )
                await self._ease(position)
            else:
                return str(thought["notation"])
        return position.game.write(random.Random(seed_of(position)).choice(legal))  # noqa: S311 -- a game

    async def _ease(self, position: Position) -> None:
        """Record that a practice match counts for nothing, before the weaker move is made."""
        if position.practice and not position.match.eased:
            async with self.store.write() as tx:
                await matches.ease(tx, position.match.id)

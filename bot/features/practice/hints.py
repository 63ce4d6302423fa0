"""Hints in practice matches: the strongest computer's move and its expected result.

Each turn has one hint, which is stored: asking again repeats it and counts once. The asker waits
for a queued task, which a `HintFinder` does in any of the processes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog

from bot.core.computers import STRONGEST, is_practice
from bot.core.errors import NotAllowed, Refusal
from bot.core.i18n.slash import slash
from bot.core.workers.pool import WorkerFailure, WorkerPool
from bot.core.workers.progress import Report
from bot.core.workers.task_queue import TaskQueue, Unanswered
from bot.play.matches import advice
from bot.play.matches.computer_players import choose_move, requester_of
from bot.play.matches.positions import MatchView, may_move
from bot.play.matches.service import Matches
from data import computer_tasks
from data.computer_tasks import Kind, Task
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

    async def give(self, view: MatchView, user_id: int) -> tuple[Hint, MatchView]:
        """Return the hint for the player to move, and the match with this hint counted.

        Raises:
            NotAllowed: this is not a practice match, or its position is closed to advice.
            MatchOver, NotForYou, NotYourTurn: the player cannot move now.
            Refusal: no worker found a move in time.

        """
        number = view.match.id
        if not is_practice(view.match):
            raise NotAllowed(
                say(
                    "Hints are for practice games. After this one, `{command}` shows what you "
                    "could have done better.",
                    command=slash("match", "analysis"),
                )
            )
        may_move(view, user_id)
        async with self.store.read() as tx:
            here = advice.of_position(view.game, view.state)
            await advice.require_open(tx, here, advice.hint_refusals())
            stored = await analyses.hint_of(tx, number, view.version)
        if stored is None:
            stored = await self._find(view)
        return Hint(**stored), await self.matches.view(number)

    async def _find(self, view: MatchView) -> dict[str, Any]:
        number = view.match.id
        try:
            await self.tasks.ask(
                Kind.HINT,
                f"{number}:{view.version}",
                requester_of(view),
                limit=_TIMEOUT,
                match_id=number,
            )
        except Unanswered as error:
            raise _nothing() from error
        async with self.store.read() as tx:
            found = await analyses.hint_of(tx, number, view.version)
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
        """Find and store the hint for a turn, if it is worth giving.

        Raises:
            Lost: another process has taken over the task.

        """
        assert task.match_id is not None
        view = await self.matches.view(task.match_id)
        found = None
        if task.name == f"{view.match.id}:{view.version}":
            found = await self._found(view)
        async with self.store.write() as tx:
            if found is not None:
                counted = is_practice(view.match)
                await analyses.add_hint(tx, view.match.id, view.version, found, counted=counted)
            await computer_tasks.finish(tx, task)

    async def _found(self, view: MatchView) -> dict[str, Any] | None:
        try:
            thought = await choose_move(
                self.store, self.workers, view, level=STRONGEST, seconds=_SECONDS
            )
        except WorkerFailure as error:
            log.warning("no hint found", match=view.match.id, reason=str(error))
            return None
        if not thought["evaluated"]:
            return None  # a random move: neither worth showing nor storing
        move, others = thought["notation"], dict(thought["others"])
        expected = others.pop(move)
        best = max(others, key=others.__getitem__, default=None)
        second = None if best is None else [best, min(others[best], expected)]
        return {"move": move, "expected": expected, "second": second}


def _nothing() -> Refusal:
    return Refusal(say("I couldn't think of anything just now. Please ask again in a moment."))

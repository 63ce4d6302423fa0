"""Hints in practice matches: the move of the strongest computer and its expected result.

Each turn has one hint, which is stored: asking again repeats it and counts once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.errors import NotAllowed, Refusal
from bot.i18n.slash import slash
from bot.matches import advice
from bot.matches.computers import STRONGEST, is_practice
from bot.matches.turns import may_move
from bot.workers.pool import WorkerFailure
from bot.workers.requests import choose_move
from data import hints
from engine.phrase import say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.workers.pool import WorkerPool
    from data.store import Store

_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Hint:
    """A move and its expected result."""

    move: str
    """In notation."""
    expected: float
    """The expected result for the player to move: 1 for a win."""
    second: Sequence[Any] | None
    """The second best move and its expected result; ``None`` for the only move."""


class Hints:
    """Finds hints and stores them."""

    def __init__(self, store: Store, matches: Matches, workers: WorkerPool) -> None:
        """Find hints in workers for the matches of a store."""
        self._store = store
        self._matches = matches
        self._workers = workers

    async def give(self, view: MatchView, user_id: int) -> tuple[Hint, MatchView]:
        """Return the hint for the player to move, and the match with the hint counted.

        Raises:
            NotAllowed: not a practice match, or its position is in play elsewhere.
            MatchOver, NotForYou, NotYourTurn: this player cannot move now.
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
        async with self._store.read() as tx:
            if await advice.in_play(tx, view.game, view.state):
                raise NotAllowed(advice.hint_refusal())
            stored = await hints.of(tx, number, view.version)
        if stored is None:
            found = await self._find(view)
            async with self._store.write() as tx:
                stored = await hints.add(tx, number, view.version, found)
        return Hint(**stored), await self._matches.view(number)

    async def _find(self, view: MatchView) -> dict[str, Any]:
        nothing = Refusal(
            say("I couldn't think of anything just now. Please ask again in a moment.")
        )
        try:
            thought = await choose_move(
                self._store, self._workers, view, level=STRONGEST, seconds=_SECONDS
            )
        except WorkerFailure as error:
            raise nothing from error
        if not thought["evaluated"]:
            raise nothing  # any move: not worth telling, and not to be stored
        move, others = thought["notation"], dict(thought["others"])
        expected = others.pop(move)
        best = max(others, key=others.__getitem__, default=None)
        second = None if best is None else [best, min(others[best], expected)]
        return {"move": move, "expected": expected, "second": second}

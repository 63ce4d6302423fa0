"""Hints in practice matches: what the strongest computer would play, and what it expects of it.

Each turn has one hint, which is stored: whoever asks again is told the same, and it counts once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from bot.errors import NotAllowed, TryAgain
from bot.i18n.slash import slash
from bot.matches.computers import STRONGEST, is_practice
from bot.matches.turns import may_move
from bot.workers.pool import WorkerFailure
from bot.workers.requests import LIMIT, position, seed_of, whose
from data import hints, matches
from engine.errors import RulesError
from engine.phrase import say

if TYPE_CHECKING:
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.workers.pool import WorkerPool
    from data.store import Store

_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Hint:
    """A move, and what is expected of it."""

    notation: str
    expected: float
    """The expected result of who plays it: 1 for a win."""
    second: tuple[str, float] | None
    """The next best move and what is expected of that; ``None`` for the only move."""


class Hints:
    """Gives hints."""

    def __init__(self, store: Store, matches_: Matches, workers: WorkerPool) -> None:
        """Think in workers about the matches of a store."""
        self._store = store
        self._matches = matches_
        self._workers = workers

    async def give(self, view: MatchView, user_id: int) -> tuple[Hint, MatchView]:
        """Return the hint for the player to move, and the match, which counts it.

        Raises:
            NotAllowed: no practice match.
            MatchOver, NotForYou, NotYourTurn: as their names say.
            TryAgain: it could not be found out just now.

        """
        number = view.match.id
        if not is_practice(view.match):
            raise NotAllowed(
                say(
                    "Hints are for practice. When match #{number} is over, `{command}` tells "
                    "what could have been played better.",
                    number=number,
                    command=slash("match", "analysis"),
                )
            )
        may_move(view, user_id)
        async with self._store.read() as tx:
            said = await hints.of(tx, number, view.version)
            log = [entry.notation for entry in await matches.log(tx, number)][: view.ply]
        if said is None:
            said = await self._think(view, log)
            async with self._store.write() as tx:
                said = await hints.add(tx, number, view.version, said)
        now = await self._matches.view(number)
        return _read(said), now

    async def _think(self, view: MatchView, log: list[str]) -> dict[str, Any]:
        try:
            thought = await self._workers.do(
                "think",
                {
                    **position(view, log),
                    "level": STRONGEST,
                    "seed": seed_of(view),
                    "seconds": _SECONDS,
                },
                whose=whose(view),
                limit=LIMIT,
            )
            view.game.read(view.state, thought["notation"])
        except (WorkerFailure, RulesError) as error:
            raise TryAgain(
                say("I could not think of anything just now. Please ask again in a moment.")
            ) from error
        others = {move: value for move, value in thought["others"]}  # noqa: C416 - pairs are lists
        mine = others.pop(thought["notation"])
        best = max(others, key=lambda move: float(others[move]), default=None)
        second = None if best is None else [best, min(others[best], mine)]
        return {"move": thought["notation"], "expected": mine, "second": second}


def _read(said: dict[str, Any]) -> Hint:
    second = said["second"]
    return Hint(
        said["move"], float(said["expected"]), None if second is None else (second[0], second[1])
    )

"""What a position of one game is worth in a match of two with sides swapped.

A look tells what the sides of the game being played may expect. Who wins both games wins the
match; one game each is a match drawn, or won by who needed fewer moves. While that is open the
two are taken to be equally likely.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ai.looks import Choice, Looks, Results, Seen
from engine.pair import Standing

if TYPE_CHECKING:
    from collections.abc import Callable


class PairedLooks(Looks):
    """Looks at a match of two games with what looks at one."""

    def __init__(self, single: Looks, start: Any) -> None:
        """Look with ``single`` at a match that begins in a position."""
        self._single = single
        self._start = single.worth(start)

    def decided(self, state: Any, move: Any, *, closely: bool = False) -> Seen:
        """Look at a decision."""
        seen = self._single.decided(state, move, closely=closely)
        scale = self._scale(state)
        return replace(seen, before=scale(seen.before), after=scale(seen.after))

    def thrown(self, state: Any, throw: Any) -> Seen:
        """Look at a throw."""
        seen = self._single.thrown(state, throw)
        scale = self._scale(state)
        return replace(seen, before=scale(seen.before), after=scale(seen.after))

    def worth(self, state: Any) -> Results:
        """Return what is expected in a position in which somebody acts."""
        return self._scale(state)(self._single.worth(state))

    def choice(self, state: Any, *, closely: bool = False) -> Choice:
        """Look at the best move and the second best, of the game being played alone."""
        return self._single.choice(state, closely=closely)

    def _scale(self, state: Standing[Any]) -> Callable[[Results], Results]:
        """Return what turns the results of both sides into those of both seats."""
        if state.first is None:
            # The second game as it looks before it begins: seat 0 has the other side there.
            later = self._start[1]

            def first(sides: Results) -> Results:
                result = (sides[0] + later) / 2
                return result, 1 - result

            return first
        winner = state.first.winner
        if winner is None:
            return lambda sides: (sides[1], sides[0])
        # In the second game the winner's side is the other player's. They may still be faster.
        open_still = state.moves[winner] < state.first.moves
        solace = 0.5 if open_still else 1.0

        def second(sides: Results) -> Results:
            result = sides[1 - winner] + sides[winner] * solace
            return (result, 1 - result) if winner == 0 else (1 - result, result)

        return second


def paired(looks: Looks, start: Any) -> Looks:
    """Return looks at a match that begins in a position, of two games or of one."""
    if isinstance(start, Standing) and start.paired:
        return PairedLooks(looks, start)
    return looks

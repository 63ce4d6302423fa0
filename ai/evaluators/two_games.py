"""Evaluates matches of two games with sides swapped, from evaluations of the single game.

Winning both games wins the match; one game each is a draw, or a win for the player who needed
fewer moves. As long as that is open, both are taken to be equally likely.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ai.evaluators import BestMove, Evaluation, Evaluator, Results
from engine.pair import Standing

if TYPE_CHECKING:
    from collections.abc import Callable


class TwoGameEvaluator(Evaluator):
    """Converts results of the game in progress to those of the match."""

    def __init__(self, single: Evaluator, start: Any) -> None:
        """Evaluate a match that begins in a position; ``single`` evaluates one game."""
        self._single = single
        self._start = single.value(start)

    def decision(self, state: Any, move: Any, *, deep: bool = False) -> Evaluation:
        """Evaluate a decision."""
        evaluated = self._single.decision(state, move, deep=deep)
        scale = self._scale(state)
        return replace(evaluated, before=scale(evaluated.before), after=scale(evaluated.after))

    def throw(self, state: Any, throw: Any) -> Evaluation:
        """Evaluate a throw."""
        evaluated = self._single.throw(state, throw)
        scale = self._scale(state)
        return replace(evaluated, before=scale(evaluated.before), after=scale(evaluated.after))

    def value(self, state: Any) -> Results:
        """Return the expected results of a position in which a seat or chance acts."""
        return self._scale(state)(self._single.value(state))

    def best_move(self, state: Any, *, deep: bool = False) -> BestMove:
        """Return the best move, valued for the game in progress alone."""
        return self._single.best_move(state, deep=deep)

    def _scale(self, state: Standing[Any]) -> Callable[[Results], Results]:
        """Return the function from results of sides to results of seats."""
        if state.first is None:
            # The second game at its start: there seat 0 has the other side.
            later = self._start[1]

            def first(sides: Results) -> Results:
                result = (sides[0] + later) / 2
                return result, 1 - result

            return first
        winner = state.first.winner
        if winner is None:
            return lambda sides: (sides[1], sides[0])
        # In the second game the other player has the winner's side and may still be faster.
        open_still = state.moves[winner] < state.first.moves
        share = 0.5 if open_still else 1.0

        def second(sides: Results) -> Results:
            result = sides[1 - winner] + sides[winner] * share
            return (result, 1 - result) if winner == 0 else (1 - result, result)

        return second


def for_match(single: Evaluator, start: Any) -> Evaluator:
    """Return an evaluator of a match of one game or two, given that of one game."""
    if isinstance(start, Standing) and start.paired:
        return TwoGameEvaluator(single, start)
    return single

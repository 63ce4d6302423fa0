"""Evaluates matches of two games with sides swapped, from evaluations of the single game.

Winning both games wins the match; one win each is a draw, or a win for the player who needed fewer
moves. While that is open, both are assumed equally likely.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ai.evaluators import BestMove, Evaluation, Evaluator, Results
from engine.pair import Standing


class TwoGameEvaluator(Evaluator):
    """Converts results of the game in progress to those of the match."""

    def __init__(self, single: Evaluator, start: Any) -> None:
        """Evaluate a match that begins in a position; ``single`` evaluates one game."""
        self._single = single
        self._start = single.value(start)

    def decision(self, state: Any, move: Any, *, deep: bool = False) -> Evaluation:
        """Evaluate a decision."""
        evaluated = self._single.decision(state, move, deep=deep)
        scale = match_results(state, self._start[1])
        return replace(evaluated, before=scale(evaluated.before), after=scale(evaluated.after))

    def throw(self, state: Any, throw: Any) -> Evaluation:
        """Evaluate a throw."""
        evaluated = self._single.throw(state, throw)
        scale = match_results(state, self._start[1])
        return replace(evaluated, before=scale(evaluated.before), after=scale(evaluated.after))

    def value(self, state: Any) -> Results:
        """Return the expected results of a position in which a seat or chance acts."""
        return match_results(state, self._start[1])(self._single.value(state))

    def best_move(self, state: Any, *, deep: bool = False) -> BestMove:
        """Return the best move, valued for the game in progress alone."""
        return self._single.best_move(state, deep=deep)


def match_results(state: Standing[Any], later: float) -> Callable[[Results], Results]:
    """Return the function from results of the sides to results of the seats in the match.

    Args:
        state: of a match of two games.
        later: the expected result of the second side at the start of a game; seat 0 has it in the
            second game.

    """
    if state.first is None:

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

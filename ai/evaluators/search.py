"""Evaluates with the search of a game's fast board."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ai.evaluators import BestMove, Evaluation, Evaluator, Results
from ai.evaluators.endgame import solve
from ai.kernels import Board
from ai.position import Fast, inner, shares
from ai.search.comparison import Comparison, compare
from ai.search.maxn import MaxN
from ai.search.searcher import Searcher
from engine.game import CHANCE
from engine.registry import AnyGame

_AHEAD: Final = 1
"""Depth, in throws, of every evaluation in a game with throws."""
_DEEPEST: Final = 40
_DEEP_FACTOR: Final = 8
"""Factor on the positions for a deep evaluation, or for solving an endgame."""


class SearchEvaluator(Evaluator):
    """Evaluates by search."""

    def __init__(self, game: AnyGame, board: Fast, players: int, nodes: int) -> None:
        """Search about ``nodes`` positions for each entry."""
        self._game = game
        self._board = board
        self._players = players
        self._nodes = nodes
        make = Searcher if players == 2 else MaxN
        self._searcher = make(board, players)
        self._searcher.compile()

    def decision(self, state: Any, move: Any, *, deep: bool = False) -> Evaluation:
        """Evaluate a decision."""
        position = inner(state)
        board = self._board.encode(position)
        number = self._board.read(board, self._game.write(move))
        found = self._compare(position, number, deep=deep)
        best = self._board.notation(board, found.best)
        return Evaluation(found.top, found.less, best, found.margin, found.choices)

    def best_move(self, state: Any, *, deep: bool = False) -> BestMove:
        """Return the best move of a position."""
        position = inner(state)
        board = self._board.encode(position)
        found = self._compare(position, None, deep=deep)
        place = self._board.kernels.actor(board)
        best = self._board.notation(board, found.best)
        return BestMove(best, found.top[place], found.margin, found.choices)

    def throw(self, state: Any, throw: Any) -> Evaluation:
        """Evaluate a throw together with all other possible throws."""
        odds = self._game.odds(state)
        throws = list(odds)
        children = [self._game.after(state, one) for one in throws]
        # All at the same depth: the deepest that the budget allows for every one of them
        for depth in (_AHEAD, 0):
            values = [self._searched(child, depth) for child in children]
            if all(values):
                break
        else:
            values = [self._static(child) for child in children]
        found = dict(zip(throws, values, strict=True))
        before = tuple(
            sum(float(odds[one]) * result[place] for one, result in found.items() if result)
            for place in range(self._players)
        )
        after = found[throw]
        assert after is not None
        return Evaluation(before, after)

    def value(self, state: Any) -> Results:
        """Return the expected results of a position in which a seat or chance acts."""
        if self._game.actor(state) is CHANCE:
            return self.throw(state, next(iter(self._game.odds(state)))).before
        return self._compare(inner(state), None, deep=False).top

    def _compare(self, position: Any, move: int | None, *, deep: bool) -> Comparison:
        board = self._board.encode(position)
        found = solve(self._board, board, move, self._nodes * _DEEP_FACTOR)
        if found is not None:
            return found
        return compare(
            self._searcher,
            board,
            self._board.past(position),
            move,
            nodes=self._nodes * (_DEEP_FACTOR if deep else 1),
            depth=self._depth(board, deep=deep),
        )

    def _depth(self, board: Board, *, deep: bool) -> int:
        """Return the maximum search depth for a decision."""
        if self._board.throws:
            return _AHEAD + deep
        if self._board.exact is None:
            return _DEEPEST
        # Static evaluations are blind to a solvable endgame: stop half way to it.
        room = np.zeros(self._board.most_moves, np.int64)
        return int(self._board.kernels.moves(board, room)) // 2 + 1

    def _searched(self, state: Any, depth: int) -> Results | None:
        """Return the expected results after a search, or ``None`` if the budget runs out."""
        ended = self._game.outcome(state)
        if ended is not None:
            return shares(ended)
        position = inner(state)
        board, past = self._board.encode(position), self._board.past(position)
        return self._searcher.evaluate(board, past, depth, self._nodes)

    def _static(self, state: Any) -> Results:
        ended = self._game.outcome(state)
        if ended is not None:
            return shares(ended)
        out = np.zeros(self._board.seats)
        board = self._board.encode(inner(state))
        self._board.kernels.evaluate(board, self._board.weights(), out)
        return tuple(map(float, out[: self._players]))

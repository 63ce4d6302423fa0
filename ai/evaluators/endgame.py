"""Solves endgames exactly: who wins with each move."""

from __future__ import annotations

import numpy as np

from ai.kernels import Board
from ai.position import Fast
from ai.search.alphabeta import CONTROL, LIMIT
from ai.search.comparison import Comparison


def solve(fast: Fast, board: Board, move: int | None, nodes: int) -> Comparison | None:
    """Compare the best move with another if the endgame can be solved.

    Args:
        fast: the game, for two players.
        board: a position in which a seat acts.
        move: a legal move; ``None`` for the second best.
        nodes: maximum number of positions per move, roughly.

    Returns:
        What `ai.search.comparison.compare` returns, or ``None`` if it cannot be solved.

    """
    if fast.exact is None:
        return None
    out = np.zeros(fast.most_moves, np.int64)
    moves = out[: fast.kernels.moves(board, out)]
    results = np.zeros(len(moves))
    known = 0
    while known < len(moves):  # stops at each move that wins
        control = np.zeros(CONTROL, np.int64)
        control[LIMIT] = nodes
        told = fast.exact(board, moves[known:], results[known:], control)
        if not told:
            return None
        known += told
    value = {int(one): float(result) for one, result in zip(moves, results, strict=True)}
    ranked = sorted(value, key=lambda one: (-value[one], one != move))
    best, second = ranked[0], ranked[min(1, len(ranked) - 1)]
    other = second if move is None else move
    less = second if other == best else other
    return Comparison(
        best,
        _results(fast, board, value[best]),
        other,
        _results(fast, board, value[other]),
        value[best] - value[less],
        len(ranked),
        len(ranked),
        0,
    )


def _results(fast: Fast, board: Board, mine: float) -> tuple[float, ...]:
    """Return both results, given that of the seat to act."""
    return (mine, 1 - mine) if fast.kernels.actor(board) == 0 else (1 - mine, mine)

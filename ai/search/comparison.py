"""Compares the best move with another one at the same depth.

Values from different depths are not comparable, since the deeper search knows more. So all values
come from the last depth at which both moves were searched completely.
"""
# ruff: noqa: SLF001 - part of the searcher, in its own module

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ai.kernels import Board
from ai.search.alphabeta import ABORTED, NODES
from ai.search.searcher import Searcher, update_values

_DECIDED: Final = 1e-3
"""Values closer than this to a win or a loss are decided."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The values of two moves at the same depth. Results are by seat, in turn order."""

    best: int
    """The best move; the one asked about if none is better."""
    top: tuple[float, ...]
    """Expected results with the best move."""
    other: int
    """The move asked about, else the second best; the best one if it is the only move."""
    less: tuple[float, ...]
    """Expected results with that move; never better for the mover."""
    margin: float
    """What the best move gains over the second best, or over the move asked about if that is not
    the best."""
    choices: int
    """Number of legal moves."""
    depth: int
    """Search depth; 0 if only the positions right after the moves were evaluated."""
    nodes: int
    """Positions searched."""


def compare(
    searcher: Searcher,
    board: Board,
    past: Sequence[Board],
    move: int | None = None,
    *,
    nodes: int,
    depth: int,
) -> Comparison:
    """Compare the best move with another one.

    Args:
        searcher: the game's searcher.
        board: a position in which a seat acts.
        past: earlier positions that may recur, oldest first.
        move: a legal move; ``None`` for the second best.
        nodes: maximum number of positions.
        depth: maximum depth.

    """
    searcher._begin(board, past, nodes)
    moves = searcher._legal(board)
    value = dict(zip(moves, searcher._evaluate_moves(board, moves), strict=True))
    found = _comparison(searcher, value, move, 0)
    for deeper in range(1, depth + 1):
        order = sorted(moves, key=lambda one: -value[one])
        out = searcher._iterate(order, deeper, whole=False)
        if searcher.control[ABORTED]:
            break
        update_values(value, order, out, whole=False)
        best = order[int(np.argmax(out))]
        others = [one for one in order if one != best and move in {None, best, one}]
        if others:
            out = searcher._iterate(others, deeper, whole=False)
            if searcher.control[ABORTED]:
                break
            # The search of all moves gave only upper bounds for these; now they are exact.
            for one, result in zip(others, out, strict=True):
                value[one] = float(result)
        found = _comparison(searcher, value, move, deeper)
        if len(moves) == 1 or not _DECIDED < value[found.best] < 1 - _DECIDED:
            break
    return found


def _comparison(
    searcher: Searcher, value: dict[int, float], move: int | None, depth: int
) -> Comparison:
    ranked = sorted(value, key=lambda one: (-value[one], one != move))
    best = ranked[0]
    second = ranked[min(1, len(ranked) - 1)]
    other = second if move is None else move
    less = second if other == best else other
    return Comparison(
        best,
        searcher._equity(best, value[best]),
        other,
        searcher._equity(other, value[other]),
        value[best] - value[less],
        len(ranked),
        depth,
        int(searcher.control[NODES]),
    )

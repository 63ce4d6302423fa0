"""Looks at the best move and at another one, both equally deep.

What two looks of different depth say cannot be compared: the deeper one also knows more. So all
that is said about a decision comes from the last depth at which both moves were looked at wholly.
"""
# ruff: noqa: SLF001 - a part of the searcher that stands in a module of its own

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from ai.search.alphabeta import BROKEN, NODES
from ai.search.searcher import learn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ai.kernels import Board
    from ai.search.searcher import Searcher

_CERTAIN: Final = 1e-3
"""Who is nearer to a win or a loss than this has it in sight."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What one look says of two moves. Results are everybody's, in turn order."""

    best: int
    """The best move; the one that was asked about where none is better."""
    top: tuple[float, ...]
    """The expected results with the best move."""
    other: int
    """The move that was asked about, else the second best; the best one if it is the only move."""
    less: tuple[float, ...]
    """The expected results with that one; never better for who makes it."""
    margin: float
    """How much more the mover may expect with the best move than with the second best.

    Where a move was asked about that is not the best one: than with that, which is at least this.
    """
    choices: int
    """How many legal moves there are."""
    depth: int
    """How deep both were looked at; 0 where only the positions right after were valued."""
    nodes: int
    """How many positions were looked at."""


def compare(
    searcher: Searcher,
    board: Board,
    past: Sequence[Board],
    move: int | None = None,
    *,
    nodes: int,
    depth: int,
) -> Compared:
    """Compare the best move with another one.

    Args:
        searcher: looks.
        board: where a seat acts.
        past: the earlier positions that can come again, oldest first.
        move: a legal move; ``None`` for the second best.
        nodes: how many positions may be looked at.
        depth: how deep at most.

    """
    searcher._begin(board, past, nodes)
    moves = searcher._legal(board)
    value = dict(zip(moves, searcher._glance(board, moves), strict=True))
    found = _told(searcher, value, move, 0)
    for deeper in range(1, depth + 1):
        order = sorted(moves, key=lambda one: -value[one])
        out = searcher._iterate(order, deeper, whole=False)
        if searcher.control[BROKEN]:
            break
        learn(value, order, out, whole=False)
        best = order[int(np.argmax(out))]
        others = [one for one in order if one != best and move in {None, best, one}]
        if others:
            out = searcher._iterate(others, deeper, whole=False)
            if searcher.control[BROKEN]:
                break
            # The look at all moves told at most what these are worth, now it is known.
            for one, result in zip(others, out, strict=True):
                value[one] = float(result)
        found = _told(searcher, value, move, deeper)
        if len(moves) == 1 or not _CERTAIN < value[found.best] < 1 - _CERTAIN:
            break
    return found


def _told(searcher: Searcher, value: dict[int, float], move: int | None, depth: int) -> Compared:
    ranked = sorted(value, key=lambda one: (-value[one], one != move))
    best = ranked[0]
    second = ranked[min(1, len(ranked) - 1)]
    other = second if move is None else move
    less = second if other == best else other
    return Compared(
        best,
        searcher._equity(best, value[best]),
        other,
        searcher._equity(other, value[other]),
        value[best] - value[less],
        len(ranked),
        depth,
        int(searcher.control[NODES]),
    )

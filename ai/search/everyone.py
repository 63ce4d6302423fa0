"""Max^n: with three or four seats, everybody plays for their own expected result.

Values are one row of expected results for each ply, one number a seat, summing to 1. Nothing can
be left out as in alpha-beta, so lines are shorter. Depth counts as in `ai.search.alphabeta`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numba import int64, void

from ai.kernels import (
    BOARDS,
    FLOATS_2,
    GAME,
    INTS,
    INTS_2,
    WEIGHTS,
    Boards,
    Floats,
    Ints,
    Weights,
    kernel,
    settle,
)
from ai.search.alphabeta import BROKEN, CHANCE, COUNT, HERO, LIMIT, NODES, OVER, PLIES, STOP, THROWS
from ai.search.searcher import Searcher
from ai.search.waiting import CHANCES, LIKELIEST

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ai.kernels import Board
    from ai.position import Fast

SIGNATURE: Final = void(
    GAME, BOARDS, INTS_2, FLOATS_2, FLOATS_2, WEIGHTS, INTS, int64, int64
)  # fmt: skip


@kernel
def look(
    game: Any,
    boards: Boards,
    moves_of: Boards,
    values: Floats,
    told: Floats,
    weights: Weights,
    control: Ints,
    ply: int,
    depth: int,
) -> None:
    """Write what the board at a ply is worth to everybody into the row of that ply.

    Args:
        game: the functions of the game.
        boards: a row for each ply; that of this ply is filled.
        moves_of: a row of moves for each ply; in the root they stand there already.
        values: a row for each ply.
        told: receives what each move in the root is worth to everybody.
        weights: of the evaluation.
        control: counts and settings, see `ai.search.alphabeta`.
        ply: how far from the root.
        depth: how far to look.

    """
    actor, moves, play, throw, result, evaluate, _, _ = game
    control[NODES] += 1
    if control[NODES] >= control[LIMIT] or control[STOP]:
        control[BROKEN] = 1
        return
    board, worth = boards[ply], values[ply]
    who = actor(board)
    if who == OVER:
        result(board, worth)
        return
    if ply >= PLIES - 2 or (depth <= 0 and (who == CHANCE or not control[THROWS])):
        evaluate(board, weights, worth)
        return
    if who == CHANCE:
        worth[:] = 0.0
        for plain in LIKELIEST:
            throw(board, plain, boards[ply + 1])
            look(game, boards, moves_of, values, told, weights, control, ply + 1, depth - 1)
            if control[BROKEN]:
                return
            for seat in range(len(worth)):
                worth[seat] += CHANCES[plain] * values[ply + 1, seat]
        return
    root = ply == 0 and control[COUNT] > 0
    found = moves_of[ply]
    count = control[COUNT] if root else moves(board, found)
    best = -1.0
    deeper = depth if control[THROWS] else depth - 1
    for n in range(count):
        play(board, found[n], boards[ply + 1])
        look(game, boards, moves_of, values, told, weights, control, ply + 1, deeper)
        if control[BROKEN]:
            return
        if root:
            told[n] = values[ply + 1]
        if values[ply + 1, who] > best:
            best = values[ply + 1, who]
            worth[:] = values[ply + 1]


class Everyone(Searcher):
    """Searches positions of one game for three or four players, each for themselves."""

    def __init__(self, board: Fast, players: int) -> None:
        """Make room for searches of a game."""
        super().__init__(board, players)
        self._rows = np.zeros((PLIES, board.seats))
        self._known: dict[int, tuple[float, ...]] = {}

    def weigh(
        self, board: Board, past: Sequence[Board], depth: int, nodes: int
    ) -> tuple[float, ...] | None:
        """Return everybody's expected result, or ``None`` where the positions do not suffice."""
        self._begin(board, past, nodes)
        self._look_at(np.zeros((0, self.fast.seats)), depth)
        if self.control[BROKEN]:
            return None
        return tuple(map(float, self._rows[0, : self.players]))

    def compile(self) -> None:
        """Compile what a search needs, or load it where it was compiled before."""
        self.fast.compile()
        settle(look, SIGNATURE)

    def _iterate(self, order: Sequence[int], depth: int, *, whole: bool) -> Floats:  # noqa: ARG002 - it always is
        count = len(order)
        self._moves[0, :count] = order
        self.control[COUNT] = count
        told = np.full((count, self.fast.seats), -1.0)
        self._look_at(told, depth)
        for move, row in zip(order, told, strict=True):
            if row[0] >= 0:
                self._known[move] = tuple(map(float, row[: self.players]))
        return told[:, self.control[HERO]]

    def _equity(self, move: int, value: float) -> tuple[float, ...]:
        return self._known.get(move) or super()._equity(move, value)

    def _begin(self, board: Board, past: Sequence[Board], nodes: int) -> None:
        super()._begin(board, past, nodes)
        self._known.clear()

    def _look_at(self, told: Floats, depth: int) -> None:
        look(
            tuple(self.fast.kernels),
            self._boards,
            self._moves,
            self._rows,
            told,
            self._weights,
            self.control,
            0,
            depth,
        )

"""Max^n search: with three or four seats, every seat maximises its own expected result.

Values are a row of expected results per ply, one for each seat, summing to 1. Alpha-beta pruning
does not apply, so searches are shallower. Depth counts as in `ai.search.alphabeta`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numba import int64, void

from ai.kernels import (
    BOARDS,
    FLOATS_2,
    GAME,
    INTS,
    INTS_2,
    WEIGHTS,
    Board,
    Boards,
    Floats,
    Ints,
    Weights,
    kernel,
    settle,
)
from ai.position import Fast
from ai.search.alphabeta import (
    ABORTED,
    CHANCE,
    HERO,
    LIMIT,
    NODES,
    OVER,
    PLIES,
    ROOT_COUNT,
    STOP,
    THROWS,
)
from ai.search.passing_throws import BY_LIKELIHOOD, CHANCES
from ai.search.searcher import Searcher

SIGNATURE: Final = void(
    GAME, BOARDS, INTS_2, FLOATS_2, FLOATS_2, WEIGHTS, INTS, int64, int64
)  # fmt: skip


@kernel
def search(
    game: Any,
    boards: Boards,
    moves_of: Boards,
    values: Floats,
    root_values: Floats,
    weights: Weights,
    control: Ints,
    ply: int,
    depth: int,
) -> None:
    """Write the expected results of all seats at a ply into the row of that ply.

    Args:
        game: the game's kernels.
        boards: a row for each ply; the row of this ply is filled.
        moves_of: a row of moves for each ply; the row of the root may be filled.
        values: a row for each ply.
        root_values: receives the expected results of all seats for each move at the root.
        weights: evaluation weights.
        control: counts and settings, see `ai.search.alphabeta`.
        ply: distance from the root.
        depth: remaining depth.

    """
    actor, moves, play, throw, result, evaluate, _, _ = game
    control[NODES] += 1
    if control[NODES] >= control[LIMIT] or control[STOP]:
        control[ABORTED] = 1
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
        for plain in BY_LIKELIHOOD:
            throw(board, plain, boards[ply + 1])
            search(
                game, boards, moves_of, values, root_values, weights, control, ply + 1, depth - 1
            )
            if control[ABORTED]:
                return
            for seat in range(len(worth)):
                worth[seat] += CHANCES[plain] * values[ply + 1, seat]
        return
    root = ply == 0 and control[ROOT_COUNT] > 0
    found = moves_of[ply]
    count = control[ROOT_COUNT] if root else moves(board, found)
    best = -1.0
    deeper = depth if control[THROWS] else depth - 1
    for n in range(count):
        play(board, found[n], boards[ply + 1])
        search(game, boards, moves_of, values, root_values, weights, control, ply + 1, deeper)
        if control[ABORTED]:
            return
        if root:
            root_values[n] = values[ply + 1]
        if values[ply + 1, who] > best:
            best = values[ply + 1, who]
            worth[:] = values[ply + 1]


class MaxN(Searcher):
    """Searches positions of one game for three or four players."""

    def __init__(self, board: Fast, players: int) -> None:
        """Allocate the tables for searches of a game."""
        super().__init__(board, players)
        self._rows = np.zeros((PLIES, board.seats))
        self._row_of: dict[int, tuple[float, ...]] = {}

    def evaluate(
        self, board: Board, past: Sequence[Board], depth: int, nodes: int = 1 << 62
    ) -> tuple[float, ...] | None:
        """Return the expected results, ``None`` if the limit is too low for the depth."""
        self._begin(board, past, nodes)
        self._maximise(np.zeros((0, self.fast.seats)), depth)
        if self.control[ABORTED]:
            return None
        return tuple(map(float, self._rows[0, : self.players]))

    def compile(self) -> None:
        """Compile the search, or load it if compiled before."""
        self.fast.compile()
        settle(search, SIGNATURE)

    def _iterate(self, order: Sequence[int], depth: int, *, whole: bool) -> Floats:  # noqa: ARG002 - always true
        count = len(order)
        self._moves[0, :count] = order
        self.control[ROOT_COUNT] = count
        root_values = np.full((count, self.fast.seats), -1.0)
        self._maximise(root_values, depth)
        for move, row in zip(order, root_values, strict=True):
            if row[0] >= 0:
                self._row_of[move] = tuple(map(float, row[: self.players]))
        return root_values[:, self.control[HERO]]

    def _equity(self, move: int, value: float) -> tuple[float, ...]:
        return self._row_of.get(move) or super()._equity(move, value)

    def _begin(self, board: Board, past: Sequence[Board], nodes: int) -> None:
        super()._begin(board, past, nodes)
        self._row_of.clear()

    def _maximise(self, root_values: Floats, depth: int) -> None:
        search(
            tuple(self.fast.kernels),
            self._boards,
            self._moves,
            self._rows,
            root_values,
            self._weights,
            self.control,
            0,
            depth,
        )

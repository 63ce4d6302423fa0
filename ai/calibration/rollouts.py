"""Games played on from a position by the evaluation alone, for games with throws."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import int64, uint64, void

from ai.kernels import (
    BOARDS,
    FLOATS,
    GAME,
    INTS,
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

LONGEST: Final = 5000
"""Longer games would add nothing to any seat; none is that long."""
SIGNATURE: Final = void(GAME, BOARDS, INTS, FLOATS, WEIGHTS, FLOATS, int64, uint64)
_PLAIN: Final = np.array([0, *(1,) * 4, *(2,) * 6, *(3,) * 4, 4], np.int64)


@kernel
def best(
    game: Any, board: Board, found: Ints, into: Board, values: Floats, weights: Weights
) -> int:
    """Return the move after which the seat to act has the highest value."""
    actor, moves, play, _, result, evaluate, _, _ = game
    seat, count = actor(board), moves(board, found)
    chosen, most = found[0], -1.0
    if count == 1:
        return int(chosen)
    for n in range(count):
        play(board, found[n], into)
        if actor(into) < -1:
            result(into, values)
        else:
            evaluate(into, weights, values)
        if values[seat] > most:
            chosen, most = found[n], values[seat]
    return int(chosen)


@kernel
def play_on(
    game: Any,
    boards: Boards,
    found: Ints,
    values: Floats,
    weights: Weights,
    totals: Floats,
    games: int,
    seed: Any,
) -> None:
    """Play games from the board in row 3, using the others; add up their results."""
    actor, _, play, throw, result, _, _, _ = game
    dice = seed
    for _ in range(games):
        boards[0, :] = boards[3]
        now = 0
        for _ply in range(LONGEST):
            who = actor(boards[now])
            if who < -1:
                result(boards[now], values)
                for seat in range(len(totals)):
                    totals[seat] += values[seat]
                break
            if who < 0:
                dice ^= dice << np.uint64(13)
                dice ^= dice >> np.uint64(7)
                dice ^= dice << np.uint64(17)
                throw(boards[now], _PLAIN[dice >> np.uint64(60)], boards[1 - now])
            else:
                move = best(game, boards[now], found, boards[2], values, weights)
                play(boards[now], move, boards[1 - now])
            now = 1 - now


class Rollouts:
    """Plays on in one game."""

    def __init__(self, board: Fast) -> None:
        """Compile or load the kernels."""
        self._fast = board
        board.compile()
        settle(play_on, SIGNATURE)

    def results(self, start: Board, games: int, seed: int) -> list[float]:
        """Return the mean results of all seats in games from a position."""
        board = self._fast
        boards = np.zeros((4, board.size), np.int32)
        boards[3] = start
        totals, values = np.zeros(board.seats), np.zeros(board.seats)
        found = np.zeros(board.most_moves, np.int64)
        play_on(
            tuple(board.kernels), boards, found, values, board.weights(), totals, games, seed | 1
        )
        return [float(total) / games for total in totals]

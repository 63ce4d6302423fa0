"""Random playouts on a fast board."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numba import int64, uint64, void

from ai.kernels import BOARDS, GAME, INTS, Board, Boards, Ints, kernel, settle
from ai.position import Fast

MAX_PLIES: Final = 5000
"""Longer games are abandoned; repetition is not checked."""
SIGNATURE: Final = void(GAME, BOARDS, INTS, INTS, int64, uint64)
_PLAIN: Final = np.array([0, *(1,) * 4, *(2,) * 6, *(3,) * 4, 4], np.int64)


@kernel
def _played(game: Any, boards: Boards, found: Ints, counts: Ints, games: int, seed: Any) -> None:
    """Play games from the board in row 2, the other rows as scratch; count moves and throws."""
    actor, moves, play, throw, _, _, _, _ = game
    dice = seed
    for _game in range(games):
        boards[0, :] = boards[2]
        now = 0
        for _ply in range(MAX_PLIES):
            who = actor(boards[now])
            if who < -1:
                break
            dice ^= dice << np.uint64(13)
            dice ^= dice >> np.uint64(7)
            dice ^= dice << np.uint64(17)
            lot = dice >> np.uint64(32)
            if who < 0:
                counts[1] += 1
                throw(boards[now], _PLAIN[lot & np.uint64(15)], boards[1 - now])
            else:
                counts[0] += 1
                count = moves(boards[now], found)
                # The upper half of the product is as uniform as a remainder and cheaper
                chosen = np.int64((lot * np.uint64(count)) >> np.uint64(32))
                play(boards[now], found[chosen], boards[1 - now])
            now = 1 - now


class Played(NamedTuple):
    """Totals of some playouts."""

    moves: int
    """Decisions of a seat."""
    throws: int


class Playouts:
    """Plays random games of one game."""

    def __init__(self, board: Fast) -> None:
        """Compile or load the kernels."""
        self._fast = board
        board.compile()
        settle(_played, SIGNATURE)

    def play(self, start: Board, games: int, seed: int = 1) -> Played:
        """Play games from a position to the end; return the totals."""
        boards = np.zeros((3, self._fast.size), np.int32)
        boards[2] = start
        found = np.zeros(self._fast.most_moves, np.int64)
        counts = np.zeros(2, np.int64)
        _played(tuple(self._fast.kernels), boards, found, counts, games, seed | 1)
        return Played(int(counts[0]), int(counts[1]))

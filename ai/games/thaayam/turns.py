"""Whole turns: every position that using up a series can lead to.

A single decision of a turn says little. So search and training look at *ends*: the positions after
the last throw of a series is used, each once, however many orders of moves lead to it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ai.games.thaayam.evaluation import win_probabilities
from ai.games.thaayam.fast import (
    ADVANCE,
    BEAR_OFF,
    EIGHTS,
    FOURS,
    LAST,
    MOST_MOVES,
    MOVE,
    ONES,
    OVER,
    PHASE,
    SIZE,
    TURN,
    TWINS,
    key,
    moves,
    number,
    play,
    result,
    settle,
)
from ai.games.thaayam.sides import CODE
from ai.kernels import Board, Boards, Floats, Ints, Weights, Words, kernel

TABLE: Final = 1 << 12
_FEW: Final = 256
"""Positions examined by `evaluate`, which must be quick."""
POOL: Final = 2000
"""Maximum positions examined per turn; a long series has more, and the last are left out."""


@kernel
def turn_ends(state: Board, pool: Boards, table: Words, found: Ints) -> int:
    """Find all ends of a turn.

    Any way to use a series can be reordered to the same end: pieces enter first, then move, the
    rearmost first. Declaring twins restarts the order.

    Args:
        state: a position; if no seat is to move, it is the only end.
        pool: scratch rows, at most `POOL`.
        table: scratch words, a power of two and more than the rows.
        found: receives the numbers of the rows that are ends.

    Returns:
        The number of ends.

    """
    pool[0] = state
    if state[PHASE] != MOVE:
        found[0] = 0
        return 1
    out, floors = np.empty(MOST_MOVES, np.int64), np.zeros(len(pool), np.int64)
    table[:] = 0
    stack = np.empty(len(pool), np.int64)
    stack[0] = 0
    known, count, high = 1, 0, 1
    while high:
        high -= 1
        at = stack[high]
        here = pool[at]
        for index in range(moves(here, out)):
            if known == len(pool):
                break
            move = out[index]
            kind = move & 3
            floor = 0
            if kind == ADVANCE:
                floor = 1 + (move >> 2 & CODE)
            if floor < floors[at] and kind not in (TWINS, BEAR_OFF):
                continue
            play(here, move, pool[known])
            ended = pool[known, PHASE] != MOVE
            if ended:
                floor = 0
            mixed = key(pool[known]) + np.uint64(floor) | np.uint64(1)
            slot = (mixed >> np.uint64(32)) & np.uint64(len(table) - 1)
            while table[slot] != 0 and table[slot] != mixed:
                slot = (slot + np.uint64(1)) & np.uint64(len(table) - 1)
            if table[slot] == 0:
                table[slot] = mixed
                floors[known] = floor
                if ended:
                    found[count] = known
                    count += 1
                else:
                    stack[high] = known
                    high += 1
                known += 1
    return count


@kernel
def settled(state: Board, w: Weights, out: Floats) -> None:
    """Write the result of a finished game, or the network's win probabilities."""
    if state[PHASE] == OVER:
        result(state, out)
    else:
        win_probabilities(state, w, out)


@kernel
def best_end(pool: Boards, found: Ints, count: int, me: int, w: Weights) -> int:
    """Return the row of the end that the network rates best for a seat."""
    out = np.empty(4)
    best, highest = 0, -1.0
    for index in range(count):
        settled(pool[found[index]], w, out)
        if out[me] > highest:
            best, highest = found[index], out[me]
    return best


@kernel
def evaluate(state: Board, w: Weights, out: Floats) -> None:
    """Write each seat's win probability, also within a turn.

    Throws in hand are assumed to be used as well as possible, and a series under way to end with
    the next throw.
    """
    if state[PHASE] != MOVE and not (state[ONES] or state[FOURS] or state[EIGHTS]):
        win_probabilities(state, w, out)
        return
    pool, table = np.empty((_FEW, SIZE), np.int32), np.empty(2 * _FEW, np.uint64)
    found, part = np.empty(_FEW, np.int64), np.empty(4)
    me = number(state, TURN)
    if state[PHASE] == MOVE:
        count = turn_ends(state, pool, table, found)
        settled(pool[best_end(pool, found, count, me, w)], w, out)
        return
    for index in range(4):
        out[index] = 0.0
    after = np.empty(SIZE, np.int32)
    for last, chance in ((2, 0.6), (3, 0.4)):
        after[:] = state
        after[LAST] = last
        settle(after)
        count = turn_ends(after, pool, table, found)
        settled(pool[best_end(pool, found, count, me, w)], w, part)
        for index in range(4):
            out[index] += chance * part[index]

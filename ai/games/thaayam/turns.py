"""Whole turns: all positions that a series can be used up to, whichever way it is used.

One decision of a turn says little. So search and training look at *ends*: the positions after the
last throw of a series has been used, each once however many orders lead to it.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ai.games.thaayam.chances import SERIES
from ai.games.thaayam.evaluation import evaluate
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
    TWINS,
    Row,
    key,
    moves,
    play,
    result,
    settle,
)
from ai.games.thaayam.sides import CODE
from ai.kernels import kernel

Rows = NDArray[np.int32]

TABLE_BITS: Final = 12
TABLE: Final = 1 << TABLE_BITS
POOL: Final = 2000
"""Positions of one turn that are looked at; long series have more, and the last are left out."""


@kernel
def deal(state: Row, series: int, struck: bool, into: Row) -> None:  # noqa: FBT001 - a kernel
    """Write the position after a whole series, with a lost turn passed over.

    Args:
        state: a seat is about to begin its series.
        series: which, as a row of `SERIES`.
        struck: whether the series begins with the 1 that a seat with nothing on the board needs.
        into: what to write.

    """
    into[:] = state
    into[ONES] = int(SERIES[series, 1]) + int(struck)
    into[FOURS] = int(SERIES[series, 2])
    into[EIGHTS] = int(SERIES[series, 3])
    into[LAST] = int(SERIES[series, 4])
    settle(into)


@kernel
def turn_ends(state: Row, pool: Rows, table: NDArray[np.uint64], found: NDArray[np.int64]) -> int:
    """Find all ends of a turn.

    Any way to use a series can be put in this order without another end: first pieces enter, then
    they move, those behind first. Declaring twins begins the order anew.

    Args:
        state: a seat is to move, or else this is the only end.
        pool: `POOL` rows to work in.
        table: `TABLE` words to work in.
        found: receives the numbers of the rows that are ends.

    Returns:
        How many there are.

    """
    pool[0] = state
    if state[PHASE] != MOVE:
        found[0] = 0
        return 1
    out, floors = np.empty(MOST_MOVES, np.int64), np.zeros(POOL, np.int64)
    table[:] = 0
    stack = np.empty(POOL, np.int64)
    stack[0] = 0
    known, number, high = 1, 0, 1
    while high:
        high -= 1
        at = stack[high]
        here = pool[at]
        for index in range(moves(here, out)):
            if known == POOL:
                break
            move = out[index]
            kind = move & 3
            floor = 0
            if kind == ADVANCE:
                floor = 1 + (move >> 2 & CODE)
            if floor < floors[at] and kind != TWINS and kind != BEAR_OFF:
                continue
            play(here, move, pool[known])
            ended = pool[known, PHASE] != MOVE
            if ended:
                floor = 0
            mixed = key(pool[known]) + np.uint64(floor) | np.uint64(1)
            slot = mixed >> np.uint64(64 - TABLE_BITS)
            while table[slot] != 0 and table[slot] != mixed:
                slot = (slot + np.uint64(1)) & np.uint64(TABLE - 1)
            if table[slot] == 0:
                table[slot] = mixed
                floors[known] = floor
                if ended:
                    found[number] = known
                    number += 1
                else:
                    stack[high] = known
                    high += 1
                known += 1
    return number


@kernel
def value_0(state: Row, w: NDArray[np.float32], out: NDArray[np.float64]) -> None:
    """Write the result of a game that is over, or what the evaluation says."""
    if state[PHASE] == OVER:
        result(state, out)
    else:
        evaluate(state, w, out)


@kernel
def best_end(
    pool: Rows, found: NDArray[np.int64], number: int, me: int, w: NDArray[np.float32]
) -> int:
    """Return which of the ends found is best for a seat by the evaluation."""
    out = np.empty(4)
    best, highest = 0, -1.0
    for index in range(number):
        value_0(pool[found[index]], w, out)
        if out[me] > highest:
            best, highest = found[index], out[me]
    return best

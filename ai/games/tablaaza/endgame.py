"""Solves positions once few enough plots are vacant.

A depth-first search with a transposition table. Only wins and losses count, so it stops at the
first winning move. Plots facing the same vacant plots are equivalent, so only one of them is tried;
plots facing many others come first, since they decide most.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numba import int64

from ai.games.tablaaza.fast import BIT_AT, FACING, HALF, SEAT, mix, number, spared
from ai.kernels import BOARD, FLOATS, INTS, WORDS, Board, Floats, Ints, Words, kernel
from ai.kernels import settle as compiled
from ai.search.alphabeta import LIMIT, NODES, STOP
from engine.games.tablaaza.board import GREEN, RED

UNKNOWN: Final = -1
"""Returned when the budget is used up."""
HOPELESS: Final = 30
"""With more vacant plots than this, a second is never enough."""
TABLE: Final = 1 << 20
_DEEPEST: Final = 2 * HALF + 2


@kernel
def size(plots: int) -> int:
    """Return the number of plots in a set."""
    count = 0
    while plots:
        plots &= plots - 1
        count += 1
    return count


@kernel
def loud(state: Board, move: int) -> int:
    """Return the number of pavilions a stone raises."""
    seat = 1 if move >= HALF else 0
    own, other = number(state, seat), number(state, 1 - seat)
    return size(other) - size(spared(own & ~(1 << (move - HALF * seat)), other, move))


@kernel
def candidates(own: int, other: int, first: int, found: Ints) -> int:
    """Write the plots to try, one of each equivalent group, those facing most first.

    Args:
        own: the mover's vacant plots.
        other: the other side's vacant plots.
        first: the number of the mover's first plot.
        found: receives the numbers of the plots.

    Returns:
        Their number.

    """
    count, left = 0, own
    while left:
        bit = left & -left
        left ^= bit
        plot = first + BIT_AT[bit % 37]
        faced = other & FACING[plot]
        same = False
        for index in range(count):
            if other & FACING[found[index]] == faced:
                same = True
                break
        if same:
            continue
        many, index = size(faced), count
        while index > 0 and size(other & FACING[found[index - 1]]) < many:
            found[index] = found[index - 1]
            index -= 1
        found[index] = plot
        count += 1
    return count


@kernel
def word(own: int, other: int, seat: int) -> Any:
    """Pack a position into one word."""
    red, green = (other, own) if seat else (own, other)
    return np.uint64(red) | np.uint64(green) << np.uint64(HALF) | np.uint64(seat) << np.uint64(50)


@kernel
def wins(own: int, other: int, seat: int, table: Words, control: Ints) -> int:
    """Return 1 if the mover wins, 0 if not, `UNKNOWN` if the budget is used up.

    Args:
        own: the mover's vacant plots.
        other: the other side's vacant plots.
        seat: the mover.
        table: solved positions, its length a power of two; reusable from call to call.
        control: node count and limits, see `ai.search.alphabeta`.

    """
    mask = np.uint64(len(table) - 1)
    owns, others = np.zeros(_DEEPEST, np.int64), np.zeros(_DEEPEST, np.int64)
    tried, counts = np.zeros(_DEEPEST, np.int64), np.zeros(_DEEPEST, np.int64)
    plots, words = np.zeros((_DEEPEST, HALF), np.int64), np.zeros(_DEEPEST, np.uint64)
    owns[0], others[0] = own, other
    depth, value, entering = 0, 0, True
    while True:
        turn = (seat + depth) & 1
        if entering:  # first visit on this line
            here = word(owns[depth], others[depth], turn)
            known = table[mix(here) & mask]
            entering = False
            value = 0
            if owns[depth] == 0:
                counts[depth] = -1
            elif known >> np.uint64(1) == here:
                value = int(np.int64(known & np.uint64(1)))
                counts[depth] = -1
            else:
                control[NODES] += 1
                if control[NODES] >= control[LIMIT] or control[STOP]:
                    return UNKNOWN
                words[depth] = here
                tried[depth] = 0
                counts[depth] = candidates(owns[depth], others[depth], HALF * turn, plots[depth])
        if value == 1 or tried[depth] >= counts[depth]:
            if counts[depth] >= 0:
                table[mix(words[depth]) & mask] = words[depth] << np.uint64(1) | np.uint64(value)
            if depth == 0:
                return value
            depth -= 1
            value = 1 - value
            continue
        plot = plots[depth, tried[depth]]
        tried[depth] += 1
        left = owns[depth] & ~(1 << (plot - HALF * turn))
        others[depth + 1] = left
        owns[depth + 1] = spared(left, others[depth], plot)
        depth += 1
        entering = True


@kernel
def solve(board: Board, moves: Ints, values: Floats, table: Words, control: Ints) -> int:
    """Write 1 or 0 for each move, won or lost, up to the first win; return their number."""
    seat = number(board, SEAT)
    own, other = number(board, seat), number(board, 1 - seat)
    for index in range(len(moves)):
        plot = moves[index]
        left = own & ~(1 << (plot - HALF * seat))
        answer = wins(spared(left, other, plot), left, 1 - seat, table, control)
        if answer == UNKNOWN:
            return index
        values[index] = 1.0 - answer
        if answer == 0:
            return index + 1
    return len(moves)


def exact(board: Board, moves: Ints, values: Floats, control: Ints) -> int:
    """Write whether moves win, 1 or 0, in order; return how many were solved.

    Stops at the first win, or once the budget is used up.
    """
    if size(int(board[RED])) + size(int(board[GREEN])) > HOPELESS:
        return 0
    return solve(board, moves, values, np.zeros(TABLE, np.uint64), control)


def settle() -> None:
    """Compile the kernels of `exact`, or load them if compiled before."""
    compiled(size, int64(int64))
    compiled(solve, int64(BOARD, INTS, FLOATS, WORDS, INTS))

"""Who wins, for certain, once few enough plots are vacant.

A search by depth with a table of what is known. Nothing but wins and losses is asked, so it stops
at the first answer that wins. Two plots that have the same vacant plots facing them do the same,
so only one of them is tried; plots that face many others come first, for they decide most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numba import int64

from ai.games.tablaaza.fast import BIT_AT, FACING, HALF, SEAT, mix, number, spared
from ai.kernels import BOARD, FLOATS, INTS, WORDS, kernel
from ai.kernels import settle as compiled
from ai.search.alphabeta import LIMIT, NODES, STOP
from engine.games.tablaaza.board import GREEN, RED

if TYPE_CHECKING:
    from ai.kernels import Board, Floats, Ints, Words

UNKNOWN: Final = -1
"""Said when the budget was used up."""
HOPELESS: Final = 30
"""With more vacant plots than this no budget of a second suffices."""
TABLE: Final = 1 << 20
_DEEPEST: Final = 2 * HALF + 2


@kernel
def size(plots: int) -> int:
    """Return how many plots there are in a set."""
    count = 0
    while plots:
        plots &= plots - 1
        count += 1
    return count


@kernel
def loud(state: Board, move: int) -> int:
    """Return how many pavilions a stone raises."""
    seat = 1 if move >= HALF else 0
    own, other = number(state, seat), number(state, 1 - seat)
    return size(other) - size(spared(own & ~(1 << (move - HALF * seat)), other, move))


@kernel
def candidates(own: int, other: int, first: int, found: Ints) -> int:
    """Write the plots to try, one of those that do the same, those that face most first.

    Args:
        own: the vacant plots of who plays.
        other: those of the other side.
        first: the number of the first plot of who plays.
        found: receives the numbers of plots.

    Returns:
        How many there are.

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
    """Return a position as one word."""
    red, green = (other, own) if seat else (own, other)
    return np.uint64(red) | np.uint64(green) << np.uint64(HALF) | np.uint64(seat) << np.uint64(50)


@kernel
def wins(own: int, other: int, seat: int, table: Words, control: Ints) -> int:
    """Return 1 if who plays wins, 0 if not, `UNKNOWN` if the budget does not suffice to tell.

    Args:
        own: the vacant plots of who plays.
        other: those of the other side.
        seat: who plays.
        table: what is known, a power of two; kept from call to call.
        control: counts positions and says when to stop, see `ai.search.alphabeta`.

    """
    mask = np.uint64(len(table) - 1)
    owns, others = np.zeros(_DEEPEST, np.int64), np.zeros(_DEEPEST, np.int64)
    tried, counts = np.zeros(_DEEPEST, np.int64), np.zeros(_DEEPEST, np.int64)
    plots, words = np.zeros((_DEEPEST, HALF), np.int64), np.zeros(_DEEPEST, np.uint64)
    owns[0], others[0] = own, other
    depth, value, entering = 0, 0, True
    while True:
        turn = (seat + depth) & 1
        if entering:  # a position that was not met on this line before
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
    """Write for each of some moves whether it wins, as 1 or 0, until one does; return how many."""
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
    """Write for the first so many of some moves whether they win, 1 or 0; return how many.

    It stops at a move that wins, and where the budget is used up.
    """
    if size(int(board[RED])) + size(int(board[GREEN])) > HOPELESS:
        return 0
    return solve(board, moves, values, np.zeros(TABLE, np.uint64), control)


def settle() -> None:
    """Compile what `exact` needs, or load it where it was compiled before."""
    compiled(size, int64(int64))
    compiled(solve, int64(BOARD, INTS, FLOATS, WORDS, INTS))

"""The rules of Tablaaza on a few integers, for the search.

Only vacant plots matter, as `RULES.md` of the engine's game shows. Call two vacant plots of
different colours neighbours if they share a corridor. A turn removes a vacant plot of the mover's
colour and every plot of the other colour left without a neighbour (a pavilion rises there). A side
with no plot to take has lost.

A state is a row of `SIZE` int32: the vacant red and green plots, both in the engine's bit order,
and the seat to play.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ai.kernels import Board, Floats, Ints, kernel
from engine.games.tablaaza.board import BITS, GREEN, NEEDS, NEIGHBOURS, OF, PLOTS, RED

SEAT: Final = 2
SIZE: Final = 3
HALF: Final = OF[RED].bit_count()
"""Plots of each colour; a move is the number of a plot, and red plots are below this."""
FULL: Final = (1 << HALF) - 1
MOST_MOVES: Final = HALF + 1


def _other_colour(plots: int) -> int:
    """Shift a set of plots of one colour so that bit 0 is the first plot of that colour."""
    return plots & FULL or plots >> HALF


FACING: Final = np.array([_other_colour(NEEDS[BITS[plot]]) for plot in PLOTS])
"""By plot: the plots of the other colour that share a corridor with it."""
NEIGHBOURLY: Final = np.array([_other_colour(NEIGHBOURS[plot] & OF[GREEN]) for plot in PLOTS])
"""By plot of Red's first stone: where Green may answer."""
BIT_AT: Final = np.array([{pow(2, n, 37): n for n in range(36)}.get(rest, 0) for rest in range(37)])
"""A single bit's number, by its remainder modulo 37, which differs for the first 36 powers of 2."""


@kernel
def number(state: Board, index: int) -> int:
    """Return a field, widened, since kernels are compiled again for every integer type."""
    return int(np.int64(state[index]))


@kernel
def actor(state: Board) -> int:
    """Return the seat to play, -2 if it has nowhere to play."""
    seat = int(state[SEAT])
    return seat if state[seat] else -2


@kernel
def choices(red: int, green: int, seat: int) -> int:
    """Return the plots a seat may play on."""
    if seat == RED:
        return red
    if green == FULL:
        stone = FULL ^ red
        for plot in range(HALF):
            if stone >> plot & 1:
                return int(NEIGHBOURLY[plot])
    return green


@kernel
def moves(state: Board, out: Ints) -> int:
    """Write the plots the seat may play on; return their number."""
    seat = int(state[SEAT])
    left = choices(int(state[RED]), int(state[GREEN]), seat)
    number, plot = 0, HALF * seat
    while left:
        if left & 1:
            out[number] = plot
            number += 1
        left >>= 1
        plot += 1
    return number


@kernel
def spared(own: int, other: int, plot: int) -> int:
    """Return the plots of the other colour that stay vacant.

    Args:
        own: the mover's vacant plots, without the one being played on.
        other: the vacant plots of the other colour.
        plot: the number of the plot being played on.

    """
    first = HALF if plot < HALF else 0
    lost = 0
    touched = other & FACING[plot]
    while touched:
        bit = touched & -touched
        touched ^= bit
        if not own & FACING[first + BIT_AT[bit % 37]]:
            lost |= bit
    return other & ~lost


@kernel
def play(state: Board, move: int, into: Board) -> None:
    """Write the position after a stone and the pavilions it raises."""
    seat = 1 if move >= HALF else 0
    own = number(state, seat) & ~(1 << (move - HALF * seat))
    into[seat] = own
    into[1 - seat] = spared(own, number(state, 1 - seat), move)
    into[SEAT] = 1 - seat


@kernel
def result(state: Board, out: Floats) -> None:
    """Write 0 for the seat with nowhere to play, 1 for the other."""
    out[state[SEAT]] = 0.0
    out[1 - state[SEAT]] = 1.0


@kernel
def key(state: Board) -> Any:
    """Return a hash of the whole position."""
    mixed = np.uint64(state[RED]) | np.uint64(state[GREEN]) << np.uint64(HALF)
    return mix(mixed | np.uint64(state[SEAT]) << np.uint64(2 * HALF))


@kernel
def mix(word: Any) -> Any:
    """Mix a word so that every bit depends on all of its bits."""
    word = (word ^ (word >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return word ^ (word >> np.uint64(31))

"""The board as integers: the layout of a state in an array, and the tables that kernels read.

A seat's men are one integer with the bits of their places set, as in the engine. The array stores
it in two parts of 24 bits, since its numbers have 32.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from ai.kernels import Board, kernel
from engine.games.tablan.board import COURSES, GOAL, GOAL_START, HOME, LENGTH, OUTSIDE, ROW

__all__ = ["GOAL", "GOAL_START", "HOME", "LENGTH", "OUTSIDE", "ROW"]

SIZE: Final = 11
"""Length of a state: men and unmoved men of both seats, then the fields below."""
_FRESH: Final = 4
SEAT: Final = 6
"""The seat to throw or move; after the end, the seat that moved last."""
PHASE: Final = 7
SCORE: Final = 8
"""The score in hand: 2, 8, 12, or 0 if no seat is to move."""
TOGETHER: Final = 9
OPTIONS: Final = 10

START: Final = 0
THROW: Final = 1
MOVE: Final = 2
OVER: Final = 3
"""The phases, in the engine's order."""

OPPOSED: Final = 1
UNLOCK: Final = 2
BOTH_DONE: Final = 4
FIRST_FINISHER: Final = 8
ORDER: Final = 4
"""Bits of the options; the order of the last row starts at bit `ORDER`."""
FREE: Final = 0
FURTHEST_FIRST: Final = 1
NEAREST_FIRST: Final = 2

SCORES: Final = np.array((12, 2, 0, 0, 8), dtype=np.int64)
"""What a throw scores, by the number of plain sides up."""

_COURSES: Final = (COURSES["alongside"], COURSES["opposed"])
ACROSS: Final = np.array([course.across for course in _COURSES], dtype=np.int64)
"""By course, seat and place: the other seat's place on the same square."""
INTRUDERS: Final = np.array([course.intruders for course in _COURSES], dtype=np.int64)
"""By course, seat and the enemy's last row: the places of the seat's home row that enemies hold."""
_TURNED: Final = np.array(
    [sum(1 << 11 - bit for bit in range(12) if row >> bit & 1) for row in range(HOME + 1)], np.int64
)
"""Every row reversed."""


@intrinsic
def _count(_context: Any, mask: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.ctpop(values[0])

    return types.int64(mask), emit


@intrinsic
def _lowest(_context: Any, mask: Any) -> Any:
    def emit(_context: Any, builder: Any, _signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], cgutils.true_bit)

    return types.int64(mask), emit


count: Final = cast("Callable[[int], int]", _count)
"""Returns the number of set bits in a mask."""
lowest: Final = cast("Callable[[int], int]", _lowest)
"""Returns the number of the lowest set bit of a non-empty mask."""


@kernel
def men(state: Board, seat: int) -> int:
    """Return the places of a seat's men."""
    return int(state[2 * seat]) | int(state[2 * seat + 1]) << 24


@kernel
def fresh(state: Board, seat: int) -> int:
    """Return the places of a seat's men that have never moved."""
    return int(state[_FRESH + seat])


@kernel
def put(state: Board, seat: int, men: int, fresh: int) -> None:
    """Write the places of a seat's men, and of those that have never moved."""
    state[2 * seat] = men & 0xFFFFFF
    state[2 * seat + 1] = men >> 24
    state[_FRESH + seat] = fresh


@kernel
def settings(state: Board) -> int:
    """Return the options as bits."""
    return int(state[OPTIONS])


@kernel
def hand(state: Board) -> int:
    """Return the score in hand."""
    return int(state[SCORE])


@kernel
def turn(state: Board) -> int:
    """Return the seat to throw or move."""
    return int(state[SEAT])


@kernel
def across(options: int, men: int) -> int:
    """Translate a mask of either seat's places to the other's: `ACROSS` for all bits at once."""
    first, second, third, last = men & HOME, men >> 12 & HOME, men >> 24 & HOME, men >> 36
    if options & OPPOSED:
        return _TURNED[last] | _TURNED[third] << 12 | _TURNED[second] << 24 | _TURNED[first] << 36
    return last | third << 12 | second << 24 | first << 36

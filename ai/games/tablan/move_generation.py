"""Legal moves: the engine's rules of movement, compiled.

A move is one number: the place of the man that moves the whole score; for a split, the place of
the first man plus 64 times (the place of the second + 1).
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ai.games.tablan.board import (
    FREE,
    GOAL,
    GOAL_START,
    INTRUDERS,
    NEAREST_FIRST,
    OPPOSED,
    ORDER,
    OUTSIDE,
    UNLOCK,
    fresh,
    hand,
    lowest,
    men,
    settings,
    turn,
)
from ai.kernels import Board, Ints, kernel

SPLIT: Final = 64
"""Factor on the place + 1 of the second man of a split."""
MOST_MOVES: Final = 256
"""More than any position has: at most twelve whole moves and twelve times eleven splits."""
UNLOCKING: Final = 2
"""The longest move of a throw that unlocks."""


class Side(NamedTuple):
    """One seat's men against the other's."""

    options: int
    seat: int
    own: int
    """The places of its men."""
    enemy: int
    """The places of the other's men, on the other's course."""
    unmoved: int
    """Its men that have never moved."""


@kernel
def side(state: Board, seat: int) -> Side:
    """Return a seat's side of a position."""
    return Side(settings(state), seat, men(state, seat), men(state, 1 - seat), fresh(state, seat))


@kernel
def closed(side: Side) -> int:
    """Return the places where the side's men may not land."""
    shut = side.own | INTRUDERS[side.options & OPPOSED, side.seat, side.enemy >> GOAL_START]
    order = side.options >> ORDER
    if order != FREE:
        gaps = GOAL & ~side.own
        due = gaps & -gaps
        if order != NEAREST_FIRST:
            while gaps:
                due = gaps & -gaps
                gaps ^= due
        shut |= GOAL & ~due
    return shut


@kernel
def movable(options: int, men: int, unmoved: int, distance: int) -> int:
    """Return the places of the men that are free to move."""
    if options & UNLOCK and distance > UNLOCKING:
        men &= ~unmoved
    return men & OUTSIDE


@kernel
def origins(side: Side, distance: int) -> int:
    """Return the places of the men that may move a distance by themselves."""
    return movable(side.options, side.own, side.unmoved, distance) & ~(closed(side) >> distance)


@kernel
def second_origins(side: Side, half: int, first: int) -> int:
    """Return the places of the men that may move the second half once one has moved the first.

    A capture by the first never opens a place to the second: an enemy that closes one stands on
    its last row and cannot be captured.
    """
    target = 1 << first + half
    moved = Side(side.options, side.seat, side.own ^ 1 << first ^ target, side.enemy, side.unmoved)
    return origins(moved, half) & ~target


@kernel
def later_origins(side: Side, half: int, first: int, firsts: int) -> int:
    """Return the `second_origins` behind ``first``; ``firsts`` are the `origins` of the half."""
    behind = (1 << first) - 1
    if side.options >> ORDER != FREE:
        return second_origins(side, half, first) & behind
    next_behind = side.own & 1 << first >> half  # may move to the place just left
    return firsts & behind | movable(side.options, next_behind, side.unmoved, half)


@kernel
def can_use(side: Side, score: int) -> bool:
    """Return whether a seat can play a score in full."""
    if origins(side, score):
        return True
    half = score >> 1
    firsts = origins(side, half)
    if side.options >> ORDER == FREE and firsts & firsts - 1:
        return True
    while firsts:
        if second_origins(side, half, lowest(firsts)):
            return True
        firsts &= firsts - 1
    return False


@kernel
def stuck(side: Side) -> bool:
    """Return whether a seat has no legal move with any throw."""
    return not (can_use(side, 2) or can_use(side, 8) or can_use(side, 12))


@kernel
def moves(state: Board, out: Ints) -> int:
    """Write the legal moves of the seat to act; return their number."""
    mine, score = side(state, turn(state)), hand(state)
    half = score >> 1
    found = 0
    whole = origins(mine, score)
    while whole:
        out[found] = lowest(whole)
        whole &= whole - 1
        found += 1
    firsts = origins(mine, half)
    left = firsts
    while left:
        first = lowest(left)
        left &= left - 1
        later = later_origins(mine, half, first, firsts)
        while later:
            out[found] = first + SPLIT * (lowest(later) + 1)
            later &= later - 1
            found += 1
    if mine.options >> ORDER == NEAREST_FIRST:
        found = _from_behind(mine, half, out, found)
    return found


@kernel
def _from_behind(side: Side, half: int, out: Ints, found: int) -> int:
    """Write the splits that work only with the rear man first; return the number of moves.

    They exist only if the nearest square is filled first.
    """
    firsts = origins(side, half)
    left = firsts
    while left:
        first = lowest(left)
        left &= left - 1
        ahead = second_origins(side, half, first) >> first << first
        while ahead:
            second = lowest(ahead)
            ahead &= ahead - 1
            if not firsts >> second & 1 or not second_origins(side, half, second) >> first & 1:
                out[found] = first + SPLIT * (second + 1)
                found += 1
    return found

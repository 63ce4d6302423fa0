"""The rules of Thaayam on a short array of integers, for search and training.

A state is a row of `SIZE` int32: the four packed sides (see `sides`), then the fields named below.
Sides and the turn count only the seats taken, in turn order. Throws are kept as a count of each
score, since their order matters only in rule 7; throws that rule would strike are never stored.
Enemies never block a move, as in the engine.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ai.games.thaayam.packing import most
from ai.games.thaayam.sides import (
    ABSENT,
    ALL_IN_HAND,
    ALL_OFF,
    CODE,
    FIELD,
    NOTHING,
    advanced,
    count,
    declared,
    may_bear_off,
    may_declare,
    replaced,
    rested,
    sent_home,
)
from ai.kernels import Board, Floats, Ints, kernel
from engine.games.thaayam.board import ACROSS, KEEP, MARKED
from engine.games.thaayam.state import HAND, IN_KEEP, OFF, PAIR, SEATS

PLAYERS: Final = 4
"""Number of players: 2, 3 or 4."""
TURN: Final = 5
PHASE: Final = 6
ONES: Final = 7
FOURS: Final = 8
EIGHTS: Final = 9
LAST: Final = 10
"""The 2 or 3 that ended the series; 0 if it is not in hand."""
AGAIN: Final = 11
OPENING: Final = 12
"""Each seat's throw for the start, four bits a seat: 0 if still to throw, `OUT` if out of it."""
SIZE: Final = 13

START: Final = 0
THROW: Final = 1
MOVE: Final = 2
OVER: Final = 3
OUT: Final = 15

ENTER: Final = 0
BEAR_OFF: Final = 1
TWINS: Final = 2
ADVANCE: Final = 3
"""Kinds of move, in the lowest two bits; above them the piece and the throws it uses."""
MOST_MOVES: Final = 512
"""More than any series in a real game allows; moves that do not fit are left out."""

_SCORES: Final = np.array((8, 1, 2, 3, 4))
_FURTHEST: Final = 2 * KEEP + 1

SEAT: Final = np.array([[*SEATS[n], *(0,) * (4 - n)] if n > 1 else [0] * 4 for n in range(5)])
ACROSS_OF: Final = np.array(ACROSS)
SAFE: Final = np.array([place in MARKED for place in range(KEEP + 1)])


@kernel
def begin(players: int, into: Board) -> None:
    """Write the position before the first throw for the start."""
    for index in range(PLAYERS):
        into[index] = ALL_IN_HAND if index < players else ABSENT
    into[PLAYERS:] = 0
    into[PLAYERS] = players


@kernel
def number(state: Board, index: int) -> int:
    """Return a field, widened, since kernels are compiled again for every integer type."""
    return int(np.int64(state[index]))


@kernel
def actor(state: Board) -> int:
    """Return the seat with throws to use, -1 before a throw, -2 at the end."""
    phase = state[PHASE]
    if phase == MOVE:
        return number(state, TURN)
    return -2 if phase == OVER else -1


@kernel
def advance(code: int, ones: int, fours: int, eights: int, last: int) -> int:
    """Encode the move of a piece by the sum of some throws."""
    return ADVANCE | code << 2 | ones << 9 | fours << 15 | eights << 21 | last << 27


@kernel
def moves(state: Board, out: Ints) -> int:
    """Write the moves that let the most throws be used; return their number."""
    if state[PHASE] != MOVE:
        return 0
    side = number(state, number(state, TURN))
    ones, fours, eights = number(state, ONES), number(state, FOURS), number(state, EIGHTS)
    last = number(state, LAST)
    best = most(side, ones, fours, eights, last)
    found = 0
    if ones:
        if count(side, HAND):
            out[found] = ENTER
            found += 1
        elif may_bear_off(side):
            out[found] = BEAR_OFF
            found += 1
    if may_declare(side) and most(declared(side), ones, fours, eights, last) == best:
        out[found] = TWINS
        found += 1
    before = -1
    for index in range(4):
        code = side >> (FIELD * index) & CODE
        if code in (before, NOTHING) or code & 1 or IN_KEEP <= code < PAIR:
            continue
        before = code
        found = _advances(side, code, ones, fours, eights, last, best, out, found)
    return found


@kernel
def _advances(
    side: int,
    code: int,
    ones: int,
    fours: int,
    eights: int,
    last: int,
    best: int,
    out: Ints,
    found: int,
) -> int:
    halves = 1 if code < PAIR else 2
    room = KEEP - code // 2 if code < PAIR else 2 * KEEP - (code - PAIR) + 1
    thrown = ones + fours + eights + int(last > 0)
    for closing in range(2 if last else 1):
        end = last if closing else 0
        for big in range(min(eights, (room - end) // 8) + 1 if room >= end else 0):
            for mid in range(min(fours, (room - end - 8 * big) // 4) + 1):
                heavy = end + 8 * big + 4 * mid
                for small in range(min(ones, room - heavy) + 1):
                    squares = (heavy + small) // halves
                    if squares == 0:
                        continue
                    taken = small + mid + big + closing
                    if taken == thrown or (
                        taken
                        + most(
                            advanced(side, code, squares),
                            ones - small,
                            fours - mid,
                            eights - big,
                            last - end,
                        )
                        == best
                    ):
                        if found == out.size:
                            return found
                        out[found] = advance(code, small, mid, big, end)
                        found += 1
    return found


@kernel
def play(state: Board, move: int, into: Board) -> None:
    """Write the position after a move."""
    into[:] = state
    turn = number(state, TURN)
    side = number(state, turn)
    kind = move & 3
    if kind == ADVANCE:
        code = move >> 2 & CODE
        ones, fours, eights = move >> 9 & 63, move >> 15 & 63, move >> 21 & 63
        last = move >> 27 & 3
        points = ones + 4 * fours + 8 * eights + last
        twins = code >= PAIR
        squares = points // 2 if twins else points
        place = ((code - PAIR if twins else code) >> 1) + squares
        side = advanced(side, code, squares)
        into[ONES] -= ones
        into[FOURS] -= fours
        into[EIGHTS] -= eights
        into[LAST] -= last
        if not SAFE[place]:
            _capture(into, int(turn), place, twins)
    elif kind == TWINS:
        side = declared(side)
    else:
        side = replaced(side, HAND, 0) if kind == ENTER else replaced(side, IN_KEEP, OFF)
        into[ONES] -= 1
    into[turn] = side
    settle(into)


@kernel
def _capture(into: Board, turn: int, place: int, twins: bool) -> None:
    """Send home the enemies that a piece or twins capture on an unmarked place."""
    players = number(into, PLAYERS)
    seat = SEAT[players, turn]
    hit = 0
    for index in range(players):
        if index != turn:
            code = 2 * ACROSS_OF[seat, SEAT[players, index], place]
            side = number(into, index)
            if count(side, code + PAIR):
                if not twins:
                    return
                hit |= 1 << index
            elif count(side, code):
                hit |= 1 << index
    if hit:
        into[AGAIN] = 1
        for index in range(players):
            if hit >> index & 1:
                code = 2 * ACROSS_OF[seat, SEAT[players, index], place]
                into[index] = sent_home(number(into, index), code)


@kernel
def settle(into: Board) -> None:
    """Write what follows with the throws left: more moves, the end or the next turn."""
    turn = number(into, TURN)
    side = number(into, turn)
    if most(
        side, number(into, ONES), number(into, FOURS), number(into, EIGHTS), number(into, LAST)
    ):
        into[PHASE] = MOVE
        return
    side = rested(side)
    into[turn] = side
    again = into[AGAIN]
    into[ONES:OPENING] = 0
    if side == ALL_OFF:
        into[PHASE] = OVER
        return
    into[PHASE] = THROW
    if not again:
        into[TURN] = (turn + 1) % into[PLAYERS]


@kernel
def throw(state: Board, plain: int, into: Board) -> None:
    """Write the position after a throw, ``plain`` being the number of white sides up."""
    into[:] = state
    score = int(_SCORES[plain])
    if state[PHASE] == START:
        _open(into, score)
        return
    side = number(state, number(state, TURN))
    if score == 1:
        into[ONES] += 1
    elif side != ALL_IN_HAND or into[ONES]:  # otherwise rule 7 strikes it
        if score == 4:
            into[FOURS] += 1
        elif score == 8:
            into[EIGHTS] += 1
        else:
            into[LAST] = score
    if score in (2, 3):
        settle(into)


@kernel
def _open(into: Board, score: int) -> None:
    """Write what follows a throw for the start: the next, a round for tied seats, or a turn."""
    players, turn = number(into, PLAYERS), number(into, TURN)
    thrown = number(into, OPENING) | score << 4 * turn
    waiting, highest, tied, first = -1, 0, 0, 0
    for index in range(players):
        one = thrown >> 4 * index & 15
        if one == 0:
            if waiting < 0:
                waiting = index
        elif one != OUT:
            if one > highest:
                highest, tied, first = one, 1, index
            elif one == highest:
                tied += 1
    if waiting < 0 and tied == 1:
        into[OPENING], into[TURN], into[PHASE] = 0, first, THROW
        return
    if waiting < 0:
        waiting, again = first, 0
        for index in range(players):
            if thrown >> 4 * index & 15 != highest:
                again |= OUT << 4 * index
        thrown = again
    into[OPENING], into[TURN] = thrown, waiting


@kernel
def result(state: Board, out: Floats) -> None:
    """Write 1 for the winner, 0 for the others."""
    for index in range(PLAYERS):
        out[index] = 0.0
    out[state[TURN]] = 1.0


@kernel
def key(state: Board) -> Any:
    """Return a hash of the whole position."""
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for index in range(SIZE):
        mixed ^= np.uint64(np.uint32(state[index]))
        mixed *= np.uint64(0xBF58476D1CE4E5B9)
        mixed ^= mixed >> np.uint64(29)
    return mixed

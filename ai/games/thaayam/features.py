"""The features of a position for one seat.

They are relative to the seat's own path and to turn order, so they stay the same if all players
move on by one seat and the board is rotated with them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ai.games.thaayam.chances import REACH
from ai.games.thaayam.fast import ACROSS_OF, PLAYERS, SAFE, SEAT, TURN, number, play
from ai.games.thaayam.sides import CODE, FIELD, NOTHING
from ai.kernels import Board, Weights, kernel
from engine.games.thaayam.board import KEEP, OPPOSITE
from engine.games.thaayam.state import HAND, OFF, PAIR

SINGLES: Final = 0
"""Single pieces on each place of the path and in the keep."""
PAIRS: Final = SINGLES + KEEP + 1
"""Twins on each place from the opposite palace on."""
IN_HAND: Final = PAIRS + KEEP - OPPOSITE
"""One for each count of pieces in hand, 0 to 4."""
BORNE_OFF: Final = IN_HAND + 5
"""One for each count of pieces borne off, 0 to 4."""
SOON: Final = BORNE_OFF + 5
"""Expected squares lost to seats that play before this one."""
LATER: Final = SOON + 1
"""The same for seats that play after it."""
WORST: Final = LATER + 1
"""The likeliest capture before this seat plays."""
EXPOSED: Final = WORST + 1
"""Pairs of an unsafe piece of this seat and an enemy piece that has not passed it."""
CHASED: Final = EXPOSED + 1
"""The reverse: enemy pieces that this seat may still capture."""
TO_GO: Final = CHASED + 1
"""Squares and ones this seat still needs."""
LEAD: Final = TO_GO + 1
"""How many more the leading opponent needs."""
WAIT: Final = LEAD + 1
"""One for each count of seats that play before this one, 0 to 3."""
INPUTS: Final = WAIT + 4

_ENTRY: Final = 6
"""Squares a piece in hand is behind one on its palace: the cost of waiting for a 1."""
_HOME: Final = 3
"""Squares a piece in the keep is behind one borne off."""


@kernel
def to_go(side: int) -> int:
    """Return the squares a side still has to go."""
    total = 0
    for index in range(4):
        code = side >> (FIELD * index) & CODE
        if code == HAND:
            total += KEEP + _HOME + _ENTRY
        elif code in (OFF, NOTHING):
            continue
        elif code >= PAIR:
            total += 2 * (KEEP - (code - PAIR) // 2 + _HOME)
        else:
            total += KEEP - code // 2 + _HOME
    return total


@kernel
def hit_chance(place: int, enemy: int, twins: bool) -> float:
    """Return the probability that one series of an enemy captures at a place.

    Args:
        place: the place of the piece in danger, on the enemy's path.
        enemy: the enemy's side.
        twins: whether twins stand there, which only twins can capture.

    """
    safe = 1.0
    for index in range(4):
        code = enemy >> (FIELD * index) & CODE
        if code >= PAIR:
            if code != NOTHING and place > (code - PAIR) // 2:
                safe *= 1.0 - REACH[1, place - (code - PAIR) // 2]
        elif twins:
            continue
        elif code == HAND:
            safe *= 1.0 - REACH[2, place]
        elif place > code // 2:
            safe *= 1.0 - REACH[0, place - code // 2]
    return 1.0 - safe


@kernel
def behind(place: int, enemy: int, twins: bool) -> int:
    """Return the number of enemy pieces that have not passed a place of their path."""
    count = 0
    for index in range(4):
        code = enemy >> (FIELD * index) & CODE
        if code >= PAIR:
            count += int(code != NOTHING and place > (code - PAIR) // 2)
        elif not twins:
            count += int(code == HAND or place > code // 2)
    return count


@kernel
def extract_features(state: Board, me: int, x: Weights) -> None:
    """Write the features of a seat."""
    x[:] = 0.0
    players, turn = number(state, PLAYERS), number(state, TURN)
    side = number(state, me)
    wait = (me - turn) % players
    hands, offs, worst = 0, 0, 0.0
    seat = SEAT[players, me]
    for index in range(4):
        code = side >> (FIELD * index) & CODE
        if code == HAND:
            hands += 1
            continue
        if code == OFF:
            offs += 1
            continue
        if code == NOTHING:
            continue
        twins = code >= PAIR
        place = (code - PAIR if twins else code) >> 1
        if twins:
            x[PAIRS + place - OPPOSITE] += 1.0
        else:
            x[SINGLES + place] += 1.0
        if SAFE[place]:
            continue
        worth = (place + _ENTRY) * (2 if twins else 1) / 24
        for other in range(players):
            if other == me:
                continue
            there = ACROSS_OF[seat, SEAT[players, other], place]
            enemy = number(state, other)
            x[EXPOSED] += behind(there, enemy, twins) / 8
            chance = hit_chance(there, enemy, twins)
            if (other - turn) % players < wait:
                x[SOON] += chance * worth
                worst = max(worst, chance * worth)
            else:
                x[LATER] += chance * worth
    x[WORST] = worst
    x[IN_HAND + hands] = 1.0
    x[BORNE_OFF + offs] = 1.0
    mine, nearest = to_go(side), 1000
    for other in range(players):
        if other != me:
            enemy = number(state, other)
            nearest = min(nearest, to_go(enemy))
            x[CHASED] += _chases(enemy, SEAT[players, other], seat, side)
    x[TO_GO] = mine / 64
    x[LEAD] = (nearest - mine) / 32
    x[WAIT + wait] = 1.0


@kernel
def _chases(enemy: int, theirs: int, seat: int, side: int) -> float:
    total = 0
    for index in range(4):
        code = enemy >> (FIELD * index) & CODE
        if code >= HAND and (code < PAIR or code == NOTHING):
            continue
        twins = code >= PAIR
        place = (code - PAIR if twins else code) >> 1
        if not SAFE[place]:
            total += behind(ACROSS_OF[theirs, seat, place], side, twins)
    return total / 8


@kernel
def loud(state: Board, move: int) -> int:
    """Return a move's immediate gain: the squares it wins plus those the others lose."""
    into = np.empty_like(state)
    play(state, move, into)
    me, gain = number(state, TURN), 0
    for index in range(number(state, PLAYERS)):
        gain += to_go(number(into, index)) - to_go(number(state, index))
    mine = to_go(number(state, me)) - to_go(number(into, me))
    return max(0, gain + 2 * mine)

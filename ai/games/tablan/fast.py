"""The rules of Tablan, compiled, on one array of integers; tests prove them equal to the engine.

`ai.position` specifies the functions, `board` the layout of a state, `move_generation` a move.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ai.games.tablan.board import (
    ACROSS,
    BOTH_DONE,
    FIRST_FINISHER,
    GOAL,
    GOAL_START,
    MOVE,
    OPPOSED,
    OUTSIDE,
    OVER,
    PHASE,
    SCORE,
    SCORES,
    SEAT,
    SIZE,
    START,
    THROW,
    TOGETHER,
    count,
    fresh,
    hand,
    men,
    put,
    settings,
    turn,
)
from ai.games.tablan.move_generation import SPLIT, can_use, moves, side, stuck
from ai.kernels import Board, Floats, kernel

__all__ = ["SIZE", "actor", "key", "loud", "moves", "play", "result", "throw"]

CHANCE = -1
ENDED = -2


@kernel
def actor(state: Board) -> int:
    """Return the seat to act, -1 for a throw, -2 after the end."""
    phase = state[PHASE]
    if phase == MOVE:
        return turn(state)
    return ENDED if phase == OVER else CHANCE


@kernel
def throw(state: Board, plain: int, into: Board) -> None:
    """Write the position after a throw; an unusable throw is lost at once."""
    into[:] = state
    seat, score = turn(state), SCORES[plain]
    other = 1 - seat
    if state[PHASE] == START:
        if plain == 1:
            into[PHASE] = MOVE
            into[SCORE] = score
        else:
            into[SEAT] = other
        return
    if score:
        if can_use(side(state, seat), score):
            into[PHASE] = MOVE
            into[SCORE] = score
        return  # otherwise lost, and the same seat throws again
    if men(state, other) & OUTSIDE:
        into[SEAT] = other


@kernel
def play(state: Board, move: int, into: Board) -> None:
    """Write the position after a legal move."""
    into[:] = state
    options, seat, distance = settings(state), turn(state), hand(state)
    own, enemy = men(state, seat), men(state, 1 - seat)
    unmoved, waiting = fresh(state, seat), fresh(state, 1 - seat)
    second = move // SPLIT - 1
    if second >= 0:
        distance >>= 1
        own ^= 1 << second | 1 << second + distance  # toggled: the first may stand where it lands
        unmoved &= ~(1 << second)
        taken = ~(1 << ACROSS[options & OPPOSED, seat, second + distance])
        enemy &= taken
        waiting &= taken
    first = move % SPLIT
    own ^= 1 << first | 1 << first + distance
    unmoved &= ~(1 << first)
    taken = ~(1 << ACROSS[options & OPPOSED, seat, first + distance])
    enemy &= taken
    waiting &= taken
    was_done = not men(state, 1 - seat) & OUTSIDE
    put(into, seat, own, unmoved)
    put(into, 1 - seat, enemy, waiting)
    _settle(into, options, seat, was_done)


@kernel
def _settle(into: Board, options: int, seat: int, was_done: bool) -> None:
    """Write the rest of a move's effect: the end of the game or the next throw."""
    own, enemy = men(into, seat), men(into, 1 - seat)
    into[SCORE] = 0
    own_done, enemy_done = not own & OUTSIDE, not enemy & OUTSIDE
    both = own_done and enemy_done
    if (
        not enemy
        or both
        or ((own_done or enemy_done) and not options & BOTH_DONE)
        or (stuck(side(into, 0)) and stuck(side(into, 1)))
    ):
        into[PHASE] = OVER
        if (
            both
            and options & BOTH_DONE
            and options & FIRST_FINISHER
            and not was_done
            and count(own & GOAL) == count(enemy & GOAL)
        ):
            into[TOGETHER] = 1
        return
    into[PHASE] = THROW
    if own_done:
        into[SEAT] = 1 - seat


@kernel
def loud(state: Board, move: int) -> int:
    """Return the priority of a move: captures first, then men coming home."""
    options, seat, walk = settings(state), turn(state), hand(state)
    enemy, second = men(state, 1 - seat), move // SPLIT - 1
    if second >= 0:
        walk >>= 1
    noise = _loudness(options, seat, enemy, move % SPLIT + walk)
    return noise if second < 0 else noise + _loudness(options, seat, enemy, second + walk)


@kernel
def _loudness(options: int, seat: int, enemy: int, target: int) -> int:
    """Return the priority of landing on a place."""
    taken = enemy >> ACROSS[options & OPPOSED, seat, target] & 1
    return int(4 * taken) + (target >= GOAL_START)


@kernel
def result(state: Board, out: Floats) -> None:
    """Write each seat's result: 1 won, 0.5 drawn, 0 lost."""
    white, black = men(state, 0), men(state, 1)
    value = 0.5
    if not white or not black:
        value = 1.0 if white else 0.0
    else:
        lead = count(white & GOAL) - count(black & GOAL)
        if lead:
            value = 1.0 if lead > 0 else 0.0
        elif settings(state) & FIRST_FINISHER:
            value = _tied(state, not white & OUTSIDE, not black & OUTSIDE)
    out[0] = value
    out[1] = 1.0 - value


@kernel
def _tied(state: Board, white_done: bool, black_done: bool) -> float:
    """Return White's result with equally many men home, if the first to finish wins."""
    if white_done and black_done:
        if state[TOGETHER] or not settings(state) & BOTH_DONE:
            return 0.5
        return float(turn(state))  # the seat that moved last finished last
    if white_done:
        return 1.0
    return 0.0 if black_done else 0.5


@kernel
def key(state: Board) -> int:
    """Return a 64-bit hash of a position."""
    mixed: Any = np.uint64(0x9E3779B97F4A7C15)
    for part in range(SIZE):
        mixed ^= np.uint64(np.uint32(state[part]))
        mixed *= np.uint64(0xFF51AFD7ED558CCD)
        mixed ^= mixed >> np.uint64(32)
    return mixed

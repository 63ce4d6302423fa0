"""Games of the evaluation against itself and what it learns from them, compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ai.games.tablan.board import (
    HOME,
    MOVE,
    OPTIONS,
    OVER,
    PHASE,
    SCORE,
    SEAT,
    SIZE,
    THROW,
    put,
    turn,
)
from ai.games.tablan.evaluation import best, learn, room
from ai.games.tablan.fast import play, result, throw
from ai.games.tablan.walking import MOST_MOVES
from ai.kernels import kernel

if TYPE_CHECKING:
    from ai.kernels import Board, Boards, Floats, Ints, Weights

LONGEST: Final = 4096
"""The most positions of a game that are kept."""


@kernel
def random(dice: Ints) -> int:
    """Return the next of a row of random numbers, of 31 bits; ``dice`` holds where it stands."""
    mixed: Any = np.uint64(dice[0]) + np.uint64(0x9E3779B97F4A7C15)
    dice[0] = np.int64(mixed)
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return int(np.int64((mixed ^ mixed >> np.uint64(31)) >> np.uint64(33)))


@kernel
def sticks(dice: Ints) -> int:
    """Return how many plain sides four sticks show."""
    fallen = random(dice)
    return (fallen & 1) + (fallen >> 1 & 1) + (fallen >> 2 & 1) + (fallen >> 3 & 1)


@kernel
def begin(state: Board, options: int, starter: int) -> None:
    """Write the position where a seat has thrown the 2 that starts the game."""
    state[:] = 0
    for seat in range(2):
        put(state, seat, HOME, HOME)
    state[SEAT] = starter
    state[PHASE] = MOVE
    state[SCORE] = 2
    state[OPTIONS] = options


@kernel
def game(weights: Weights, options: int, dice: Ints, path: Boards) -> int:
    """Play a game in which both seats make the move with the best look.

    Args:
        weights: of the evaluation.
        options: of the game, as bits.
        dice: of the throws.
        path: where to write every position in which a seat is about to throw, and the end.

    Returns:
        How many positions stand before the end.

    """
    choices, notes = np.empty(MOST_MOVES, np.int64), room(weights)
    state, into = np.zeros(SIZE, np.int32), np.zeros(SIZE, np.int32)
    begin(state, options, random(dice) & 1)
    length = 0
    while state[PHASE] != OVER:
        if state[PHASE] == MOVE:
            play(state, best(state, weights, notes, choices, into)[0], into)
            new = True
        else:
            throw(state, sticks(dice), into)
            new = into[PHASE] == THROW and into[SEAT] != state[SEAT]  # no throw that was lost
        if new:
            path[length] = into
            if into[PHASE] != OVER and length < LONGEST:
                length += 1
        state, into = into, state
    return length


@kernel
def follow(weights: Weights, path: Boards, length: int, rate: float, trust: float) -> None:
    """Learn from a game, the last position first: TD(lambda), looking forward.

    What a position should have been worth is in parts what the next one was thought to be worth,
    and what that one should have been worth; of the last one, how the game ended.

    Args:
        weights: what learns.
        path: the positions and the end, as `game` writes them.
        length: how many positions stand before the end.
        rate: how far weights move.
        trust: lambda, the part of what came later.

    """
    ended, notes = np.empty(2, np.float64), room(weights)
    result(path[length], ended)
    goal = ended[0]
    for index in range(length - 1, -1, -1):
        state = path[index]
        if turn(state) == 0:
            found = learn(state, weights, notes, goal, rate)
        else:
            found = 1 - learn(state, weights, notes, 1 - goal, rate)
        goal = trust * goal + (1 - trust) * found


@kernel
def practise(
    weights: Weights,
    options: Ints,
    games: int,
    dice: Ints,
    rates: Floats,
    trust: float,
) -> int:
    """Play games and learn from each; return how many positions were learnt from.

    Args:
        weights: what learns.
        options: sets of options as bits; every game is played by one of them.
        games: how many.
        dice: of everything random.
        rates: how far weights move in the first game and in the last.
        trust: see `follow`.

    """
    path = np.zeros((LONGEST + 1, SIZE), np.int32)
    positions = 0
    for number in range(games):
        rate = rates[0] * (rates[1] / rates[0]) ** (number / games)
        length = game(weights, options[random(dice) % len(options)], dice, path)
        follow(weights, path, length, rate, trust)
        positions += length
    return positions

"""Self-play and TD(lambda) training, compiled."""

from __future__ import annotations

from typing import Any, Final

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
from ai.games.tablan.evaluation import best_move, scratch, update_weights
from ai.games.tablan.fast import play, result, throw
from ai.games.tablan.move_generation import MOST_MOVES
from ai.kernels import Board, Boards, Floats, Ints, Weights, kernel

MAX_POSITIONS: Final = 4096
"""Maximum positions kept per game."""


@kernel
def next_random(dice: Ints) -> int:
    """Return the next 31-bit random number; ``dice`` holds the state."""
    mixed: Any = np.uint64(dice[0]) + np.uint64(0x9E3779B97F4A7C15)
    dice[0] = np.int64(mixed)
    mixed = (mixed ^ mixed >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ mixed >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return int(np.int64((mixed ^ mixed >> np.uint64(31)) >> np.uint64(33)))


@kernel
def throw_sticks(dice: Ints) -> int:
    """Throw four sticks; return the number of plain sides."""
    fallen = next_random(dice)
    return (fallen & 1) + (fallen >> 1 & 1) + (fallen >> 2 & 1) + (fallen >> 3 & 1)


@kernel
def begin(state: Board, options: int, starter: int) -> None:
    """Write the position after a seat has thrown the 2 that starts the game."""
    state[:] = 0
    for seat in range(2):
        put(state, seat, HOME, HOME)
    state[SEAT] = starter
    state[PHASE] = MOVE
    state[SCORE] = 2
    state[OPTIONS] = options


@kernel
def play_game(weights: Weights, options: int, dice: Ints, path: Boards) -> int:
    """Play a game in which both seats make the best move by static evaluation.

    Args:
        weights: evaluation weights.
        options: the game's options, as bits.
        dice: random state.
        path: receives each position in which a seat is about to throw, and the end.

    Returns:
        The number of positions before the end.

    """
    choices, notes = np.empty(MOST_MOVES, np.int64), scratch(weights)
    state, into = np.zeros(SIZE, np.int32), np.zeros(SIZE, np.int32)
    begin(state, options, next_random(dice) & 1)
    length = 0
    while state[PHASE] != OVER:
        if state[PHASE] == MOVE:
            play(state, best_move(state, weights, notes, choices, into)[0], into)
            new = True
        else:
            throw(state, throw_sticks(dice), into)
            new = into[PHASE] == THROW and into[SEAT] != state[SEAT]  # not a lost throw
        if new:
            path[length] = into
            if into[PHASE] != OVER and length < MAX_POSITIONS:
                length += 1
        state, into = into, state
    return length


@kernel
def learn_from_game(
    weights: Weights, path: Boards, length: int, rate: float, lambda_: float
) -> None:
    """Train on a game, last position first: TD(lambda), forward view.

    The target of a position mixes the value and the target of the next one; that of the last
    position is the result of the game.

    Args:
        weights: to train.
        path: the positions and the end, as `play_game` writes them.
        length: number of positions before the end.
        rate: learning rate.
        lambda_: the share of the next target.

    """
    ended, notes = np.empty(2, np.float64), scratch(weights)
    result(path[length], ended)
    goal = ended[0]
    for index in range(length - 1, -1, -1):
        state = path[index]
        if turn(state) == 0:
            found = update_weights(state, weights, notes, goal, rate)
        else:
            found = 1 - update_weights(state, weights, notes, 1 - goal, rate)
        goal = lambda_ * goal + (1 - lambda_) * found


@kernel
def train_by_self_play(
    weights: Weights,
    options: Ints,
    games: int,
    dice: Ints,
    rates: Floats,
    lambda_: float,
) -> int:
    """Train on self-play games; return the number of positions.

    Args:
        weights: to train.
        options: sets of options as bits, one drawn for each game.
        games: number of games.
        dice: random state.
        rates: learning rates of the first and the last game.
        lambda_: see `learn_from_game`.

    """
    path = np.zeros((MAX_POSITIONS + 1, SIZE), np.int32)
    positions = 0
    for number in range(games):
        rate = rates[0] * (rates[1] / rates[0]) ** (number / games)
        length = play_game(weights, options[next_random(dice) % len(options)], dice, path)
        learn_from_game(weights, path, length, rate, lambda_)
        positions += length
    return positions

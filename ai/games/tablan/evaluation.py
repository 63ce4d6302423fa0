"""The evaluation: a small neural network over the features, with one hidden layer.

Each course and order of the last row has its own set of weights; the minor options are features.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ai.games.tablan.board import (
    MOVE,
    OPPOSED,
    ORDER,
    OVER,
    PHASE,
    SCORE,
    SIZE,
    START,
    settings,
    turn,
)
from ai.games.tablan.fast import play, result
from ai.games.tablan.features import FEATURES, MAX_ACTIVE, extract_features
from ai.games.tablan.move_generation import MOST_MOVES, moves
from ai.kernels import Board, Floats, Ints, Weights, kernel

SETS: Final = 6
"""Sets of weights: two courses, three orders."""
STARTER: Final = 4 / 7
"""Probability that the seat that throws first for the start will start."""
_UNITS: Final = 2 * MAX_ACTIVE
"""Start of the hidden units in the scratch space, after the active features."""


@kernel
def units(weights: Weights) -> int:
    """Return the number of hidden units.

    Each feature has a weight to each unit, each unit one to the output, and the output a bias. If
    the compiler knew the number, it would unroll the short loops instead of vectorising them.
    """
    return (len(weights) // SETS - 1) // (FEATURES + 1)


@kernel
def scratch(weights: Weights) -> Weights:
    """Return scratch space for an evaluation: active features and hidden units."""
    return np.empty(_UNITS + units(weights), np.float32)


@kernel
def block(weights: Weights, options: int) -> int:
    """Return the start of the set of weights for these options."""
    return len(weights) // SETS * ((options >> ORDER) * 2 + (options & OPPOSED))


@kernel
def value(weights: Weights, first: int, notes: Weights, seen: int) -> float:
    """Return the expected result of the seat about to throw.

    Args:
        weights: all sets.
        first: start of the set to use.
        notes: a `scratch` with the active features; receives the sums of the hidden units.
        seen: number of active features.

    """
    # Unsigned indices need no check for negative values, which keeps the loops short.
    many, start, hidden = np.uint64(units(weights)), np.uint64(first), np.uint64(_UNITS)
    for unit in range(many):
        notes[hidden + unit] = 0
    for index in range(seen):
        size = notes[2 * index + 1]
        row = start + np.uint64(notes[2 * index]) * many
        for unit in range(many):
            notes[hidden + unit] += size * weights[row + unit]
    last = start + np.uint64(FEATURES) * many
    total = weights[last + many]
    for unit in range(many):
        total += weights[last + unit] * softsign(notes[hidden + unit])
    return 1 / (1 + float(np.exp(-total)))


@kernel
def softsign(total: float) -> float:
    """Return the activation of a hidden unit, from -1 to 1."""
    return total / (np.float32(1) + abs(total))  # type: ignore[return-value]  # float32


@kernel
def update_weights(
    state: Board, weights: Weights, notes: Weights, target: float, rate: float
) -> float:
    """Take a gradient step towards a target for the seat about to throw.

    Returns the value before the step.
    """
    first, seen = block(weights, settings(state)), extract_features(state, notes)
    found = value(weights, first, notes, seen)
    step = np.float32(rate * (target - found))
    many, start, hidden = np.uint64(units(weights)), np.uint64(first), np.uint64(_UNITS)
    last = start + np.uint64(FEATURES) * many
    weights[last + many] += step
    for unit in range(many):
        total = notes[hidden + unit]
        size = np.float32(1) + abs(total)
        notes[hidden + unit] = step * weights[last + unit] / (size * size)
        weights[last + unit] += step * softsign(total)
    for index in range(seen):
        size = notes[2 * index + 1]
        row = start + np.uint64(notes[2 * index]) * many
        for unit in range(many):
            weights[row + unit] += size * notes[hidden + unit]
    return found


@kernel
def expected_result(state: Board, weights: Weights, notes: Weights, seat: int) -> float:
    """Return a seat's expected result before a throw or at the end."""
    if state[PHASE] == OVER:
        ended = np.empty(2, np.float64)
        result(state, ended)
        return float(ended[seat])
    found = value(weights, block(weights, settings(state)), notes, extract_features(state, notes))
    return found if turn(state) == seat else 1 - found


@kernel
def best_move(
    state: Board, weights: Weights, notes: Weights, choices: Ints, into: Board
) -> tuple[int, float]:
    """Return the best move by static evaluation, and its value.

    Args:
        state: a position in which a seat acts.
        weights: all sets.
        notes: a `scratch`.
        choices: scratch space for its moves.
        into: scratch space for a position.

    """
    seat = turn(state)
    move, most = -1, -1.0
    for index in range(moves(state, choices)):
        play(state, choices[index], into)
        found = expected_result(into, weights, notes, seat)
        if found > most:
            move, most = choices[index], found
    return move, most


@kernel
def evaluate(state: Board, weights: Weights, out: Floats) -> None:
    """Write the expected results, summing to 1."""
    seat, phase, notes = turn(state), state[PHASE], scratch(weights)
    if phase in (MOVE, START):
        choices, into = np.empty(MOST_MOVES, np.int64), np.empty(SIZE, np.int32)
        thrown = state.copy()
        thrown[PHASE] = MOVE
        if phase == START:
            thrown[SCORE] = 2
        found = best_move(thrown, weights, notes, choices, into)[1]
        if phase == START:
            found = STARTER * found + (1 - STARTER) * (1 - found)
    else:
        found = expected_result(state, weights, notes, seat)
    out[seat] = found
    out[1 - seat] = 1 - found

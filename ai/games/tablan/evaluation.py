"""What a position is worth: a small net over the features, one layer of hidden units.

There is one set of weights for each course and order of the last row; the options that change
less are features.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
from ai.games.tablan.features import FEATURES, MOST_SEEN, look
from ai.games.tablan.walking import MOST_MOVES, moves
from ai.kernels import kernel

if TYPE_CHECKING:
    from ai.kernels import Board, Floats, Ints, Weights

SETS: Final = 6
"""How many sets of weights there are: two courses, three orders."""
STARTER: Final = 4 / 7
"""The chance that who throws first for the start will start."""
_UNITS: Final = 2 * MOST_SEEN
"""Where in a room the hidden units stand, behind what is seen."""


@kernel
def units(weights: Weights) -> int:
    """Return how many hidden units the weights are for.

    Each feature has a weight to each unit, each unit one to the value, and the value one of its
    own. The compiler must not know the number: it would write the short loops out and leave them
    so, instead of working on eight units at once.
    """
    return (len(weights) // SETS - 1) // (FEATURES + 1)


@kernel
def room(weights: Weights) -> Weights:
    """Return room for what an evaluation writes down: what is seen, and the hidden units."""
    return np.empty(_UNITS + units(weights), np.float32)


@kernel
def block(weights: Weights, options: int) -> int:
    """Return where the set of weights for these options begins."""
    return len(weights) // SETS * ((options >> ORDER) * 2 + (options & OPPOSED))


@kernel
def value(weights: Weights, first: int, notes: Weights, seen: int) -> float:
    """Return what the seat about to throw may expect.

    Args:
        weights: all of them.
        first: where the set begins.
        notes: a `room` with what is seen; the sums of the hidden units are left in it.
        seen: how many features that is.

    """
    # Numbers without a sign need no look whether they count from the end: loops stay short.
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
        total += weights[last + unit] * squashed(notes[hidden + unit])
    return 1 / (1 + float(np.exp(-total)))


@kernel
def squashed(total: float) -> float:
    """Return the answer of a hidden unit, from -1 to 1."""
    return total / (np.float32(1) + abs(total))  # type: ignore[return-value]  # of 32 bits


@kernel
def learn(state: Board, weights: Weights, notes: Weights, target: float, rate: float) -> float:
    """Move the weights so that the seat about to throw expects more nearly the target.

    Returns what it expected before.
    """
    first, seen = block(weights, settings(state)), look(state, notes)
    found = value(weights, first, notes, seen)
    step = np.float32(rate * (target - found))
    many, start, hidden = np.uint64(units(weights)), np.uint64(first), np.uint64(_UNITS)
    last = start + np.uint64(FEATURES) * many
    weights[last + many] += step
    for unit in range(many):
        total = notes[hidden + unit]
        size = np.float32(1) + abs(total)
        notes[hidden + unit] = step * weights[last + unit] / (size * size)
        weights[last + unit] += step * squashed(total)
    for index in range(seen):
        size = notes[2 * index + 1]
        row = start + np.uint64(notes[2 * index]) * many
        for unit in range(many):
            weights[row + unit] += size * notes[hidden + unit]
    return found


@kernel
def awaited(state: Board, weights: Weights, notes: Weights, seat: int) -> float:
    """Return what a seat may expect where no seat acts: before a throw, or at the end."""
    if state[PHASE] == OVER:
        ended = np.empty(2, np.float64)
        result(state, ended)
        return float(ended[seat])
    found = value(weights, block(weights, settings(state)), notes, look(state, notes))
    return found if turn(state) == seat else 1 - found


@kernel
def best(
    state: Board, weights: Weights, notes: Weights, choices: Ints, into: Board
) -> tuple[int, float]:
    """Return the best move of the seat to act by what comes right after, and its value.

    Args:
        state: a position where a seat acts.
        weights: all of them.
        notes: a `room`.
        choices: room for its moves.
        into: room for a position.

    """
    seat = turn(state)
    move, most = -1, -1.0
    for index in range(moves(state, choices)):
        play(state, choices[index], into)
        found = awaited(into, weights, notes, seat)
        if found > most:
            move, most = choices[index], found
    return move, most


@kernel
def evaluate(state: Board, weights: Weights, out: Floats) -> None:
    """Write what each seat may expect, summing to 1."""
    seat, phase, notes = turn(state), state[PHASE], room(weights)
    if phase in (MOVE, START):
        choices, into = np.empty(MOST_MOVES, np.int64), np.empty(SIZE, np.int32)
        thrown = state.copy()
        thrown[PHASE] = MOVE
        if phase == START:
            thrown[SCORE] = 2
        found = best(thrown, weights, notes, choices, into)[1]
        if phase == START:
            found = STARTER * found + (1 - STARTER) * (1 - found)
    else:
        found = awaited(state, weights, notes, seat)
    out[seat] = found
    out[1 - seat] = 1 - found

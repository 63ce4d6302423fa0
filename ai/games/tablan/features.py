"""The features of the evaluation: where men stand, their threats and their progress.

They are relative to the seat about to throw. Each exists once for that seat and once for the
other, so a position and its mirror image have the same value for opposite seats.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ai.games.tablan.board import (
    BOTH_DONE,
    FIRST_FINISHER,
    GOAL,
    GOAL_START,
    HOME,
    LENGTH,
    OUTSIDE,
    ROW,
    UNLOCK,
    across,
    count,
    lowest,
    turn,
)
from ai.games.tablan.move_generation import Side, can_use, movable, side
from ai.kernels import Board, Weights, kernel

_PLACES: Final = LENGTH + ROW
"""One feature per place for men that have moved, and one per home place for the others."""
_MEASURES: Final = 15
"""Other features per seat, see `_add_measures`."""
_OF_SEATS: Final = 2 * (_PLACES + _MEASURES)
FEATURES: Final = _OF_SEATS + 5
MAX_ACTIVE: Final = 2 * (ROW + _MEASURES) + 5
"""Maximum number of non-zero features in a position."""
_WALKS: Final = np.array((1, 2, 4, 8, 6, 12), dtype=np.int64)
"""Distances a man may move with a 2, an 8 and a 12."""


@kernel
def extract_features(state: Board, seen: Weights) -> int:
    """Write the non-zero features, each as a number and a value.

    Args:
        state: the position; features are relative to the seat whose turn it is.
        seen: receives numbers and values, alternating, of up to `MAX_ACTIVE` features.

    Returns:
        Their number.

    """
    mine, theirs = side(state, turn(state)), side(state, 1 - turn(state))
    found = _add_places(mine, seen, 0, 0)
    found = _add_places(theirs, seen, found, _PLACES)
    found = _add_measures(mine, theirs.unmoved, seen, found, 2 * _PLACES)
    found = _add_measures(theirs, mine.unmoved, seen, found, 2 * _PLACES + _MEASURES)
    lead = count(mine.own & GOAL) - count(mine.enemy & GOAL)
    options = mine.options
    found = _add(seen, found, _OF_SEATS, 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0))
    found = _add(seen, found, _OF_SEATS + 1, 1.0 if options & BOTH_DONE else 0.0)
    found = _add(seen, found, _OF_SEATS + 2, 1.0 if options & UNLOCK else 0.0)
    found = _add(seen, found, _OF_SEATS + 3, 1.0 if options & FIRST_FINISHER else 0.0)
    return _add(seen, found, _OF_SEATS + 4, 1.0)


@kernel
def _add(seen: Weights, found: int, number: int, size: float) -> int:
    """Write a feature unless it is 0; return the number written so far."""
    if size == 0:
        return found
    seen[2 * found] = number
    seen[2 * found + 1] = size
    return found + 1


@kernel
def _add_places(mine: Side, seen: Weights, found: int, first: int) -> int:
    """Write the places of a seat's men."""
    left = mine.own & ~mine.unmoved
    while left:
        found = _add(seen, found, first + lowest(left), 1.0)
        left &= left - 1
    left = mine.unmoved
    while left:
        found = _add(seen, found, first + LENGTH + lowest(left), 1.0)
        left &= left - 1
    return found


@kernel
def _add_measures(mine: Side, waiting: int, seen: Weights, found: int, first: int) -> int:
    """Write a seat's men, progress, shots against it, and playable scores.

    Args:
        mine: the seat's side.
        waiting: the other seat's men that have never moved.
        seen: receives the features.
        found: number of features written so far.
        first: the number of this seat's first measure.

    """
    home, outside = count(mine.own & GOAL), count(mine.own & OUTSIDE)
    steps = 0
    left = mine.own & OUTSIDE
    while left:
        steps += GOAL_START - lowest(left)
        left &= left - 1
    found = _add(seen, found, first, home / 12)
    found = _add(seen, found, first + 1, (home + outside) / 12)
    found = _add(seen, found, first + 2, steps / 216)
    found = _add(seen, found, first + 3, outside / 12)
    found = _add(seen, found, first + 4, 1 / (1 + outside))
    targets = across(mine.options, mine.own) & ~HOME
    danger = 0.0
    for score in range(3):
        hit = 0
        for way in range(2):
            walk = _WALKS[2 * score + way]
            shots = movable(mine.options, mine.enemy, waiting, walk) << walk & targets
            found = _add(seen, found, first + 5 + 2 * score + way, count(shots) / 4)
            hit |= shots
        if hit:  # of six scoring throws, four are a 2, one an 8, one a 12
            danger += 4 / 6 if score == 0 else 1 / 6
    found = _add(seen, found, first + 11, danger)
    found = _add(seen, found, first + 12, 1.0 if can_use(mine, 2) else 0.0)
    found = _add(seen, found, first + 13, 1.0 if can_use(mine, 8) else 0.0)
    return _add(seen, found, first + 14, 1.0 if can_use(mine, 12) else 0.0)

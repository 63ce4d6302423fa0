"""What the evaluation looks at: where the men stand, what threatens them, how far they are.

It always looks from the seat that is about to throw: every feature stands once for that seat and
once for the other, so a position is worth to one exactly what its mirror image is to the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
from ai.games.tablan.walking import able, side, usable
from ai.kernels import kernel

if TYPE_CHECKING:
    from ai.games.tablan.walking import Side
    from ai.kernels import Board, Weights

_PLACES: Final = LENGTH + ROW
"""One feature a place for men that have moved, one a place of the home row for the others."""
_MEASURES: Final = 15
"""How many further ones a seat has, see `_measured`."""
_OF_SEATS: Final = 2 * (_PLACES + _MEASURES)
FEATURES: Final = _OF_SEATS + 5
MOST_SEEN: Final = 2 * (ROW + _MEASURES) + 5
"""The most features that are not 0 in one position."""
_WALKS: Final = np.array((1, 2, 4, 8, 6, 12), dtype=np.int64)
"""How far men may walk with a 2, an 8 and a 12."""


@kernel
def look(state: Board, seen: Weights) -> int:
    """Write the features that are not 0, each as its number and its size.

    Args:
        state: the position; its turn says for whom it is looked at.
        seen: where to write them, number and size by turns; room for `MOST_SEEN`.

    Returns:
        How many there are.

    """
    mine, theirs = side(state, turn(state)), side(state, 1 - turn(state))
    found = _standing(mine, seen, 0, 0)
    found = _standing(theirs, seen, found, _PLACES)
    found = _measured(mine, theirs.unmoved, seen, found, 2 * _PLACES)
    found = _measured(theirs, mine.unmoved, seen, found, 2 * _PLACES + _MEASURES)
    lead = count(mine.own & GOAL) - count(mine.enemy & GOAL)
    options = mine.options
    found = _note(seen, found, _OF_SEATS, 1.0 if lead > 0 else (-1.0 if lead < 0 else 0.0))
    found = _note(seen, found, _OF_SEATS + 1, 1.0 if options & BOTH_DONE else 0.0)
    found = _note(seen, found, _OF_SEATS + 2, 1.0 if options & UNLOCK else 0.0)
    found = _note(seen, found, _OF_SEATS + 3, 1.0 if options & FIRST_FINISHER else 0.0)
    return _note(seen, found, _OF_SEATS + 4, 1.0)


@kernel
def _note(seen: Weights, found: int, number: int, size: float) -> int:
    """Write a feature unless it is 0; return how many are written."""
    if size == 0:
        return found
    seen[2 * found] = number
    seen[2 * found + 1] = size
    return found + 1


@kernel
def _standing(mine: Side, seen: Weights, found: int, first: int) -> int:
    """Write which places a seat's men hold."""
    left = mine.own & ~mine.unmoved
    while left:
        found = _note(seen, found, first + lowest(left), 1.0)
        left &= left - 1
    left = mine.unmoved
    while left:
        found = _note(seen, found, first + LENGTH + lowest(left), 1.0)
        left &= left - 1
    return found


@kernel
def _measured(mine: Side, waiting: int, seen: Weights, found: int, first: int) -> int:
    """Write what one seat has: men, progress, the shots against it, what it can play.

    Args:
        mine: the seat's side.
        waiting: which of the other's men have never moved.
        seen: where to write.
        found: how many features are written.
        first: the number of this seat's first measure.

    """
    home, outside = count(mine.own & GOAL), count(mine.own & OUTSIDE)
    steps = 0
    left = mine.own & OUTSIDE
    while left:
        steps += GOAL_START - lowest(left)
        left &= left - 1
    found = _note(seen, found, first, home / 12)
    found = _note(seen, found, first + 1, (home + outside) / 12)
    found = _note(seen, found, first + 2, steps / 216)
    found = _note(seen, found, first + 3, outside / 12)
    found = _note(seen, found, first + 4, 1 / (1 + outside))
    targets = across(mine.options, mine.own) & ~HOME
    danger = 0.0
    for score in range(3):
        hit = 0
        for way in range(2):
            walk = _WALKS[2 * score + way]
            shots = able(mine.options, mine.enemy, waiting, walk) << walk & targets
            found = _note(seen, found, first + 5 + 2 * score + way, count(shots) / 4)
            hit |= shots
        if hit:  # of six scoring throws four are a 2, one is an 8, one a 12
            danger += 4 / 6 if score == 0 else 1 / 6
    found = _note(seen, found, first + 11, danger)
    found = _note(seen, found, first + 12, 1.0 if usable(mine, 2) else 0.0)
    found = _note(seen, found, first + 13, 1.0 if usable(mine, 8) else 0.0)
    return _note(seen, found, first + 14, 1.0 if usable(mine, 12) else 0.0)

"""Skips throws that merely pass the sticks on.

In some games most throws change nothing but the turn, or not even that. Searched one by one, they
would use up the depth before any move. So the search goes straight to the next throw that does
more: the sticks pass from a position to another and back any number of times, and the odds of how
that ends are sums of a geometric series.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ai.kernels import Board, Floats, kernel

FACES: Final = 5
"""Number of different throws."""
CHANCES: Final = np.array((1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16))
"""Their odds, by the number of plain sides."""
BY_LIKELIHOOD: Final = np.array((2, 1, 3, 0, 4))
"""Throws in order of likelihood."""
_CHANCE: Final = -1
_NEVER: Final = 1e-9
"""Probabilities below this count as 0."""


@kernel
def next_effective_throw(game: Any, board: Board, other: Board, into: Board, odds: Floats) -> bool:
    """Write the odds that each throw is the next to do more than pass the sticks.

    All are 0 if no such throw can come. Reaching any third position counts as doing more, even if
    chance acts there.

    Args:
        game: the game's kernels.
        board: a position before a throw.
        other: receives the position in which the other seat throws.
        into: scratch space for a position.
        odds: receives the odds of all throws here, then of all throws there, summing to 1.

    Returns:
        Whether the sticks can pass to another position and come back.

    """
    actor, _, _, throw, _, _, hashed, _ = game
    here, there = hashed(board), hashed(board)
    odds[:] = 0.0
    stay = go = 0.0
    for plain in range(FACES):
        throw(board, plain, into)
        met = hashed(into)
        if actor(into) != _CHANCE:
            odds[plain] = CHANCES[plain]
        elif met == here:
            stay += CHANCES[plain]
        elif there in (here, met):
            there = met
            go += CHANCES[plain]
            other[:] = into
        else:
            odds[plain] = CHANCES[plain]
    back = rest = 0.0
    if go > 0.0:
        for plain in range(FACES):
            throw(other, plain, into)
            met = hashed(into)
            if actor(into) == _CHANCE and met == here:
                back += CHANCES[plain]
            elif actor(into) == _CHANCE and met == there:
                rest += CHANCES[plain]
            else:
                odds[FACES + plain] = CHANCES[plain]
    passed = go / (1.0 - rest) if rest < 1.0 - _NEVER else 0.0
    happens = 1.0 - stay - passed * back
    if happens < _NEVER or (go > 0.0 and passed == 0.0):
        odds[:] = 0.0
        return False
    for plain in range(FACES):
        odds[plain] /= happens
        odds[FACES + plain] *= passed / happens
    return passed > 0.0

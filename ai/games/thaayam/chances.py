"""All series of throws, and the probability that one takes a piece a given distance.

A series is any number of ones, fours and eights, then a 2 or a 3. Only the count of each matters,
except to a seat with all pieces in hand: its throws before its first 1 are lost.
"""

from __future__ import annotations

from itertools import product
from math import factorial
from typing import Final, NamedTuple

import numpy as np

from engine.games.thaayam.board import KEEP


class Series(NamedTuple):
    """The throws of a complete series and its probability."""

    chance: float
    ones: int
    fours: int
    eights: int
    last: int


_LONGEST: Final = 9
"""Longer series than this, one in ten thousand, are ignored."""


def _series() -> list[Series]:
    found = []
    for ones, fours, eights in product(range(_LONGEST), repeat=3):
        number = ones + fours + eights
        if number < _LONGEST:
            orders = factorial(number) // (factorial(ones) * factorial(fours) * factorial(eights))
            chance = orders * 4**ones / 16**number
            found += [
                Series(chance * 6 / 16, ones, fours, eights, 2),
                Series(chance * 4 / 16, ones, fours, eights, 3),
            ]
    return sorted(found, reverse=True)


ALL_SERIES: Final = _series()
"""Most likely first."""
SERIES: Final = np.array([list(series) for series in ALL_SERIES])
"""The same as rows of probability, ones, fours, eights and the last throw."""


def _sums(series: Series) -> set[int]:
    """Return all sums that throws of a series make, 0 included."""
    return {
        a + 4 * b + 8 * c + d
        for a in range(series.ones + 1)
        for b in range(series.fours + 1)
        for c in range(series.eights + 1)
        for d in (0, series.last)
    }


def _reach() -> list[list[float]]:
    table = [[0.0] * (KEEP + 1) for _ in range(3)]
    for series in ALL_SERIES:
        sums = _sums(series)
        entered = _sums(series._replace(ones=series.ones - 1)) if series.ones else set[int]()
        for row, squares in enumerate((sums, {total // 2 for total in sums}, entered)):
            for far in squares:
                if 0 < far <= KEEP:
                    table[row][far] += series.chance
    return table


REACH: Final = np.array(_reach())
"""By distance (column): the probability that a series lets a piece (row 0), twins (1) or a piece in
hand, once entered (2), go exactly that many squares."""

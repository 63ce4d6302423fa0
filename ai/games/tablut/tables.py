"""Tables for the fast board of Tablut: moves along a line of nine squares, and neighbours.

Squares are numbered as in the engine: a1 is 0, b1 is 1, i9 is 80.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.games.tablut.board import AT_EDGE, CASTLE, DIRECTIONS, SIZE, ray, step

SQUARES: Final = SIZE * SIZE
FULL: Final = (1 << SIZE) - 1
_EDGE: Final = SIZE - 1


def _slides() -> list[int]:
    """Return where a man can slide, for each occupation of a line and place on it."""
    found = []
    for taken in range(1 << SIZE):
        for place in range(SIZE):
            free = 0
            for way in (range(place + 1, SIZE), range(place - 1, -1, -1)):
                for n in way:
                    if taken >> n & 1:
                        break
                    free |= 1 << n
            found.append(free)
    return found


def _number(square: int | None) -> int:
    return -1 if square is None else square


SLIDES: Final = np.array(_slides(), np.int32)
"""At ``occupation * 9 + place``: bits of the places a man there can slide to."""
COUNT: Final = np.array([bits.bit_count() for bits in range(1 << SIZE)], np.int32)
"""By line: the number of its set bits."""
LOWEST: Final = np.array(
    [(bits & -bits).bit_length() - 1 if bits else 0 for bits in range(1 << SIZE)], np.int32
)
"""By line: the place of its lowest set bit, 0 if it is empty."""
NEXT: Final = np.array(
    [[_number(step(n, way)) for way in range(len(DIRECTIONS))] for n in range(SQUARES)], np.int32
)
"""By square and direction: the next square, or -1."""
BEYOND: Final = np.array(
    [[_number(step(n, way, 2)) for way in range(len(DIRECTIONS))] for n in range(SQUARES)],
    np.int32,
)
"""By square and direction: the square two steps on, or -1."""
EDGE: Final = np.array(AT_EDGE, np.int32)
"""By square: whether it is at the edge."""
RANK: Final = np.array([n // SIZE for n in range(SQUARES)], np.int32)
FILE: Final = np.array([n % SIZE for n in range(SQUARES)], np.int32)
BY_CASTLE: Final = np.array([CASTLE in [step(n, w) for w in range(4)] for n in range(SQUARES)])
"""By square: whether it is beside the castle."""
RAYS: Final = np.array(
    [
        [(*ray(n, way), *(-1,) * SIZE)[:SIZE] for way in range(len(DIRECTIONS))]
        for n in range(SQUARES)
    ],
    np.int32,
)
"""By square and direction: the squares from the next one to the edge, then -1."""


def _mixed(number: int) -> int:
    """Return 64 pseudo-random bits, always the same for a number (SplitMix64's finaliser)."""
    number = (number * 0x9E3779B97F4A7C15) % (1 << 64)
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) % (1 << 64)
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) % (1 << 64)
    return number ^ number >> 31


MARKS: Final = np.array(
    [[_mixed(kind * SQUARES + n + 1) for n in range(SQUARES)] for kind in range(3)], np.uint64
)
"""By kind and square: the man's Zobrist key."""
TURN_MARK: Final = np.uint64(_mixed(3 * SQUARES + 1))
"""The Zobrist key of the Muscovites' turn."""

"""The board as data: squares, the four paths, and the tables that follow from them.

A piece's *place* is its index on its own seat's path, 0 on its own palace to 24 in the keep. The
paths are quarter turns of each other, so the same place is a different square for each seat.
"""

from __future__ import annotations

from typing import Final

FILES: Final = "abcde"
RANKS: Final = "12345"

_PATHS: Final = (
    "c1 d1 e1 e2 e3 e4 e5 d5 c5 b5 a5 a4 a3 a2 a1 b1 b2 b3 b4 c4 d4 d3 d2 c2 c3",
    "a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5 d5 c5 b5 a5 a4 b4 c4 d4 d3 d2 c2 b2 b3 c3",
    "c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 e3 e4 e5 d5 d4 d3 d2 c2 b2 b3 b4 c4 c3",
    "e3 e4 e5 d5 c5 b5 a5 a4 a3 a2 a1 b1 c1 d1 e1 e2 d2 c2 b2 b3 b4 c4 d4 d3 c3",
)
"""The squares that South's, West's, North's and East's pieces walk."""

KEEP: Final = 24
"""The place of the keep."""
OPPOSITE: Final = 8
"""The place of the palace opposite a seat's own, where twins are declared."""
INNER: Final = 16
"""The first place of the inner ring."""

PATHS: Final = tuple(tuple(path.split()) for path in _PATHS)
"""The square at each place, for each seat."""
PLACES: Final = tuple({square: place for place, square in enumerate(path)} for path in PATHS)
"""The place of each square, for each seat."""
SQUARES: Final = tuple(f"{file}{rank}" for rank in RANKS for file in FILES)
MARKED: Final = frozenset({0, 4, OPPOSITE, 12, KEEP})
"""The places of the palaces and the keep, the same on every path: no captures there."""

ACROSS: Final = tuple(
    tuple(tuple(theirs[square] for square in path) for theirs in PLACES) for path in PATHS
)
"""``ACROSS[seat][other][place]``: the other seat's place on the same square."""

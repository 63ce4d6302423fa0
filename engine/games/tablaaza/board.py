"""The board as data: its size, the lakes, the colour of a1, and what follows.

Every plot has its own bit, red plots the low ones and green plots the high ones, each in the order
of their names. A set of plots is one integer.
"""

from __future__ import annotations

from typing import Final

from engine.game import Seat
from engine.phrase import capital, word

RED: Final = Seat(0)
GREEN: Final = Seat(1)
NAMES: Final = (word("seat", "red"), word("seat", "green"))
"""The seats' names, in seat order; the colours of the plots have the same names."""
CALLED: Final = tuple(capital(name) for name in NAMES)
"""The seats' names as used in sentences."""

# The document's figure has not been seen: RULES.md argues for these four lines. Correct them here
# and nowhere else.
WIDTH: Final = 8
HEIGHT: Final = 7
LAKES: Final = (("c3", "c4", "c5"), ("f3", "f4", "f5"))
A1: Final = RED

FILES: Final = "abcdefghijklmnopqrstuvwxyz"[:WIDTH]
RANKS: Final = tuple(str(rank) for rank in range(1, HEIGHT + 1))
WATER: Final = frozenset(square for lake in LAKES for square in lake)

_STEPS: Final = ((1, 0), (-1, 0), (0, 1), (0, -1))
_LEAPS: Final = tuple(
    (east * across, north * along)
    for across, along in ((1, 2), (2, 1))
    for east in (1, -1)
    for north in (1, -1)
)


def place(square: str) -> tuple[int, int]:
    """Return a square's column and row, both counted from 0."""
    return FILES.index(square[0]), int(square[1:]) - 1


def colour(square: str) -> Seat:
    """Return the seat whose colour a square has."""
    return Seat((sum(place(square)) + A1) % 2)


SQUARES: Final = tuple(file + rank for file in FILES for rank in RANKS)
"""Every square, lakes included, in the order of their names."""
PLOTS: Final = tuple(
    square
    for seat in (RED, GREEN)
    for square in SQUARES
    if square not in WATER and colour(square) == seat
)
"""The plot of each bit, lowest first."""
BITS: Final = {plot: 1 << number for number, plot in enumerate(PLOTS)}


def mask(plots: tuple[str, ...]) -> int:
    """Return a set of plots as bits."""
    return sum(BITS[plot] for plot in plots)


def named(plots: int) -> tuple[str, ...]:
    """Return the names of a set of plots, red ones first."""
    return tuple(plot for plot, bit in BITS.items() if plots & bit)


ALL: Final = mask(PLOTS)
OF: Final = (
    mask(tuple(plot for plot in PLOTS if colour(plot) == RED)),
    mask(tuple(plot for plot in PLOTS if colour(plot) == GREEN)),
)
"""The plots of each colour, in seat order."""


def _dry(column: int, row: int) -> str | None:
    """Return the plot at a place, or ``None`` for water or off the board."""
    if not (0 <= column < WIDTH and 0 <= row < HEIGHT):
        return None
    square = FILES[column] + RANKS[row]
    return None if square in WATER else square


def _run(plot: str, step: tuple[int, int]) -> list[str]:
    column, row = place(plot)
    found: list[str] = []
    while (beyond := _dry(column := column + step[0], row := row + step[1])) is not None:
        found.append(beyond)
    return found


def corridors(plot: str) -> tuple[tuple[str, ...], ...]:
    """Return the row and the column of a plot, up to lakes and edges, if two or more plots long.

    The plots of each run from left to right or from bottom to top.
    """
    east, west, north, south = (_run(plot, step) for step in _STEPS)
    runs = ((*west[::-1], plot, *east), (*south[::-1], plot, *north))
    return tuple(run for run in runs if len(run) > 1)


def neighbours(plot: str) -> tuple[str, ...]:
    """Return the plots beside a plot, and those a knight's move away on land.

    A leap is dry if one of its two ways, the long leg or the short leg first, stays on land.
    """
    column, row = place(plot)
    beside = {_dry(column + east, row + north) for east, north in _STEPS}
    leapt = {
        _dry(column + east, row + north)
        for east, north in _LEAPS
        if _dry_ways(column, row, east, north)
    }
    return tuple(sorted(found for found in beside | leapt if found is not None))


def _dry_ways(column: int, row: int, east: int, north: int) -> bool:
    """Return whether one of the two ways of a knight's leap stays on land."""
    if abs(east) == 2:
        ways = (((east // 2, 0), (east, 0)), ((0, north), (east // 2, north)))
    else:
        ways = (((0, north // 2), (0, north)), ((east, 0), (east, north // 2)))
    return any(all(_dry(column + dx, row + dy) for dx, dy in way) for way in ways)


NEEDS: Final = {
    BITS[plot]: mask(
        tuple({p for run in corridors(plot) for p in run if colour(p) != colour(plot)})
    )
    for plot in PLOTS
}
"""By plot, as bits: the plots of the other colour in its corridors.

Once all are occupied and the plot is not, a pavilion rises on it.
"""

SHARED: Final = {
    plot: (
        BITS[plot],
        tuple((mask(run) & OF[colour(plot)], mask(run) & ~OF[colour(plot)]) for run in runs),
    )
    for plot in PLOTS
    for runs in [corridors(plot)]
}
"""By plot: its bit and, for each of its corridors, the plots of its own colour and of the other."""

NEIGHBOURS: Final = {plot: mask(neighbours(plot)) for plot in PLOTS}

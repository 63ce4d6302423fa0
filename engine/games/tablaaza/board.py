"""The board as data: how large it is, where the lakes lie, whose colour a1 has, and what follows.

Every plot has a bit of its own, the red plots the low ones and the green plots the high ones,
each in the order of their names. A set of plots is one integer.
"""

from __future__ import annotations

from typing import Final

from engine.game import Seat
from engine.phrase import capital, word

RED: Final = Seat(0)
GREEN: Final = Seat(1)
NAMES: Final = (word("seat", "red"), word("seat", "green"))
"""The seats' names, in seat order; the colours of the plots are called the same."""
CALLED: Final = tuple(capital(name) for name in NAMES)
"""The seats' names as sentences use them."""

# The figure of the document has not been seen: these four lines are what RULES.md argues for,
# and a correction is made here and nowhere else.
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
    """Return the column and the row of a square, both counted from 0."""
    return FILES.index(square[0]), int(square[1:]) - 1


def colour(square: str) -> Seat:
    """Return the seat in whose colour a square is painted."""
    return Seat((sum(place(square)) + A1) % 2)


SQUARES: Final = tuple(file + rank for file in FILES for rank in RANKS)
"""Every square, lakes included, in the order of their names."""
PLOTS: Final = tuple(
    square
    for seat in (RED, GREEN)
    for square in SQUARES
    if square not in WATER and colour(square) == seat
)
"""The name of the plot of every bit, lowest first."""
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
    """Return the plot at a place, or ``None`` where there is water or no board."""
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
    """Return the row and the column of two or more plots that a plot lies in, up to lakes and edges.

    The plots of each stand in the order from left to right or from bottom to top.
    """
    east, west, north, south = (_run(plot, step) for step in _STEPS)
    runs = ((*west[::-1], plot, *east), (*south[::-1], plot, *north))
    return tuple(run for run in runs if len(run) > 1)


def neighbours(plot: str) -> tuple[str, ...]:
    """Return the plots beside a plot and those a knight's move away without a leap over water.

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
"""For the bit of every plot those of the other colour in its corridors: once all of them are
occupied and it is not, a pavilion rises on it."""

SHARED: Final = {
    plot: (
        BITS[plot],
        tuple((mask(run) & OF[colour(plot)], mask(run) & ~OF[colour(plot)]) for run in runs),
    )
    for plot in PLOTS
    for runs in [corridors(plot)]
}
"""For every plot its bit and, for each of its corridors, the plots of its own colour there and
those of the other."""

NEIGHBOURS: Final = {plot: mask(neighbours(plot)) for plot in PLOTS}

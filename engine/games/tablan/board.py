"""The board as data: squares, the two courses, and the tables that follow from them.

A man's *place* is its index on its own seat's course, 0 to 47, and a seat's men are one integer
with the bits of their places set. A move by *n* is then a shift by *n*, and each of the four rows
of the course is twelve bits.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

FILES: Final = "abcdefghijkl"
RANKS: Final = "1234"
SQUARES: Final = tuple(f"{file}{rank}" for rank in RANKS for file in FILES)

LENGTH: Final = 48
ROW: Final = 12
HOME: Final = (1 << ROW) - 1
"""The places of the first row of a course, where the men start."""
GOAL_START: Final = 36
"""The first place of the last row."""
GOAL: Final = HOME << GOAL_START
"""The places of the last row: the enemy's home row."""
OUTSIDE: Final = (1 << GOAL_START) - 1
"""The places before the last row."""

# The rows each seat walks, in order and direction: White's, then Black's.
_ROWS: Final = {
    "alongside": (("a1-l1", "l2-a2", "a3-l3", "l4-a4"), ("l4-a4", "a3-l3", "l2-a2", "a1-l1")),
    "opposed": (("a1-l1", "l2-a2", "a3-l3", "l4-a4"), ("a4-l4", "l3-a3", "a2-l2", "l1-a1")),
}


@dataclass(frozen=True, slots=True)
class Course:
    """The ways both seats walk. Pairs stand in seat order."""

    name: str
    squares: tuple[tuple[str, ...], tuple[str, ...]] = field(compare=False, repr=False)
    """The name of the square at every place."""
    places: tuple[dict[str, int], dict[str, int]] = field(compare=False, repr=False)
    """The place of every square."""
    across: tuple[tuple[int, ...], tuple[int, ...]] = field(compare=False, repr=False)
    """For each place of a seat, the other seat's place on the same square."""
    intruders: tuple[tuple[int, ...], tuple[int, ...]] = field(compare=False, repr=False)
    """Enemy-held places in a seat's home row, by the twelve bits of the enemy's goal."""


def _row_places(start: int) -> tuple[tuple[int, ...], ...]:
    """Return the occupied places for each of the 4096 ways to fill a row of a course."""
    filled: list[tuple[int, ...]] = [()]
    for place in range(start, start + ROW):
        filled += [(*lower, place) for lower in filled]
    return tuple(filled)


_ROW_PLACES: Final = tuple(_row_places(start) for start in range(0, LENGTH, ROW))


def bits(mask: int) -> tuple[int, ...]:
    """Return the places of a mask, lowest first."""
    first, second, third, last = _ROW_PLACES
    return (
        first[mask & HOME] + second[mask >> 12 & HOME] + third[mask >> 24 & HOME] + last[mask >> 36]
    )


def _walk(rows: tuple[str, ...]) -> tuple[str, ...]:
    walked: list[str] = []
    for row in rows:
        first, rank, last = row[0], row[1], row[3]
        files = FILES if first < last else FILES[::-1]
        walked += [f"{file}{rank}" for file in files]
    return tuple(walked)


def _course(name: str) -> Course:
    white, black = (_walk(rows) for rows in _ROWS[name])
    places = tuple({square: place for place, square in enumerate(walk)} for walk in (white, black))
    across = tuple(
        tuple(theirs[square] for square in walk)
        for walk, theirs in zip((white, black), reversed(places), strict=True)
    )
    intruders = tuple(_intruders(other) for other in reversed(across))
    return Course(
        name,
        (white, black),
        (places[0], places[1]),
        (across[0], across[1]),
        (intruders[0], intruders[1]),
    )


def _intruders(across: tuple[int, ...]) -> tuple[int, ...]:
    held = [0] * (HOME + 1)
    for arrived in range(1, HOME + 1):
        lowest = (arrived & -arrived).bit_length() - 1
        held[arrived] = held[arrived & (arrived - 1)] | 1 << across[GOAL_START + lowest]
    return tuple(held)


COURSES: Final = {name: _course(name) for name in _ROWS}

"""Using a series of throws: which moves there are, and what each does to its own side.

Enemies never stand in the way, so all of this follows from a seat's own pieces and its throws,
and is remembered for those.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.games.thaayam.board import KEEP, PATHS
from engine.games.thaayam.packing import most
from engine.games.thaayam.state import (
    ALL_IN_HAND,
    AT_OPPOSITE,
    HAND,
    IN_KEEP,
    OFF,
    PAIR,
    Act,
    Advance,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Seat
    from engine.games.thaayam.state import Side, Throws

Play: TypeAlias = Act | Advance
"""What a seat may do with its throws."""

_MEMORY: Final = 1 << 15
_FURTHEST: Final = 2 * KEEP + 1
"""More points than this no piece can use, nor twins."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the throws in hand, and the rest."""

    taken: Throws
    points: int
    rest: Throws


@lru_cache(maxsize=_MEMORY)
def plays(seat: Seat, side: Side, throws: Throws) -> tuple[Play, ...]:
    """Return the legal moves: those after which the most throws can still be used.

    Args:
        seat: whose pieces; it gives the squares their names.
        side: the pieces.
        throws: scores, larger first.

    """
    best = most(side, throws)
    if not best:
        return ()
    # Entering makes room for others and only a 1 bears off, so neither ever wastes a throw.
    found: list[Play] = []
    if 1 in throws:
        if HAND in side:
            found.append(Act.ENTER)
        elif may_bear_off(side):
            found.append(Act.OFF)
    for code in dict.fromkeys(side):
        if not code & 1 and (code < IN_KEEP or code >= PAIR):
            found += _moves_of(seat, side, code, throws, best)
    if may_declare(side) and most(declared(side), throws) == best:
        found.append(Act.TWINS)
    return tuple(found)


def _moves_of(seat: Seat, side: Side, code: int, throws: Throws, best: int) -> Iterator[Advance]:
    """Yield the moves of a piece, or twins, after which the most throws can still be used."""
    twins = code >= PAIR
    place = (code - PAIR if twins else code) // 2
    square, ahead = PATHS[seat][place], KEEP - place
    for part in parted(throws):
        squares = part.points // 2 if twins else part.points
        if 0 < squares <= ahead:
            rest = part.rest
            if not rest or len(part.taken) + most(advanced(side, code, squares), rest) == best:
                yield Advance(square, part.taken, twins)


@lru_cache(maxsize=1 << 12)
def parted(throws: Throws) -> tuple[Part, ...]:
    """Return every way to take one or more of the throws, without those that are too many."""
    scores = tuple(dict.fromkeys(throws))
    counts = (range(min(throws.count(score), _FURTHEST // score) + 1) for score in scores)
    found = []
    for numbers in product(*counts):
        points = sum(score * number for score, number in zip(scores, numbers, strict=True))
        if 0 < points <= _FURTHEST:
            taken = tuple(score for score, n in zip(scores, numbers, strict=True) for _ in range(n))
            found.append(Part(taken, points, without(throws, taken)))
    found.sort(key=lambda part: (len(part.taken), part.taken))
    return tuple(found)


def without(throws: Throws, taken: Throws) -> Throws:
    """Return the throws that are left; of equal ones the earliest leaves first."""
    left = list(throws)
    for score in taken:
        left.remove(score)
    return tuple(left)


def struck(side: Side, throws: Throws) -> Throws:
    """Return what rule 7 leaves of a complete series: without a piece on the board a 1 comes first."""
    if side != ALL_IN_HAND:
        return throws
    return throws[throws.index(1) :] if 1 in throws else ()


# ------------------------------------------------------------------ what moves do to a side


def entered(side: Side) -> Side:
    """Return a side with one piece more on its own palace."""
    at = side.index(HAND)
    return (0, *side[:at], *side[at + 1 :])


def advanced(side: Side, code: int, squares: int) -> Side:
    """Return a side after a piece or twins moved; twins are two pieces again in the keep."""
    after = list(side)
    after.remove(code)
    arrived = (code + 2 * squares) | 1
    if arrived == PAIR + IN_KEEP + 1:
        after += (IN_KEEP + 1, IN_KEEP + 1)
    else:
        after.append(arrived)
    after.sort()
    return tuple(after)


def may_bear_off(side: Side) -> bool:
    """Return whether all pieces are in the keep or off, and one there has not moved in this series."""
    return IN_KEEP in side and side[0] >= IN_KEEP and side[-1] <= OFF and HAND not in side


def borne_off(side: Side) -> Side:
    """Return a side with one piece less in the keep."""
    at = side.index(IN_KEEP)
    return tuple(sorted((*side[:at], *side[at + 1 :], OFF)))


def may_declare(side: Side) -> bool:
    """Return whether two single pieces stand on the opposite palace."""
    return side.count(AT_OPPOSITE) + side.count(AT_OPPOSITE + 1) > 1


def declared(side: Side) -> Side:
    """Return a side with twins more: of pieces that have not moved, else of such that have.

    Only where there are no two of either kind are they of one of each; like every pair with a
    piece that has moved they have moved.
    """
    fresh, moved = side.count(AT_OPPOSITE), side.count(AT_OPPOSITE + 1)
    if fresh > 1:
        chosen: tuple[int, int] = (AT_OPPOSITE, AT_OPPOSITE)
    elif moved > 1:
        chosen = (AT_OPPOSITE + 1, AT_OPPOSITE + 1)
    else:
        chosen = (AT_OPPOSITE, AT_OPPOSITE + 1)
    after = list(side)
    for code in chosen:
        after.remove(code)
    after.append(PAIR + AT_OPPOSITE + (chosen[1] & 1))
    after.sort()
    return tuple(after)


def rested(side: Side) -> Side:
    """Return a side at the end of a series, when no piece counts as moved any more."""
    return tuple([code & ~1 for code in side])

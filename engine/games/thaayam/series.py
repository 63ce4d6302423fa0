"""Using a series of throws: the moves, and what each does to its own side.

Enemies never stand in the way, so all of this depends only on a seat's own pieces and throws. It is
cached if the throws are few.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from engine.game import Seat
from engine.games.thaayam.board import KEEP, PATHS
from engine.games.thaayam.packing import Supply, usable
from engine.games.thaayam.state import (
    ALL_IN_HAND,
    AT_OPPOSITE,
    HAND,
    IN_KEEP,
    OFF,
    PAIR,
    Act,
    Advance,
    Series,
    Side,
    Throws,
)

Play: TypeAlias = Act | Advance
"""A seat's choices with its throws."""

_FEW: Final = 6
"""Moves are cached up to this many throws, at most 10 KB of them.

Longer series are rare, and one of hundreds of throws has thousands of moves.
"""
_MEMORY: Final = 1 << 12
_FURTHEST: Final = 2 * KEEP + 1
"""No piece, nor twins, can use more points than this."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the throws in hand, and the rest."""

    taken: Throws
    points: int
    left: Supply

    @property
    def rest(self) -> Throws:
        """The throws that are left."""
        return self.left.scores()


def plays(seat: Seat, side: Side, throws: Iterable[int]) -> tuple[Play, ...]:
    """Return the legal moves: those that leave the most throws usable.

    Args:
        seat: the owner of the pieces; it gives the squares their names.
        side: the pieces.
        throws: scores in any order.
    """
    supply = Supply.of(throws)
    return (_remembered if supply.number <= _FEW else _plays)(seat, side, supply)


def _plays(seat: Seat, side: Side, supply: Supply) -> tuple[Play, ...]:
    best = usable(side, supply)
    if not best:
        return ()
    # Entering makes room for others and only a 1 bears off, so neither ever wastes a throw.
    found: list[Play] = []
    if supply.ones:
        if HAND in side:
            found.append(Act.ENTER)
        elif may_bear_off(side):
            found.append(Act.OFF)
    parts = parted(supply)
    for code in dict.fromkeys(side):
        if not code & 1 and (code < IN_KEEP or code >= PAIR):
            found += _moves_of(seat, side, code, parts, best)
    if may_declare(side) and usable(declared(side), supply) == best:
        found.append(Act.TWINS)
    return tuple(found)


_remembered = lru_cache(maxsize=_MEMORY)(_plays)


def _moves_of(
    seat: Seat, side: Side, code: int, parts: Iterable[Part], best: int
) -> Iterator[Advance]:
    """Yield the moves of a piece, or twins, that leave the most throws usable."""
    twins = code >= PAIR
    place = (code - PAIR if twins else code) // 2
    square, ahead = PATHS[seat][place], KEEP - place
    for part in parts:
        squares = part.points // 2 if twins else part.points
        if 0 < squares <= ahead:
            left = part.left
            if (
                not left.number
                or len(part.taken) + usable(advanced(side, code, squares), left) == best
            ):
                yield Advance(square, part.taken, twins)


def parted(supply: Supply) -> list[Part]:
    """Return every way to take one or more throws, without those worth too many points."""
    ones, fours, eights, last = supply
    found = []
    for end in {0, last}:
        for eight in range(min(eights, (_FURTHEST - end) // 8) + 1):
            for four in range(min(fours, (_FURTHEST - end - 8 * eight) // 4) + 1):
                heavy = end + 8 * eight + 4 * four
                for one in range(min(ones, _FURTHEST - heavy) + 1):
                    if heavy + one:
                        taken = Supply(one, four, eight, end).scores()
                        left = Supply(ones - one, fours - four, eights - eight, last - end)
                        found.append(Part(taken, heavy + one, left))
    found.sort(key=lambda part: (len(part.taken), part.taken))
    return found


def without(throws: Iterable[int], taken: Throws) -> Series:
    """Return the throws left; of equal ones the earliest leaves first."""
    left = list(throws)
    for score in taken:
        left.remove(score)
    return Series(left)


def struck(side: Side, throws: Series) -> Series:
    """Return what rule 7 leaves of a full series: without a piece on the board a 1 comes first."""
    if side != ALL_IN_HAND:
        return throws
    scores = tuple(throws)
    return Series(scores[scores.index(1) :] if 1 in scores else ())


# ------------------------------------------------------------------ what moves do to a side


def entered(side: Side) -> Side:
    """Return a side with one more piece on its own palace."""
    at = side.index(HAND)
    return (0, *side[:at], *side[at + 1 :])


def advanced(side: Side, code: int, squares: int) -> Side:
    """Return a side after a piece or twins moved; in the keep, twins are two pieces again."""
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
    """Return a side with one piece fewer in the keep."""
    at = side.index(IN_KEEP)
    return tuple(sorted((*side[:at], *side[at + 1 :], OFF)))


def may_declare(side: Side) -> bool:
    """Return whether two single pieces stand on the opposite palace."""
    return side.count(AT_OPPOSITE) + side.count(AT_OPPOSITE + 1) > 1


def declared(side: Side) -> Side:
    """Return a side with one more pair of twins: unmoved pieces if possible, else moved ones.

    Only if there are no two of either kind is one of each used; like every pair with a moved piece,
    they count as moved.
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
    """Return a side at the end of a series, with no piece marked as moved."""
    return tuple([code & ~1 for code in side])

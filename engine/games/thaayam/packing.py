"""The most throws of a series that can be used (rule 13). Exact, and fast at any length.

Enemies never stand in the way, so only the seat's own side and the throws matter. Each piece that
has yet to move is a *room*: a single piece has room for as many points as there are squares before
it to the keep, twins for twice as many and one that is wasted. As any sum that fits is a move,
using the most throws means packing the most throws into the rooms. Entering makes rooms and costs a
1 that is itself used, so as many pieces as possible enter.

8, 4 and 1 divide each other, so counting how many of each fit needs no search: every room holds a
whole number of fours, an eight fills two of them anywhere, and ones go anywhere. A series holds a
single 2 or 3, for which every room is tried.

Bearing off asks for more: every other piece must have reached the keep exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from engine.games.thaayam.board import KEEP, OPPOSITE
from engine.games.thaayam.state import AT_OPPOSITE, CLOSING, HAND, IN_KEEP, PAIR, Side, Throws

Rooms: TypeAlias = tuple[int, ...]
Need: TypeAlias = tuple[int, int]
"""The fewest and the most points that bring a piece home exactly."""

_MEMORY: Final = 1 << 15
_IMPOSSIBLE: Final = -1
_ONES: Final = 128
_FOURS: Final = 32
_EIGHTS: Final = 16
"""More throws of one score than any side can use.

A piece has at most 24 points before it and twins 49; ones also let four pieces enter or bear off.
"""


class Supply(NamedTuple):
    """Throws to use, in any order."""

    ones: int
    fours: int
    eights: int
    last: int
    """The 2 or 3 that ended the series; 0 if absent."""

    @classmethod
    def of(cls, throws: Iterable[int]) -> Supply:
        """Return these throws, with at most one 2 or 3 among them."""
        scores = tuple(throws)
        last = next((score for score in CLOSING if score in scores), 0)
        return cls(scores.count(1), scores.count(4), scores.count(8), last)

    def scores(self) -> Throws:
        """Return the scores, larger first."""
        last = (self.last,) if self.last else ()
        return (8,) * self.eights + (4,) * self.fours + last + (1,) * self.ones

    @property
    def number(self) -> int:
        """The number of throws."""
        return self.ones + self.fours + self.eights + bool(self.last)

    @property
    def points(self) -> int:
        """The sum of the scores."""
        return self.ones + 4 * self.fours + 8 * self.eights + self.last


def most(side: Side, throws: Iterable[int]) -> int:
    """Return the most throws that a side can use.

    Args:
        side: the pieces, those that have moved in this series marked.
        throws: scores in any order, with at most one 2 or 3 among them.
    """
    return usable(side, Supply.of(throws))


def usable(side: Side, supply: Supply) -> int:
    """Return the same for throws without an order."""
    furthest = IN_KEEP - 2 * supply.points
    for code in side:
        if code > furthest:
            break
        if not code & 1:
            return supply.number  # one piece can take them all
    ones, fours, eights, last = supply
    return _searched(side, Supply(min(ones, _ONES), min(fours, _FOURS), min(eights, _EIGHTS), last))


@lru_cache(maxsize=_MEMORY)
def _searched(side: Side, supply: Supply) -> int:
    entering = min(side.count(HAND), supply.ones)
    supply = supply._replace(ones=supply.ones - entering)
    waiting = side.count(IN_KEEP)
    homeward = (
        waiting > 0
        and supply.ones > 0
        and side.count(HAND) == entering
        and not any(code & 1 and code != IN_KEEP + 1 for code in side)
    )
    best = 0
    for singles, pairs in _rooms(side, entering):
        best = max(best, _held(singles, pairs, supply))
        if homeward:
            needs = (*((room, room) for room in singles), *((room - 1, room) for room in pairs))
            best = max(best, _homed(needs, supply, waiting))
    return entering + best


def _rooms(side: Side, entering: int) -> Iterator[tuple[Rooms, Rooms]]:
    """Yield the rooms of single pieces and of twins, once for each number of twins declared."""
    twins = tuple(2 * KEEP - (code - PAIR) + 1 for code in side if code >= PAIR and not code & 1)
    fresh = [code for code in side if code < IN_KEEP and not code & 1]
    opposite = fresh.count(AT_OPPOSITE)
    other = (
        *(KEEP - code // 2 for code in fresh if code != AT_OPPOSITE),
        *(KEEP,) * entering,
    )
    room = KEEP - OPPOSITE
    for declared in range(opposite // 2 + 1):
        singles = (*other, *(room,) * (opposite - 2 * declared))
        yield singles, (*twins, *(2 * room + 1,) * declared)


def _held(singles: Rooms, pairs: Rooms, supply: Supply) -> int:
    """Return how many throws fit if no piece is borne off.

    A pair cannot move by a lone 1. That matters only if there is just one 1: with two, both can go
    to a pair, or one of them can replace a larger throw.
    """
    rooms = singles + pairs
    if supply.ones != 1 or not pairs:
        return _with_last(rooms, supply)
    without_it = supply._replace(ones=0)
    best = _with_last(rooms, without_it)
    for index, room in enumerate(rooms):
        if index < len(singles):
            if room:
                best = max(best, 1 + _with_last(_less(rooms, index, 1), without_it))
            continue
        for score, rest in _one_more(without_it):
            if room > score:
                best = max(best, 2 + _with_last(_less(rooms, index, score + 1), rest))
    return best


def _one_more(supply: Supply) -> Iterator[tuple[int, Supply]]:
    """Yield each throw that can go with a 1, and the supply left."""
    if supply.last:
        yield supply.last, supply._replace(last=0)
    if supply.fours:
        yield 4, supply._replace(fours=supply.fours - 1)
    if supply.eights:
        yield 8, supply._replace(eights=supply.eights - 1)


def _with_last(rooms: Rooms, supply: Supply) -> int:
    """Return how many throws fit, with the 2 or 3 that ended the series in its best place."""
    best, last = _packed(rooms, supply), supply.last
    if last:
        for index, room in enumerate(rooms):
            if room >= last:
                best = max(best, 1 + _packed(_less(rooms, index, last), supply))
    return best


def _less(rooms: Rooms, index: int, points: int) -> Rooms:
    return (*rooms[:index], rooms[index] - points, *rooms[index + 1 :])


def _packed(rooms: Rooms, supply: Supply) -> int:
    """Return how many ones, fours and eights fit.

    Replacing ones with a larger throw gains nothing, nor does replacing fours with an eight.
    """
    ones = min(supply.ones, sum(rooms))
    left, fours_fit = sum(rooms) - ones, sum(room // 4 for room in rooms)
    fours = min(supply.fours, fours_fit, left // 4)
    eights_fit = min(sum(room // 8 for room in rooms), (fours_fit - fours) // 2)
    return ones + fours + min(supply.eights, eights_fit, (left - 4 * fours) // 8)


@lru_cache(maxsize=1 << 12)
def _homed(needs: tuple[Need, ...], supply: Supply, waiting: int) -> int:
    """Return how many throws are used if every piece comes home and ones then bear off.

    Args:
        needs: the points that each piece on the path needs.
        supply: the throws.
        waiting: how many pieces in the keep may be borne off once all are there.
    """
    if not needs:
        return min(supply.ones, waiting)
    best = _IMPOSSIBLE
    for used, rest in _exactly(needs[0], supply):
        further = _homed(needs[1:], rest, waiting)
        if further != _IMPOSSIBLE:
            best = max(best, used + further)
    return best


def _exactly(need: Need, supply: Supply) -> Iterator[tuple[int, Supply]]:
    """Yield each way to bring a piece home: the number of throws used, and the supply left."""
    least, greatest = need
    for last in {0, supply.last}:
        for eights in range(min(supply.eights, greatest // 8) + 1):
            for fours in range(min(supply.fours, (greatest - 8 * eights) // 4) + 1):
                heavy = 8 * eights + 4 * fours + last
                for ones in range(max(0, least - heavy), min(supply.ones, greatest - heavy) + 1):
                    rest = Supply(
                        supply.ones - ones,
                        supply.fours - fours,
                        supply.eights - eights,
                        0 if last else supply.last,
                    )
                    yield ones + fours + eights + bool(last), rest

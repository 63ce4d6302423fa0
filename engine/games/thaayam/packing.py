"""How many throws of a series can be used at most (rule 13). Exact, and quick however long it is.

Enemies never stand in the way, so only the seat's own side and the throws matter. Each piece that
has its move before it is a *room*: a single piece has room for as many points as there are squares
before it to the keep, twins for twice as many and one that is wasted. As any sum that fits is a
move, using the most throws means packing the most throws into the rooms. Entering makes rooms and
costs a 1 that is used itself, so as many pieces as possible enter.

8, 4 and 1 divide each other, so how many of each fit needs no search: every room holds a whole
number of fours, an eight fills two of them wherever it goes, and ones go anywhere. A series holds
a single 2 or 3, for which every room is tried.

Bearing off asks for more: every other piece must have come to the keep exactly.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from engine.games.thaayam.board import KEEP
from engine.games.thaayam.state import AT_OPPOSITE, HAND, IN_KEEP, PAIR

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.games.thaayam.state import Side, Throws

Rooms: TypeAlias = tuple[int, ...]

_MEMORY: Final = 1 << 16
_IMPOSSIBLE: Final = -1


@lru_cache(maxsize=_MEMORY)
def most(side: Side, throws: Throws) -> int:
    """Return how many of the throws a side can use at most.

    Args:
        side: the pieces as they stand, those that have moved in this series marked.
        throws: scores, larger first, with at most one 2 or 3 among them.

    """
    points = sum(throws)
    if any(code + 2 * points <= IN_KEEP for code in side if not code & 1):
        return len(throws)  # one piece can take them all
    ones, fours, eights = throws.count(1), throws.count(4), throws.count(8)
    last = next((score for score in throws if score in {2, 3}), 0)
    entering = min(side.count(HAND), ones)
    ones -= entering
    waiting = side.count(IN_KEEP)
    all_home = side.count(HAND) == entering and not any(
        code & 1 and code != IN_KEEP + 1 for code in side
    )
    best = 0
    for singles, pairs in _rooms(side, entering):
        best = max(best, _held(singles, pairs, ones, fours, eights, last))
        if all_home and waiting and ones:
            needs = (*((room, room) for room in singles), *((room - 1, room) for room in pairs))
            best = max(best, _homed(needs, ones, fours, eights, last, waiting))
    return entering + best


def _rooms(side: Side, entering: int) -> Iterator[tuple[Rooms, Rooms]]:
    """Yield the rooms of single pieces and of twins, once for each number of twins declared."""
    twins = tuple(
        2 * KEEP - (code - PAIR) + 1 for code in side if code >= PAIR and not code & 1
    )
    fresh = [code for code in side if code < IN_KEEP and not code & 1]
    opposite = fresh.count(AT_OPPOSITE)
    other = (
        *(KEEP - code // 2 for code in fresh if code != AT_OPPOSITE),
        *(KEEP,) * entering,
    )
    room = KEEP - AT_OPPOSITE // 2
    for declared in range(opposite // 2 + 1):
        singles = (*other, *(room,) * (opposite - 2 * declared))
        yield singles, (*twins, *(2 * room + 1,) * declared)


def _held(singles: Rooms, pairs: Rooms, ones: int, fours: int, eights: int, last: int) -> int:
    """Return how many throws fit where nobody is borne off.

    A pair cannot move by a lone 1. That matters only where there is just one 1: of two, both
    can go to a pair, or one of them can take the place of a larger throw.
    """
    rooms = singles + pairs
    if ones != 1 or not pairs:
        return _with_last(rooms, ones, fours, eights, last)
    best = _with_last(rooms, 0, fours, eights, last)
    for index, room in enumerate(rooms):
        if index < len(singles):
            if room:
                left = _less(rooms, index, 1)
                best = max(best, 1 + _with_last(left, 0, fours, eights, last))
            continue
        for beside, there in ((last, bool(last)), (4, bool(fours)), (8, bool(eights))):
            if there and room > beside:
                more = _with_last(
                    _less(rooms, index, beside + 1),
                    0,
                    fours - (beside == 4),
                    eights - (beside == 8),
                    0 if beside == last else last,
                )
                best = max(best, 2 + more)
    return best


def _with_last(rooms: Rooms, ones: int, fours: int, eights: int, last: int) -> int:
    """Return how many throws fit, with the 2 or 3 that ended the series wherever it fits best."""
    best = _packed(rooms, ones, fours, eights)
    if last:
        for index, room in enumerate(rooms):
            if room >= last:
                left = _less(rooms, index, last)
                best = max(best, 1 + _packed(left, ones, fours, eights))
    return best


def _less(rooms: Rooms, index: int, points: int) -> Rooms:
    return (*rooms[:index], rooms[index] - points, *rooms[index + 1 :])


def _packed(rooms: Rooms, ones: int, fours: int, eights: int) -> int:
    """Return how many ones, fours and eights fit."""
    room = sum(rooms)
    fours_fit = sum(room // 4 for room in rooms)
    eights_fit = sum(room // 8 for room in rooms)
    best = 0
    for large in range(min(eights, eights_fit) + 1):
        for middle in range(min(fours, fours_fit - 2 * large) + 1):
            small = min(ones, room - 8 * large - 4 * middle)
            best = max(best, large + middle + small)
    return best


@lru_cache(maxsize=1 << 12)
def _homed(
    needs: tuple[tuple[int, int], ...], ones: int, fours: int, eights: int, last: int, waiting: int
) -> int:
    """Return how many throws are used where every piece comes home and those waiting are borne off.

    Args:
        needs: for each piece on the path the least and the most points that bring it home.
        ones: how many there are, and so on.
        fours: see there.
        eights: see there.
        last: the 2 or 3 that ended the series, 0 where it is used.
        waiting: how many pieces may be borne off once all are home.

    """
    if not needs:
        return min(ones, waiting)
    (least, exactly), *others = needs
    rest = tuple(others)
    best = _IMPOSSIBLE
    for closing in {0, last}:
        for large in range(min(eights, exactly // 8) + 1):
            for middle in range(min(fours, (exactly - 8 * large) // 4) + 1):
                heavy = 8 * large + 4 * middle + closing
                for small in range(max(0, least - heavy), min(ones, exactly - heavy) + 1):
                    further = _homed(
                        rest,
                        ones - small,
                        fours - middle,
                        eights - large,
                        0 if closing else last,
                        waiting,
                    )
                    if further != _IMPOSSIBLE:
                        used = large + middle + small + bool(closing)
                        best = max(best, used + further)
    return best



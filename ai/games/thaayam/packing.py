"""The maximum number of throws of a series that can be used (rule 13), for packed sides.

See `engine.games.thaayam.packing` for the reasoning. Rooms are packed too: up to four fields of
eight bits, single pieces first.
"""

from __future__ import annotations

from typing import Final

from ai.games.thaayam.sides import CODE, FIELD, NOTHING, count
from ai.kernels import kernel
from engine.games.thaayam.board import KEEP, OPPOSITE
from engine.games.thaayam.state import AT_OPPOSITE, HAND, IN_KEEP, PAIR

_ROOM: Final = 8
"""Bits per room."""
_WIDE: Final = 255


@kernel
def most(side: int, ones: int, fours: int, eights: int, last: int) -> int:
    """Return the maximum number of throws a side can use.

    Args:
        side: the packed pieces.
        ones: number of throws of 1.
        fours: number of throws of 4.
        eights: number of throws of 8.
        last: the 2 or 3 that ended the series, 0 if there is none.

    """
    number = ones + fours + eights + int(last > 0)
    if number == 0:
        return 0
    furthest = IN_KEEP - 2 * (ones + 4 * fours + 8 * eights + last)
    rest = side
    while (rest & CODE) <= furthest:
        if not rest & 1:
            return number
        rest >>= FIELD
        if rest == 0:
            break
    return searched(side, ones, fours, eights, last)


@kernel
def searched(side: int, ones: int, fours: int, eights: int, last: int) -> int:
    """Return the same as `most` if no single piece can take all the throws."""
    hands = count(side, HAND)
    entering = min(hands, ones)
    ones -= entering
    waiting = count(side, IN_KEEP)
    homeward = waiting > 0 and ones > 0 and hands == entering
    singles, rooms, pairs, twins, opposite = 0, 0, 0, 0, 0
    for index in range(4):
        code = side >> (FIELD * index) & CODE
        if code & 1:
            homeward = homeward and code == IN_KEEP + 1
        elif code == AT_OPPOSITE:
            opposite += 1
        elif code < IN_KEEP:
            rooms |= (KEEP - code // 2) << (_ROOM * singles)
            singles += 1
        elif PAIR <= code < NOTHING:
            twins |= (2 * KEEP - (code - PAIR) + 1) << (_ROOM * pairs)
            pairs += 1
    for _ in range(entering):
        rooms |= KEEP << (_ROOM * singles)
        singles += 1
    best = 0
    for new in range(opposite // 2 + 1):
        alone, some = singles, rooms
        for _ in range(opposite - 2 * new):
            some |= (KEEP - OPPOSITE) << (_ROOM * alone)
            alone += 1
        total = alone
        for index in range(pairs):
            some |= (twins >> (_ROOM * index) & _WIDE) << (_ROOM * total)
            total += 1
        for _ in range(new):
            some |= (2 * (KEEP - OPPOSITE) + 1) << (_ROOM * total)
            total += 1
        best = max(best, _held(some, alone, total, ones, fours, eights, last))
        if homeward:
            best = max(best, _homed(some, alone, total, ones, fours, eights, last, waiting))
    return entering + best


@kernel
def _held(
    rooms: int, singles: int, total: int, ones: int, fours: int, eights: int, last: int
) -> int:
    """Return how many throws fit if no piece is borne off.

    Twins cannot move by a lone 1. So if there is just one, it stays unused, goes to a single piece,
    or goes to twins together with a larger throw.
    """
    if ones != 1 or singles == total:
        return _with_last(rooms, total, ones, fours, eights, last)
    best = 0
    for way in range(-1, 4 * total):
        room, company, used = way >> 2, way & 3, 0
        less, four, eight, end = rooms, fours, eights, last
        if way >= 0:
            points, used = 1, 1
            if (room < singles) != (company == 0):
                continue
            if company == 1 and last:
                points, end = 1 + last, 0
            elif company == 2 and fours:
                points, four = 5, fours - 1
            elif company == 3 and eights:
                points, eight = 9, eights - 1
            elif company:
                continue
            if (rooms >> (_ROOM * room) & _WIDE) < points:
                continue
            used += int(company > 0)
            less -= points << (_ROOM * room)
        best = max(best, used + _with_last(less, total, 0, four, eight, end))
    return best


@kernel
def _with_last(rooms: int, total: int, ones: int, fours: int, eights: int, last: int) -> int:
    """Return how many throws fit, placing the 2 or 3 that ended the series where it fits best."""
    best = 0
    for index in range(-1, total if last else 0):
        less = rooms
        if index >= 0:
            if (rooms >> (_ROOM * index) & _WIDE) < last:
                continue
            less -= last << (_ROOM * index)
        best = max(best, int(index >= 0) + _packed(less, total, ones, fours, eights))
    return best


@kernel
def _packed(rooms: int, total: int, ones: int, fours: int, eights: int) -> int:
    """Return how many ones, fours and eights fit."""
    points, fours_fit, eights_fit = 0, 0, 0
    for index in range(total):
        room = rooms >> (_ROOM * index) & _WIDE
        points += room
        fours_fit += room // 4
        eights_fit += room // 8
    best = 0
    for big in range(min(eights, eights_fit) + 1):
        for mid in range(min(fours, fours_fit - 2 * big) + 1):
            best = max(best, big + mid + min(ones, points - 8 * big - 4 * mid))
    return best


@kernel
def _homed(
    rooms: int,
    singles: int,
    total: int,
    ones: int,
    fours: int,
    eights: int,
    last: int,
    waiting: int,
) -> int:
    """Return how many throws are used if every piece comes home and ones then bear off.

    At most three pieces are on the way, since one waits in the keep. -1 if they cannot come home.
    """
    best = -1
    for index in range(-1, total if last else 0):
        less = rooms
        if index >= 0:
            if (rooms >> (_ROOM * index) & _WIDE) < last:
                continue
            less -= last << (_ROOM * index)
        used = _filled(less, singles, ones, fours, eights, waiting)
        if used >= 0:
            best = max(best, used + int(index >= 0))
    return best


@kernel
def _filled(rooms: int, singles: int, ones: int, fours: int, eights: int, waiting: int) -> int:
    """Return the same as `_homed` with ones, fours and eights only.

    Each room takes a multiple of 4 in fours and eights, and ones for the rest. For a given total of
    fours and eights, the fewest eights use the most throws.
    """
    a, b, c = rooms & _WIDE, rooms >> _ROOM & _WIDE, rooms >> 2 * _ROOM & _WIDE
    # Twins may waste a point; the empty rooms after the last may not.
    spare_a = int(singles < 1 and a > 0)
    spare_b = int(singles < 2 and b > 0)
    spare_c = int(singles < 3 and c > 0)
    best = -1
    for x in range(a // 4 + 1):
        for y in range(b // 4 + 1):
            for z in range(c // 4 + 1):
                worth = x + y + z
                big = max(0, (worth - fours + 1) // 2)
                if big > min(eights, x // 2 + y // 2 + z // 2):
                    continue
                need, spare = 0, waiting
                for left, waste in (
                    (a - 4 * x, spare_a),
                    (b - 4 * y, spare_b),
                    (c - 4 * z, spare_c),
                ):
                    wasted = min(left, waste)
                    need += left - wasted
                    spare += wasted
                if need <= ones:
                    best = max(best, worth - big + need + min(ones - need, spare))
    return best

"""Captures when a piece lands (rules 18 to 24)."""

from __future__ import annotations

from engine.games.thaayam.board import ACROSS, MARKED
from engine.games.thaayam.state import HAND, PAIR, SEATS, Side


def sent_back(
    sides: tuple[Side, ...], turn: int, place: int, *, twins: bool
) -> tuple[Side, ...] | None:
    """Return all sides after the captures, or ``None`` if there are none.

    Args:
        sides: the pieces of all sides.
        turn: the side whose piece lands, as an index of the sides.
        place: where it lands, on its own path.
        twins: whether twins land.
    """
    if place in MARKED:
        return None
    seats = SEATS[len(sides)]
    across = ACROSS[seats[turn]]
    hit = []
    for index, side in enumerate(sides):
        code = 2 * across[seats[index]][place]
        if index != turn and (code in side or code + PAIR in side):
            if not twins and code + PAIR in side:
                return None
            hit.append((index, code))
    if not hit:
        return None
    after = list(sides)
    for index, code in hit:
        after[index] = _emptied(sides[index], code)
    return tuple(after)


def _emptied(side: Side, code: int) -> Side:
    """Return a side whose pieces on one place are in hand again, twins as two."""
    left = [other for other in side if other not in {code, code + PAIR}]
    back = side.count(code) + 2 * side.count(code + PAIR)
    return tuple(sorted((*left, *(HAND,) * back)))

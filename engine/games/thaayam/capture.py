"""Who is captured when a piece lands (rules 18 to 24)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.games.thaayam.board import ACROSS, MARKED
from engine.games.thaayam.state import HAND, PAIR, SEATS

if TYPE_CHECKING:
    from engine.games.thaayam.state import Side


def sent_back(
    sides: tuple[Side, ...], turn: int, place: int, *, twins: bool
) -> tuple[Side, ...] | None:
    """Return all sides after the captures, or ``None`` where nobody is captured.

    Args:
        sides: where everybody stands.
        turn: whose piece lands, as an index of the sides.
        place: where it lands, on its own path.
        twins: whether twins land.

    """
    if place in MARKED:
        return None
    seats = SEATS[len(sides)]
    across = ACROSS[seats[turn]]
    hit = [(index, 2 * across[seats[index]][place]) for index in range(len(sides)) if index != turn]
    hit = [
        (index, code) for index, code in hit if code in sides[index] or code + PAIR in sides[index]
    ]
    if not hit or (not twins and any(code + PAIR in sides[index] for index, code in hit)):
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

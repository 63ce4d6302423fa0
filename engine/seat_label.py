"""The label of a seat on its panel: its name, where a player's may stand, and the winner's medal."""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Final

from engine.game import Outcome, Seat
from engine.scene import Ink, Polygon, Shape, Text

_TIPS: Final = 12
_OUTER, _INNER = 0.62, 0.52
"""The medal's radii, relative to the size of the name beside it."""
_STEP: Final = 1.4
"""How far a medal moves the name, likewise."""


def label(
    seat: Seat, name: str, x: float, y: float, size: float, *, room: float, won: bool
) -> Iterator[Shape]:
    """Yield a seat's name, with a medal before it if the seat has won.

    Args:
        seat: the seat.
        name: its name, capitalised.
        x: the left edge.
        y: the vertical centre.
        size: the height of the name.
        room: the width of everything.
        won: whether it has won; others may share the first place.
    """
    if won:
        at = x + _OUTER * size
        yield Polygon(_star(at, y, size), Ink.GOLD, Ink.ENGRAVED, 0.08 * size)
        yield Text(at, y, "1", 0.82 * size, Ink.ENGRAVED, bold=True)
        x, room = x + _STEP * size, room - _STEP * size
    yield Text(x, y, name, size, Ink.PAGE_TEXT, "lm", bold=True, room=room, seat=seat)


def first(ended: Outcome | None, index: int) -> bool:
    """Return whether a seat, by its index in the ranks, has won: not in a draw of all."""
    if ended is None or ended.void or ended.drawn:
        return False
    return ended.ranks[index] == 1


def _star(x: float, y: float, size: float) -> tuple[tuple[float, float], ...]:
    return tuple(
        (
            round(x + reach * size * sin(pi * number / _TIPS), 4),
            round(y - reach * size * cos(pi * number / _TIPS), 4),
        )
        for number in range(2 * _TIPS)
        for reach in ((_INNER if number % 2 else _OUTER),)
    )

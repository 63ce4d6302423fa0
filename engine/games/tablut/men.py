"""The men: Swedes are round and light, Muscovites angular and dark, the king wears a crown."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import cos, pi, sin
from typing import Final

from engine.games.tablut.board import KING, MUSCOVITE, SWEDE
from engine.phrase import say
from engine.scene import Disc, Ink, Line, Polygon, Rect, Shape, Sprite

SIZES: Final = {MUSCOVITE: 0.40, SWEDE: 0.35, KING: 0.435}
"""Each man's radius."""

_CROWN: Final = (
    (-0.52, 0.30),
    (-0.62, -0.26),
    (-0.28, 0.02),
    (0.0, -0.40),
    (0.28, 0.02),
    (0.62, -0.26),
    (0.52, 0.30),
)
"""The outline of the king's crown, relative to his radius."""
# Translators: what stands on a square of the board, said by screen readers: "e5: king".
_NAMES: Final = {MUSCOVITE: say("Muscovite"), SWEDE: say("Swede"), KING: say("king")}


@cache
def man(kind: int, size: float | None = None) -> Sprite:
    """Return a man of a kind, by default at his usual size."""
    r = SIZES[kind] if size is None else size
    draw = {MUSCOVITE: _muscovite, SWEDE: _swede, KING: _king}[kind]
    return Sprite(tuple(draw(r)), name=_NAMES[kind])


@cache
def small(kind: int, size: float = 0.15) -> Sprite:
    """Return a small man without a shadow: one that has moved away or been taken."""
    if kind == KING:
        return Sprite(tuple(_king(size * 1.4))[1:])
    if kind == MUSCOVITE:
        return Sprite((Polygon(_ring(4, size * 1.2, 0), Ink.SEAT_2, Ink.SEAT_2_EDGE, 0.2 * size),))
    return Sprite((Disc(0, 0, size, Ink.SEAT_1, Ink.SEAT_1_EDGE, 0.2 * size),))


def _muscovite(r: float) -> Iterator[Shape]:
    """A dark block on its corner, with an inlaid lozenge."""
    yield Polygon(tuple((x + 0.02 * r, y + 0.09 * r) for x, y in _ring(4, r * 1.17, 0)), Ink.SHADOW)
    yield Polygon(_ring(4, r * 1.13, 0), Ink.SEAT_2)
    yield Polygon(_ring(4, r * 0.98, 0), edge=Ink.SEAT_2_EDGE, edge_width=0.09 * r)
    yield Polygon(_ring(4, r * 0.42, 0), Ink.SEAT_2_EDGE)
    yield Polygon(_ring(4, r * 0.20, 0), Ink.SEAT_2)


def _swede(r: float) -> Iterator[Shape]:
    """A light round man with a ring."""
    yield Disc(0.02 * r, 0.10 * r, r * 1.06, Ink.SHADOW)
    yield Disc(0, 0, r, Ink.SEAT_1, Ink.SEAT_1_EDGE, 0.10 * r)
    yield Disc(0, 0, r * 0.56, edge=Ink.SEAT_1_EDGE, edge_width=r * 0.11)


def _king(r: float) -> Iterator[Shape]:
    """A large light man with a double rim and a crown with a cross on it."""
    yield Disc(0.02 * r, 0.09 * r, r * 1.06, Ink.SHADOW)
    yield Disc(0, 0, r, Ink.SEAT_1, Ink.SEAT_1_EDGE, 0.08 * r)
    yield Disc(0, 0, r * 0.84, edge=Ink.SEAT_1_EDGE, edge_width=0.05 * r)
    lift = 0.14 * r
    yield Polygon(
        tuple((x * r, y * r + lift) for x, y in _CROWN), Ink.SPECIAL, Ink.SEAT_1_EDGE, 0.07 * r
    )
    yield Rect(-0.50 * r, 0.36 * r + 0.05 * r, 1.0 * r, 0.15 * r, Ink.SEAT_1_EDGE, radius=0.04 * r)
    for x, y in ((-0.62, -0.26), (0.62, -0.26)):
        yield Disc(x * r, y * r + lift, 0.09 * r, Ink.SEAT_1_EDGE)
    yield Line(((0, -0.64 * r), (0, -0.28 * r)), Ink.SEAT_1_EDGE, 0.13 * r)
    yield Line(((-0.14 * r, -0.50 * r), (0.14 * r, -0.50 * r)), Ink.SEAT_1_EDGE, 0.13 * r)


def _ring(corners: int, r: float, turn: float) -> tuple[tuple[float, float], ...]:
    angles = [2 * pi * (corner + turn) / corners for corner in range(corners)]
    return tuple((round(r * sin(angle), 4), round(-r * cos(angle), 4)) for angle in angles)

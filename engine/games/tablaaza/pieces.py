"""Stones, pavilions and plots. Red plots are laid with bricks, green ones grow grass.

A pavilion rises on a plot of the other colour, so its roof shows its owner: Red's have a dome,
Green's a pointed roof.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import cos, pi, sin
from typing import Final

from engine.game import Seat
from engine.games.tablaaza.board import CALLED, RED
from engine.phrase import say
from engine.scene import Disc, Ink, Line, Polygon, Rect, Shape, Sprite

RADIUS: Final = 0.33
"""A stone's radius, in squares."""

_FILL: Final = (Ink.SQUARE_RED, Ink.SQUARE_GREEN)
_INLAY: Final = (Ink.SQUARE_RED_INLAY, Ink.SQUARE_GREEN_INLAY)
_COURSES: Final = ((0.25, (0.0,)), (0.0, (-0.25, 0.25)), (-0.25, (0.0,)), (-0.5, (-0.25, 0.25)))
"""The brick courses of a red plot: where each begins vertically, and where its joints are."""
_TUFTS: Final = ((-0.3, -0.26), (0.3, 0.38))
_BLADES: Final = ((-0.05, -0.11, -0.1), (0.0, 0.0, -0.15), (0.05, 0.11, -0.1))
"""The blades of a tuft: where each begins and ends sideways, and its height."""


def plot(seat: Seat, side: float = 1.0) -> Iterator[Shape]:
    """Yield a plot of a seat's colour about (0, 0) with its pattern, ``side`` squares wide."""
    half = side / 2
    ink = _INLAY[seat]
    yield Rect(-half, -half, side, side, _FILL[seat])
    if seat == RED:
        for top, joints in _COURSES:
            if top > -0.5:
                yield Line(((-half, top * side), (half, top * side)), ink, 0.03 * side)
            for joint in joints:
                x, y = joint * side, top * side
                yield Line(((x, y), (x, y + 0.25 * side)), ink, 0.03 * side)
        return
    for x, y in _TUFTS:
        for base, tip, height in _BLADES:
            blade = (((x + base) * side, y * side), ((x + tip) * side, (y + height) * side))
            yield Line(blade, ink, 0.04 * side)


@cache
def stone() -> Sprite:
    """Return a stone, the same for both sides."""
    r = RADIUS
    return Sprite(
        (
            Disc(0.03 * r, 0.12 * r, 1.06 * r, Ink.SHADOW),
            Disc(0, 0, r, Ink.STICK_PLAIN, Ink.SEAT_2, 0.1 * r),
        ),
        # Translators: what stands on a square of the board, said by screen readers: "e5: stone".
        name=say("stone"),
    )


@cache
def pavilion(seat: Seat, size: float = 1.0) -> Sprite:
    """Return a seat's pavilion: a roof over four columns on two steps."""
    s = size
    edge = _roof(seat, 0.36 * s, -0.03 * s, 0.36 * s)
    roof = _roof(seat, 0.30 * s, -0.07 * s, 0.29 * s)
    shapes: list[Shape] = [
        Rect(-0.37 * s, 0.27 * s, 0.8 * s, 0.14 * s, Ink.SHADOW, radius=0.04 * s),
        Disc(0, -0.40 * s, 0.055 * s, Ink.SEAT_1, Ink.SEAT_1_EDGE, 0.02 * s),
        Polygon(edge, Ink.SEAT_1_EDGE),
        Polygon(roof, _FILL[seat]),
        *_block(0.38 * s, -0.07 * s, 0.10 * s, s),
    ]
    shapes += [
        Rect(-0.27 * s, 0.0, 0.54 * s, 0.25 * s, Ink.SEAT_1_EDGE),
        *(
            Rect((x - 0.05) * s, 0.03 * s, 0.10 * s, 0.22 * s, Ink.SEAT_1)
            for x in (-0.225, -0.075, 0.075, 0.225)
        ),
        *_block(0.33 * s, 0.21 * s, 0.09 * s, s),
        *_block(0.40 * s, 0.28 * s, 0.10 * s, s),
    ]
    # Translators: what stands on a square of the board, said by screen readers; seat is Red or Green.
    return Sprite(tuple(shapes), name=say("pavilion of {seat}", seat=CALLED[seat]))


def _roof(seat: Seat, half: float, base: float, rise: float) -> tuple[tuple[float, float], ...]:
    if seat == RED:
        return _dome(half, base, rise)
    points = ((-half, base), (0.0, base - 1.12 * rise), (half, base))
    return tuple((round(x, 4), round(y, 4)) for x, y in points)


def _block(half: float, top: float, height: float, size: float) -> Iterator[Shape]:
    """Yield an outlined level slab of a pavilion."""
    edge = 0.025 * size
    yield Rect(-half, top, 2 * half, height, Ink.SEAT_1_EDGE, radius=edge)
    yield Rect(-half + edge, top + edge, 2 * (half - edge), height - 2 * edge, Ink.SEAT_1)


def _dome(half: float, base: float, rise: float) -> tuple[tuple[float, float], ...]:
    angles = [pi * step / 12 for step in range(13)]
    return tuple((round(-half * cos(a), 4), round(base - rise * sin(a), 4)) for a in angles)

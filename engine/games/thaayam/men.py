"""Pieces and dice: each seat has its own shape, not only a colour."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from math import cos, pi, sin
from typing import Final

from engine.game import Seat
from engine.games.thaayam.state import CALLED, EAST, NORTH, SOUTH, WEST
from engine.phrase import say
from engine.scene import Disc, Ink, Line, Polygon, Rect, Shape, Sprite, Text, moved

FILL: Final = (Ink.SEAT_1, Ink.SEAT_2, Ink.SEAT_3, Ink.SEAT_4)
EDGE: Final = (Ink.SEAT_1_EDGE, Ink.SEAT_2_EDGE, Ink.SEAT_3_EDGE, Ink.SEAT_4_EDGE)


@cache
def man(seat: Seat, radius: float, *, moved: bool = False) -> Sprite:
    """Return a piece: South's are round, West's square, North's diamonds, East's triangles.

    Args:
        seat: its owner.
        radius: its radius, in board units.
        moved: whether it has moved in this series; it then carries a tick.
    """
    shapes = (_shadow(seat, radius), *_body(seat, radius), *_sign(seat, radius, ticked=moved))
    if moved:
        # Translators: a piece on a square, said by screen readers; it has moved in this turn.
        return Sprite(shapes, name=say("piece of {seat} that has moved", seat=CALLED[seat]))
    # Translators: what stands on a square of the board, said by screen readers: "c1: piece of South".
    return Sprite(shapes, name=say("piece of {seat}", seat=CALLED[seat]))


@cache
def emblem(seat: Seat, radius: float) -> Sprite:
    """Return a seat's sign, which looks like a piece of its."""
    return replace(man(seat, radius), name="")


@cache
def twins(seat: Seat, radius: float, *, moved: bool = False) -> Sprite:
    """Return two pieces in one cartouche, joined by a bar: half as high as it is wide."""
    r, apart = radius * 0.52, radius * 0.53
    width, height = 2.24 * radius, 1.24 * radius
    left, top = -width / 2, -height / 2
    return Sprite(
        (
            Rect(left + 0.02, top + 0.05, width, height, Ink.SHADOW, radius=height / 2),
            Rect(left, top, width, height, EDGE[seat], FILL[seat], 0.09 * radius, height / 2),
            Line(((-apart, 0), (apart, 0)), FILL[seat], 0.3 * radius),
            *_at(_body(seat, r), -apart),
            *_at(_body(seat, r), apart),
            *_at(_sign(seat, r, ticked=moved), -apart),
            *_at(_sign(seat, r, ticked=moved), apart),
        ),
        # Translators: two pieces that move as one, on a square of the board, said by screen readers.
        name=say("twins of {seat}", seat=CALLED[seat]),
    )


def _at(shapes: tuple[Shape, ...], x: float) -> tuple[Shape, ...]:
    return tuple(moved(shape, x, 0) for shape in shapes)


def _shadow(seat: Seat, r: float) -> Shape:
    if seat == WEST:
        side = 1.76 * r
        return Rect(-side / 2 + 0.02, -side / 2 + 0.07 * r + 0.02, side, side, Ink.SHADOW)
    if seat == SOUTH:
        return Disc(0.02, 0.1 * r, r * 1.03, Ink.SHADOW)
    points = _outline(seat, r * 1.04)
    return Polygon(tuple((x + 0.02, y + 0.1 * r) for x, y in points), Ink.SHADOW)


def _outline(seat: Seat, r: float) -> tuple[tuple[float, float], ...]:
    if seat == NORTH:
        return _ring(4, r * 1.12)
    return tuple((x, y + 0.17 * r) for x, y in _ring(3, r * 1.22))


def _body(seat: Seat, r: float) -> tuple[Shape, ...]:
    fill, edge = FILL[seat], EDGE[seat]
    if seat == SOUTH:
        return (Disc(0, 0, r, fill, edge, 0.11 * r),)
    if seat == WEST:
        side = 1.76 * r
        return (
            Rect(-side / 2, -side / 2, side, side, fill, radius=0.2 * r),
            Rect(
                -side / 2 + 0.05 * r,
                -side / 2 + 0.05 * r,
                side - 0.1 * r,
                side - 0.1 * r,
                edge=edge,
                edge_width=0.1 * r,
                radius=0.17 * r,
            ),
        )
    return (
        Polygon(_outline(seat, r), fill),
        Polygon(_outline(seat, r * 0.88), edge=edge, edge_width=0.09 * r),
    )


def _sign(seat: Seat, r: float, *, ticked: bool) -> tuple[Shape, ...]:
    """Return the inlay on top: the seat's sign, or a tick once it has moved."""
    ink, down = EDGE[seat], 0.17 * r if seat == EAST else 0.0
    if ticked:
        points = ((-0.36, 0.02), (-0.1, 0.28), (0.38, -0.3))
        size = r * (0.72 if seat == EAST else 1.0)
        return (Line(tuple((x * size, y * size + down) for x, y in points), ink, 0.16 * r),)
    if seat == SOUTH:
        return (Disc(0, 0, r * 0.55, edge=ink, edge_width=0.11 * r),)
    if seat == WEST:
        long = 0.4 * r
        return (
            Line(((-long, 0), (long, 0)), ink, 0.15 * r),
            Line(((0, -long), (0, long)), ink, 0.15 * r),
        )
    if seat == NORTH:
        return (Polygon(_ring(4, r * 0.42), ink),)
    return (Disc(0, down, r * 0.24, ink),)


def _ring(corners: int, r: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a regular polygon, the first on top."""
    angles = [2 * pi * corner / corners for corner in range(corners)]
    return tuple((round(r * sin(angle), 4), round(-r * cos(angle), 4)) for angle in angles)


@cache
def badge(number: int, radius: float, away: tuple[int, int] = (1, 1)) -> Sprite:
    """Return a count of pieces, on the corner of one of this radius that is ``away`` from others."""
    at, size = max(0.8 * radius, 0.26), min(0.25, 0.72 * radius)
    x, y = away[0] * at, away[1] * at
    half = 0.92 * size
    # A bright plate: the number of a move is on a dark disc.
    plate = Rect(x - half, y - half, 2 * half, 2 * half, Ink.PAGE_TEXT, Ink.PAGE, 0.04, radius=0.09)
    return Sprite(
        (
            plate,
            Text(x, y, str(number), 1.84 * size, Ink.PAGE, bold=True, room=1.5 * size),
        ),
        name=f"×{number}",
    )


@cache
def chip(score: int) -> Sprite:
    """Return a throw: its score on a chip."""
    return Sprite(
        (
            Rect(-0.34, -0.32, 0.68, 0.64, Ink.STICK_PLAIN, Ink.STICK_MARKED, 0.04, radius=0.14),
            Text(0, 0, str(score), 0.54, Ink.STICK_MARKED, bold=True),
        )
    )

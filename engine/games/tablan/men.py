"""Men and sticks: each seat has its own shape, not only a colour."""

from __future__ import annotations

from enum import Enum
from functools import cache
from math import cos, pi, sin
from typing import Final

from engine.game import Seat
from engine.games.tablan.state import WHITE
from engine.games.tablan.verdict import CALLED
from engine.phrase import say
from engine.scene import Disc, Ink, Line, Polygon, Rect, Shape, Sprite

RADIUS: Final = 0.42
"""A man's radius on the board, in squares."""

FILL: Final = (Ink.SEAT_1, Ink.SEAT_2)
EDGE: Final = (Ink.SEAT_1_EDGE, Ink.SEAT_2_EDGE)

# Plain sticks lie between marked ones, as they would fall.
_FALL: Final = ("....", ".p..", "p.p.", "pp.p", "pppp")
STICK_STEP: Final = 0.34


class Inlay(Enum):
    """The inlay on top of a man."""

    OWN = "own"
    """The seat's sign: White's rings, Black's cross."""
    LOCK = "lock"
    """It has never moved and waits for a 2."""
    STAR = "star"
    """It has reached the last row and stays."""
    NONE = "none"
    """For small men beside the board."""

    __hash__ = object.__hash__  # members are singletons


@cache
def man(seat: Seat, inlay: Inlay = Inlay.OWN, radius: float = RADIUS) -> Sprite:
    """Return a man: White's are round, Black's have eight sides."""
    r = radius
    shadow = Disc(0.02 * r, 0.10 * r, r * 1.06, fill=Ink.SHADOW)
    return Sprite((shadow, *_body(seat, r), *_inlay(seat, inlay, r)), name=_name(seat, inlay))


def _name(seat: Seat, inlay: Inlay) -> str:
    match inlay:
        case Inlay.LOCK:
            # Translators: a man on a square, said by screen readers, that may not move before a 2.
            return say("man of {seat}, locked until a 2", seat=CALLED[seat])
        case Inlay.STAR:
            # Translators: a man on a square, said by screen readers, that has reached the last row.
            return say("man of {seat}, home", seat=CALLED[seat])
        case _:
            # Translators: what stands on a square, said by screen readers: "e5: man of White".
            return say("man of {seat}", seat=CALLED[seat])


def _body(seat: Seat, r: float) -> tuple[Shape, ...]:
    fill, edge = FILL[seat], EDGE[seat]
    if seat == WHITE:
        return (Disc(0, 0, r, fill, edge, 0.10 * r),)
    return (
        Polygon(_ring(8, r * 1.09, 0.5), fill),
        Polygon(_ring(8, r * 0.97, 0.5), edge=edge, edge_width=0.075 * r),
    )


def _inlay(seat: Seat, inlay: Inlay, r: float) -> tuple[Shape, ...]:
    ink, ground = EDGE[seat], FILL[seat]
    match inlay:
        case Inlay.OWN if seat == WHITE:
            return (Disc(0, 0, r * 0.58, edge=ink, edge_width=r * 0.11),)
        case Inlay.OWN:
            long, width = r * 0.40, r * 0.17
            return (
                Line(((-long, 0), (long, 0)), ink, width),
                Line(((0, -long), (0, long)), ink, width),
            )
        case Inlay.LOCK:
            return (
                Disc(0, -0.18 * r, 0.29 * r, edge=ink, edge_width=0.13 * r),
                Rect(-0.40 * r, -0.14 * r, 0.80 * r, 0.58 * r, fill=ink, radius=0.10 * r),
                Disc(0, 0.13 * r, 0.10 * r, fill=ground),
            )
        case Inlay.STAR:
            points = [
                point
                for outer, inner in zip(_ring(5, r * 0.66, 0), _ring(5, r * 0.28, 0.5), strict=True)
                for point in (outer, inner)
            ]
            return (Polygon(tuple(points), fill=ink),)
        case Inlay.NONE:
            return ()


def _ring(corners: int, r: float, turn: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a regular polygon; the first is on top, or ``turn`` corners onward."""
    angles = [2 * pi * (corner + turn) / corners for corner in range(corners)]
    return tuple((round(r * sin(angle), 4), round(-r * cos(angle), 4)) for angle in angles)


@cache
def stick(*, plain: bool) -> Sprite:
    """Return a casting stick, plain or marked side up."""
    width, height = 0.23, 0.78
    left, top = -width / 2, -height / 2
    shadow = Rect(left + 0.015, top + 0.035, width, height, fill=Ink.SHADOW, radius=0.1)
    if plain:
        body = Rect(left, top, width, height, Ink.STICK_PLAIN, Ink.STICK_MARKED, 0.025, 0.1)
        return Sprite((shadow, body))
    body = Rect(left, top, width, height, Ink.STICK_MARKED, Ink.STICK_PLAIN, 0.025, 0.1)
    marks = [
        Polygon(((0, y - 0.09), (0.06, y), (0, y + 0.09), (-0.06, y)), Ink.STICK_PLAIN)
        for y in (-0.22, 0.0, 0.22)
    ]
    return Sprite((shadow, body, *marks))


@cache
def sticks(plain: int) -> tuple[Sprite, ...]:
    """Return four sticks, ``plain`` of them plain side up."""
    return tuple(stick(plain=side == "p") for side in _FALL[plain])

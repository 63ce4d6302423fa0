"""The signs of charts. Signs of one kind differ by shape, never by hue alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Final

from engine.scene import Disc, Ink, Line, Polygon, Rect, Shape, Text
from render.fonts import drawable, fitted
from render.geometry import Point

_MEDAL: Final = 0.44
_RIM: Final = (Ink.ENGRAVED, 0.04)
_BADGE: Final = 0.31
_HATCH: Final = 0.2
_SMALLER: Final = 0.85
"""How much smaller a long name is set before it is cut."""


@dataclass(frozen=True, slots=True)
class Letters:
    """One letter per game result, in the reader's language."""

    won: str
    drawn: str
    lost: str


def figure(number: int) -> str:
    """Return a number with a proper minus sign."""
    return f"{number}".replace("-", "−")


def margin(width: int, *, provisional: bool) -> str:
    """Return a rating's uncertainty, with a question mark while provisional."""
    return f"± {width} ?" if provisional else f"± {width}"


def name(
    shown: str, x: float, y: float, size: float, ink: Ink, *, room: float, bold: bool = False
) -> Text:
    """Return a person's name from its left edge: set a little smaller if it is long, then cut."""
    drawn = drawable(shown)
    if drawn != fitted(drawn, size, room, bold=bold):
        size *= _SMALLER
    cut = fitted(drawn, size, room, bold=bold)
    return Text(x, y, cut, size, ink, "lm", bold=bold, room=room)


def place(number: int, x: float, y: float, *, medals: bool = True) -> Iterator[Shape]:
    """Yield a place: with ``medals`` the first three as a rosette, a hexagon and a shield."""
    medal = medals and number <= 3
    match number if medal else 0:
        case 1:
            yield Polygon(_star(x, y, 12, _MEDAL, 0.37), Ink.GOLD, *_RIM)
        case 2:
            yield Polygon(_star(x, y, 3, _MEDAL, _MEDAL), Ink.SILVER, *_RIM)
        case 3:
            yield Polygon(_shield(x, y), Ink.BRONZE, *_RIM)
    size, room = (0.54, 0.6) if medal else (0.54, 1.25)
    ink = Ink.ENGRAVED if medal else Ink.PAGE_TEXT
    yield Text(x, y, figure(number), size, ink, bold=medal, room=room)


def pause(x: float, y: float) -> Iterator[Shape]:
    """Yield the sign of an inactive player: two bars."""
    for left in (x - 0.16, x + 0.05):
        yield Rect(left, y - 0.2, 0.11, 0.4, Ink.PAGE_QUIET, radius=0.03)


def badge(ending: str, letters: Letters, x: float, y: float) -> Iterator[Shape]:
    """Yield a game's result: a full disc for a win, a square for a draw, a hollow diamond.

    Args:
        ending: ``w``, ``d`` or ``l``.
        letters: its letter.
        x: the centre.
        y: the centre.
    """
    size, room = 0.42, 0.5
    match ending:
        case "w":
            yield Disc(x, y, _BADGE, Ink.CURVE)
            yield Text(x, y, letters.won, size, Ink.PAGE, bold=True, room=room)
        case "d":
            side = 1.8 * _BADGE
            yield Rect(x - side / 2, y - side / 2, side, side, Ink.PAGE_QUIET, radius=0.08)
            yield Text(x, y, letters.drawn, size, Ink.PAGE, bold=True, room=room)
        case _:
            tips = _star(x, y, 2, 0.35, 0.35)
            yield Polygon(tips, edge=Ink.PAGE_QUIET, edge_width=0.05)
            yield Text(x, y, letters.lost, 0.34, Ink.PAGE_TEXT, bold=True, room=0.36)


def missing(x: float, y: float) -> Shape:
    """Return the sign for a missing game."""
    return Disc(x, y, 0.06, Ink.GRID)


def dot(x: float, y: float, radius: float, ink: Ink, *, hollow: bool, ground: Ink) -> Shape:
    """Return the dot of a rating: hollow if provisional."""
    if hollow:
        return Disc(x, y, radius, ground, ink, radius * 0.4)
    return Disc(x, y, radius, ink)


def star(x: float, y: float) -> Shape:
    """Return the mark of the best."""
    return Polygon(_star(x, y, 5, 0.34, 0.15), Ink.GOLD, *_RIM)


def bar(ends: tuple[int, int, int], x: float, y: float, width: float) -> Iterator[Shape]:
    """Yield a bar of three parts: full, hatched, hollow.

    Args:
        ends: the numbers of wins, draws and losses.
        x: its left end.
        y: its centre.
        width: its width.
    """
    height = 0.5
    top = y - height / 2
    total = sum(ends)
    yield Rect(x, top, width, height, Ink.PANEL)
    if total:
        # Every part that is not zero stays visible.
        shares = [0 if not part else max(part / total, 0.012) for part in ends]
        scale = width / sum(shares)
        full, hatched, _ = (share * scale for share in shares)
        if full:
            yield Rect(x, top, full, height, Ink.CURVE)
        if hatched:
            yield Rect(x + full, top, hatched, height, Ink.PAGE_QUIET)
            yield from _hatching(x + full, top, hatched, height)
    yield Rect(x, top, width, height, edge=Ink.PAGE_QUIET, edge_width=0.04)


def _hatching(x: float, y: float, width: float, height: float) -> Iterator[Shape]:
    """Yield slanting lines in a rectangle."""
    start = _HATCH - height
    while start < width:
        left, right = max(0.0, start), min(width, start + height)
        low, high = (x + left, y + height - (left - start)), (x + right, y + start + height - right)
        if right - left > 0.04:
            yield Line((low, high), Ink.PAGE, 0.05)
        start += _HATCH


def _star(x: float, y: float, tips: int, outer: float, inner: float) -> tuple[Point, ...]:
    return tuple(
        (x + reach * sin(pi * number / tips), y - reach * cos(pi * number / tips))
        for number in range(2 * tips)
        for reach in ((inner if number % 2 else outer),)
    )


def _shield(x: float, y: float) -> tuple[Point, ...]:
    return (
        (x - 0.38, y - 0.38),
        (x + 0.38, y - 0.38),
        (x + 0.38, y + 0.08),
        (x, y + 0.46),
        (x - 0.38, y + 0.08),
    )

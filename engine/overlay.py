"""Arrows, rings and crosses over a board: a hint, a wrong answer, two moves side by side.

Marks lie over the men with a dark and a bright outline, so that they show on any ground; right and
wrong differ by shape, never by hue alone. Squares are named as in moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from math import dist, hypot
from typing import Final

from engine.scene import Disc, Ink, Line, Polygon, Scene, Shape

Point = tuple[float, float]


class Kind(Enum):
    """A mark's meaning, and its colour."""

    HINT = Ink.CHOICE
    """This is good."""
    WRONG = Ink.ALERT
    """This is bad; its arrows and rings bear a cross."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An arrow between the centres of two squares; a ring if they are the same."""

    start: str
    end: str
    kind: Kind = Kind.HINT
    over: tuple[str, ...] = ()
    """The squares that it leads over, from start to end; straight there if empty."""


@dataclass(frozen=True, slots=True)
class Ring:
    """A ring round a square's man."""

    square: str
    kind: Kind = Kind.HINT


@dataclass(frozen=True, slots=True)
class Cross:
    """A cross at the corner of a square."""

    square: str
    kind: Kind = Kind.WRONG


Mark = Arrow | Ring | Cross

_SHAFT, _HEAD, _LONG = 0.075, 0.21, 0.4
"""Half the widths of an arrow's shaft and head, and the head's length, in squares."""
_INNER, _OUTER = Ink.PAGE, Ink.PAGE_TEXT
"""The outlines: one is dark and one bright in every theme."""
_EDGE: Final = 0.05
"""The width of an outline, in squares."""
_BEGIN: Final = 0.26
"""How far from its first square's centre an arrow begins, so as not to cover the man there."""
_SHORT: Final = 1.5
"""An arrow to a neighbour, in squares: it begins nearer, or its shaft would be hidden."""


def along(ways: Iterable[tuple[str, ...]], kind: Kind = Kind.HINT) -> tuple[Arrow, ...]:
    """Return a move (`Game.routes`) as arrows; a ring if a man enters or leaves on a square."""
    return tuple(Arrow(way[0], way[-1], kind, way[1:-1]) for way in ways)


def overlaid(scene: Scene, marks: Iterable[Mark]) -> Scene:
    """Return a picture with marks over its men; squares not on its board are skipped.

    Mark a picture before turning it: the marks turn with it.
    """
    places = {name: (x, y) for name, x, y in scene.board.squares}
    side = scene.board.side
    shapes = tuple(shape for mark in marks for shape in _shapes(mark, places, side))
    return replace(scene, above=(*scene.above, *shapes))


def _shapes(mark: Mark, places: dict[str, Point], side: float) -> Iterator[Shape]:
    if isinstance(mark, Arrow):
        start, end = places.get(mark.start), places.get(mark.end)
        if start and end and start != end:
            between = [places[square] for square in mark.over if square in places]
            bends = _bends((start, *between, end))
            if len(bends) > 2:
                yield from _bent(bends, side, mark.kind)
            else:
                yield from _arrow(start, end, side, mark.kind)
        elif end:
            yield from _ring(end, side, mark.kind)
        return
    place = places.get(mark.square)
    if place is None:
        return
    if isinstance(mark, Ring):
        yield from _ring(place, side, mark.kind)
    else:
        yield from _corner(place, side, mark.kind)


def _ring(at: Point, side: float, kind: Kind) -> Iterator[Shape]:
    for ink, more in ((_OUTER, 2), (_INNER, 1), (kind.value, 0)):
        reach, width = 0.44 + more * _EDGE * 0.6, 0.09 + more * _EDGE * 1.2
        yield Disc(*at, reach * side, edge=ink, edge_width=width * side)
    if kind is Kind.WRONG:
        yield from _corner(at, side, kind)


def _corner(at: Point, side: float, kind: Kind) -> Iterator[Shape]:
    return _cross((at[0] + 0.3 * side, at[1] - 0.3 * side), side, kind)


def _cross(at: Point, side: float, kind: Kind) -> Iterator[Shape]:
    (x, y), long = at, 0.09 * side
    yield Disc(x, y, (0.2 + _EDGE) * side, _OUTER)
    yield Disc(x, y, 0.2 * side, kind.value, _INNER, 0.03 * side)
    for down in (-long, long):
        yield Line(((x - long, y - down), (x + long, y + down)), Ink.ALERT_TEXT, 0.06 * side)


def _arrow(start: Point, end: Point, side: float, kind: Kind) -> Iterator[Shape]:
    """Yield an arrow as one shape, so that its outlines run all round it."""
    span = hypot(end[0] - start[0], end[1] - start[1])
    ux, uy = (end[0] - start[0]) / span, (end[1] - start[1]) / span
    tip = span - 0.06 * side
    begin, long = (0.02, 0.36) if span < _SHORT * side else (_BEGIN, _LONG)
    neck, shaft, head = tip - long * side, _SHAFT * side, _HEAD * side
    corners = (
        (begin * side, shaft),
        (neck, shaft),
        (neck, head),
        (tip, 0.0),
        (neck, -head),
        (neck, -shaft),
        (begin * side, -shaft),
    )
    outline = tuple(
        (round(start[0] + ux * x - uy * y, 4), round(start[1] + uy * x + ux * y, 4))
        for x, y in corners
    )
    yield Polygon(outline, _OUTER, _OUTER, 4 * _EDGE * side)
    yield Polygon(outline, _INNER, _INNER, 2 * _EDGE * side)
    yield Polygon(outline, kind.value)
    if kind is Kind.WRONG and span < _SHORT * side:
        yield from _corner(start, side, kind)
    elif kind is Kind.WRONG:
        along = (begin * side + neck) / 2
        yield from _cross((start[0] + ux * along, start[1] + uy * along), side, kind)


def _bends(way: Sequence[Point]) -> list[Point]:
    """Return a way's ends and the points where it turns."""
    kept = [way[0]]
    for here, there in pairwise(way[1:]):
        (x, y), (dx, dy) = kept[-1], (there[0] - here[0], there[1] - here[1])
        if abs((here[0] - x) * dy - (here[1] - y) * dx) > 1e-6:
            kept.append(here)
    return [*kept, way[-1]]


def _bent(bends: Sequence[Point], side: float, kind: Kind) -> Iterator[Shape]:
    """Yield an arrow round corners: its parts lie on each other layer by layer."""
    start = _toward(bends[0], bends[1], _BEGIN * side)
    end, since = bends[-1], bends[-2]
    span = dist(since, end)
    ux, uy = (end[0] - since[0]) / span, (end[1] - since[1]) / span
    tip, neck = (_toward(end, since, back * side) for back in (0.06, 0.06 + _LONG))
    half = _HEAD * side
    head = (
        tip,
        (round(neck[0] - uy * half, 4), round(neck[1] + ux * half, 4)),
        (round(neck[0] + uy * half, 4), round(neck[1] - ux * half, 4)),
    )
    shaft = (start, *bends[1:-1], neck)
    for ink, more in ((_OUTER, 2 * _EDGE), (_INNER, _EDGE), (kind.value, 0.0)):
        yield Line(shaft, ink, round(2 * (_SHAFT + more) * side, 4))
        yield Polygon(head, ink, ink if more else None, 2 * more * side)
    if kind is Kind.WRONG:
        one, other = max(pairwise(shaft), key=lambda part: dist(*part))
        yield from _cross(_toward(one, other, dist(one, other) / 2), side, kind)


def _toward(start: Point, end: Point, far: float) -> Point:
    share = far / dist(start, end)
    return (
        round(start[0] + (end[0] - start[0]) * share, 4),
        round(start[1] + (end[1] - start[1]) * share, 4),
    )

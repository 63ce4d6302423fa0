"""Marks on the squares: the last moves, the king's ways out, the choices for the next move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from engine import square_marks
from engine.games.tablut.men import small
from engine.games.tablut.state import Move
from engine.games.tablut.table import Point, centre
from engine.scene import Disc, Ink, Line, Polygon, Shape, Sprite, Token

_THREAD: Final = 0.1
"""The width of the line along a man's way."""
_EDGE: Final = 0.06
"""How much wider its dark edge is."""
_HEAD: Final = 0.3
"""The length of an arrow's head."""
_SHORT: Final = 0.46
"""How far short of the last square's centre a line ends, so that the man does not hide it."""


def threads(moves: Iterable[Move], ink: Ink) -> Iterator[Shape]:
    """Yield an arrow along each man's way."""
    for move in moves:
        source, target = centre(move.source), centre(move.target)
        yield from _arrow(source, _toward(target, source, _SHORT), Ink.LINE, ink)


def ways_out(king: int, ends: Iterable[int]) -> Iterator[Shape]:
    """Yield an arrow from the king to each edge square he can reach."""
    for end in ends:
        start = _toward(centre(king), centre(end), _SHORT)
        yield from _arrow(start, _toward(centre(end), start, -0.36), Ink.ALERT_TEXT, Ink.ALERT)


def _arrow(start: Point, tip: Point, edge: Ink, ink: Ink) -> Iterator[Shape]:
    """Yield an arrow in one ink with an edge in another."""
    long = abs(tip[0] - start[0]) + abs(tip[1] - start[1])
    head = min(_HEAD, long)
    dx, dy = _toward((0.0, 0.0), (tip[0] - start[0], tip[1] - start[1]), 1.0)
    neck = _toward(tip, start, head)
    for colour, more in ((edge, _EDGE / 2), (ink, 0.0)):
        if long > _HEAD:
            yield Line((start, neck), colour, _THREAD + 2 * more)
        half = 0.62 * _HEAD + 1.6 * more
        base = (neck[0] - dx * more, neck[1] - dy * more)
        yield Polygon(
            (
                (round(tip[0] + dx * 1.9 * more, 4), round(tip[1] + dy * 1.9 * more, 4)),
                (round(base[0] - dy * half, 4), round(base[1] + dx * half, 4)),
                (round(base[0] + dy * half, 4), round(base[1] - dx * half, 4)),
            ),
            colour,
        )


def lit(numbers: Iterable[int], ink: Ink) -> Iterator[Token]:
    """Yield a light under each square a man went to."""
    for number in numbers:
        yield Token(square_marks.light(ink), *centre(number))


def left(number: int, kind: int, ink: Ink) -> Iterator[Token]:
    """Yield the trace of a man that left: a ring and a small shape of himself."""
    yield Token(_ghost(ink), *centre(number))
    yield Token(small(kind), *centre(number))


def fallen(number: int, kind: int) -> Iterator[Token]:
    """Yield a captured man: a red ring, a small shape of him and a cross."""
    x, y = centre(number)
    yield Token(_ghost(Ink.ALERT), x, y)
    yield Token(small(kind), x, y)
    yield Token(square_marks.cross(), x + 0.31, y - 0.31)


def framed(numbers: Iterable[int]) -> Iterator[Token]:
    """Yield a frame round each man that may move."""
    for number in numbers:
        yield Token(square_marks.frame(), *centre(number))


def dotted(numbers: Iterable[int]) -> Iterator[Token]:
    """Yield a dot on each square the chosen man may go to."""
    for number in numbers:
        yield Token(_dot(), *centre(number))


def _toward(start: Point, end: Point, by: float) -> Point:
    """Return the point at a distance from one point towards another, vertically or horizontally."""
    (x, y), (to_x, to_y) = start, end
    if abs(to_x - x) > abs(to_y - y):
        return round(x + (by if to_x > x else -by), 4), y
    return x, round(y + (by if to_y > y else -by), 4)


@cache
def _ghost(ink: Ink) -> Sprite:
    return Sprite((Disc(0, 0, 0.33, Ink.LINE), Disc(0, 0, 0.30, Ink.LINE, ink, 0.075)))


@cache
def _dot() -> Sprite:
    return Sprite((Disc(0, 0, 0.17, Ink.LINE), Disc(0, 0, 0.135, Ink.CHOICE)))

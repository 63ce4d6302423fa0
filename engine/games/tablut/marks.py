"""What is marked on the squares: what was just played, the king's ways out, what may be chosen."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from engine.games.tablut.men import small
from engine.games.tablut.table import centre
from engine.scene import Disc, Ink, Line, Rect, Shape, Sprite, Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.games.tablut.state import Move

_THREAD: Final = 0.1
"""The width of the line along a man's way."""
_EDGE: Final = 0.06
"""How much wider its dark edge is."""
_SHORT: Final = 0.46
"""How far before the middle of its last square a line ends, so that the man does not hide it."""


def threads(moves: Iterable[Move], ink: Ink) -> Iterator[Shape]:
    """Yield an arrow along the way of each man."""
    for move in moves:
        source, target = centre(move.source), centre(move.target)
        long = abs(target[0] - source[0]) + abs(target[1] - source[1])
        end = _toward(target, source, _SHORT if long > 1 else _SHORT - 0.1)
        # Along a single square there is no room for a head beside the ring that is left behind.
        yield Line((source, end), Ink.LINE, _THREAD + _EDGE, arrow=long > 1)
        yield Line((source, end), ink, _THREAD, arrow=long > 1)


def ways_out(king: int, ends: Iterable[int]) -> Iterator[Shape]:
    """Yield a dashed arrow from the king to each edge square that he can reach."""
    for end in ends:
        points = (_toward(centre(king), centre(end), 0.5), centre(end))
        yield Line(points, Ink.ALERT_TEXT, _THREAD + _EDGE, arrow=True)
        yield Line(points, Ink.ALERT, _THREAD, arrow=True)


def lit(numbers: Iterable[int], ink: Ink) -> Iterator[Token]:
    """Yield a light under each square where somebody went."""
    for number in numbers:
        yield Token(_lit(ink), *centre(number))


def left(number: int, kind: int, ink: Ink) -> Iterator[Token]:
    """Yield what a man leaves behind: a ring and a small shape of himself."""
    yield Token(_ghost(ink), *centre(number))
    yield Token(small(kind), *centre(number))


def fallen(number: int, kind: int) -> Iterator[Token]:
    """Yield where a man was taken: a red ring, a small shape of him and a cross."""
    x, y = centre(number)
    yield Token(_ghost(Ink.ALERT), x, y)
    yield Token(small(kind), x, y)
    yield Token(_cross(), x + 0.31, y - 0.31)


def framed(numbers: Iterable[int]) -> Iterator[Token]:
    """Yield a frame round each man that may be moved."""
    for number in numbers:
        yield Token(_frame(), *centre(number))


def dotted(numbers: Iterable[int]) -> Iterator[Token]:
    """Yield a dot on each square that the chosen man may go to."""
    for number in numbers:
        yield Token(_dot(), *centre(number))


def _toward(start: tuple[float, float], end: tuple[float, float], by: float) -> tuple[float, float]:
    """Return the point so far from one point on the upright or level line to another."""
    (x, y), (to_x, to_y) = start, end
    return (
        round(x + by * ((to_x > x) - (to_x < x)), 4),
        round(y + by * ((to_y > y) - (to_y < y)), 4),
    )


@cache
def _lit(ink: Ink) -> Sprite:
    return Sprite((Rect(-0.475, -0.475, 0.95, 0.95, ink, radius=0.08),))


@cache
def _ghost(ink: Ink) -> Sprite:
    return Sprite((Disc(0, 0, 0.33, Ink.LINE), Disc(0, 0, 0.30, Ink.LINE, ink, 0.075)))


@cache
def _cross() -> Sprite:
    long = 0.065
    return Sprite(
        (
            Disc(0, 0, 0.16, Ink.ALERT, Ink.ALERT_TEXT, 0.03),
            Line(((-long, -long), (long, long)), Ink.ALERT_TEXT, 0.045),
            Line(((-long, long), (long, -long)), Ink.ALERT_TEXT, 0.045),
        )
    )


@cache
def _frame() -> Sprite:
    return Sprite(
        (
            Rect(-0.48, -0.48, 0.96, 0.96, None, Ink.LINE, 0.11, radius=0.1),
            Rect(-0.465, -0.465, 0.93, 0.93, None, Ink.CHOICE, 0.075, radius=0.09),
        )
    )


@cache
def _dot() -> Sprite:
    return Sprite((Disc(0, 0, 0.17, Ink.LINE), Disc(0, 0, 0.135, Ink.CHOICE)))

"""Marks on the squares: the last moves, and the choices for the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Final

from engine import square_marks
from engine.game import Seat
from engine.games.tablan.men import Inlay, man
from engine.games.tablan.state import Move, Split, State, Throw, Walk
from engine.games.tablan.table import Point, centre
from engine.scene import Disc, Ink, Line, Polygon, Sprite, Text, Token

_THREAD: Final = 0.1
"""The width of the line along a man's way."""


class _Piece(Enum):
    """A layer of a thread; the value is how much wider it is than the thread."""

    EDGE = 0.06
    LINE = 0.0

    __hash__ = object.__hash__  # members are singletons


@dataclass(frozen=True, slots=True)
class Trail:
    """One man's walk."""

    seat: Seat
    way: tuple[Point, ...]
    """The centres of the squares from start to end."""
    captured: bool

    @classmethod
    def of(cls, state: State, walk: Walk) -> Trail:
        """Return the trail of a walk made in this position."""
        course = state.course(state.seat)
        squares = course[course.index(walk.origin) : course.index(walk.target) + 1]
        captured = state.holds(Seat(1 - state.seat), walk.target)
        return cls(state.seat, tuple(centre(s) for s in squares), captured)


def walks(move: Move) -> tuple[Walk, ...]:
    """Return the walks of a move; a throw has none."""
    match move:
        case Walk():
            return (move,)
        case Split(first, second):
            return (first, second)
        case Throw():
            return ()


def under(trails: Sequence[Trail], ink: Ink) -> Iterator[Token]:
    """Yield what lies under the men: their ways, as threads along the course."""
    for trail in trails:
        yield _lit(trail.way[-1], ink)
    # In short pieces, which the renderer caches: a long way rarely recurs, its pieces do. All dark
    # edges first, or they would cut the bright line.
    for piece in (_Piece.EDGE, _Piece.LINE):
        for trail in trails:
            for here, there in zip(trail.way, trail.way[1:], strict=False):
                yield _thread(here, there, piece, ink)
    for trail in trails:
        yield Token(_ghost(trail.seat, ink), *trail.way[0])


def above(trails: Sequence[Trail], ink: Ink) -> Iterator[Token]:
    """Yield what lies over the men: arrow heads, the order of moves, and who was taken."""
    for trail in trails:
        (x, y), (since_x, since_y) = trail.way[-1], trail.way[-2]
        yield Token(_head((round(x - since_x), round(y - since_y)), ink), x, y)
    if len(trails) > 1:
        for number, trail in enumerate(trails, 1):
            x, y = trail.way[0]
            yield Token(_number(number), x - 0.29, y - 0.29)
    for trail in trails:
        if trail.captured:
            x, y = trail.way[-1]
            yield Token(square_marks.cross(), x + 0.33, y - 0.33)


def framed(squares: Iterable[str]) -> Iterator[Token]:
    """Yield a frame round each square that may be chosen."""
    return map(_frame, squares)


@cache
def _frame(square: str) -> Token:
    return Token(square_marks.frame(), *centre(square))


@cache
def _lit(place: Point, ink: Ink) -> Token:
    return Token(square_marks.light(ink), *place)


@cache
def _thread(here: Point, there: Point, piece: _Piece, ink: Ink) -> Token:
    """Return the thread from a square to the next one."""
    step = (round(there[0] - here[0]), round(there[1] - here[1]))
    return Token(_step(step, piece, ink), *here)


@cache
def _step(step: tuple[int, int], piece: _Piece, ink: Ink) -> Sprite:
    """Return the thread from one square to the next, relative to the first."""
    return Sprite((_line((0.0, 0.0), step, piece, ink),), turns=True)


@cache
def _head(step: tuple[int, int], ink: Ink) -> Sprite:
    """Return a thread's arrow head, relative to its end: in front of the man, never under it."""
    dx, dy = step

    def head(more: float) -> tuple[Point, ...]:
        tip, base, half = (
            round(length, 4) for length in (0.46 - 1.2 * more, 0.63 + more, 0.17 + 1.4 * more)
        )
        return (
            (-dx * tip, -dy * tip),
            (-dx * base - dy * half, -dy * base + dx * half),
            (-dx * base + dy * half, -dy * base - dx * half),
        )

    return Sprite((Polygon(head(0.025), Ink.LINE), Polygon(head(0.0), ink)), turns=True)


@cache
def _number(number: int) -> Sprite:
    """Return a badge with a move's number."""
    return Sprite(
        (
            Disc(0, 0, 0.21, Ink.PAGE, Ink.PAGE_TEXT, 0.03),
            Text(0, 0, str(number), 0.37, Ink.PAGE_TEXT, bold=True),
        )
    )


def _line(start: Point, end: Point, piece: _Piece, ink: Ink) -> Line:
    dark = piece is _Piece.EDGE
    return Line((start, end), Ink.LINE if dark else ink, _THREAD + piece.value)


@cache
def _ghost(seat: Seat, ink: Ink) -> Sprite:
    """Return the trace of a man that left: a ring and a small shape of itself."""
    return Sprite(
        (
            Disc(0, 0, 0.33, Ink.LINE),
            Disc(0, 0, 0.30, Ink.LINE, ink, 0.075),
            *(shape for shape in man(seat, Inlay.NONE, 0.15).shapes[1:]),
        )
    )

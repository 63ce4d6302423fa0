"""What is marked on the squares: what was just played, and what may be chosen next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from engine.game import Seat
from engine.games.tablan.men import EDGE, FILL
from engine.games.tablan.state import Split, Throw, Walk
from engine.games.tablan.table import centre
from engine.scene import Disc, Ink, Line, Polygon, Rect, Sprite, Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


    from engine.games.tablan.state import Move, State
    from engine.games.tablan.table import Point
    from engine.scene import Shape

_THREAD: Final = 0.1
"""The width of the line along a man's way."""


@dataclass(frozen=True, slots=True)
class Trail:
    """One man's walk."""

    seat: Seat
    way: tuple[Point, ...]
    """The middles of the squares from where it stood to where it went."""
    took: bool

    @classmethod
    def of(cls, state: State, walk: Walk) -> Trail:
        """Return the trail of a walk that is made in this position."""
        course = state.course(state.seat)
        squares = course[course.index(walk.origin) : course.index(walk.target) + 1]
        enemies = state.squares(Seat(1 - state.seat))
        return cls(state.seat, tuple(centre(s) for s in squares), walk.target in enemies)


def walks(move: Move) -> tuple[Walk, ...]:
    """Return the walks that a move is made of; a throw has none."""
    match move:
        case Walk():
            return (move,)
        case Split(first, second):
            return (first, second)
        case Throw():
            return ()


def under(trails: Sequence[Trail], ink: Ink) -> Iterator[Token]:
    """Yield what lies under the men: the ways they came, as threads along the course."""
    for trail in trails:
        yield Token(_lit(ink), *trail.way[-1])
    for trail in trails:
        x, y = trail.way[0]
        relative = tuple((round(a - x, 6), round(b - y, 6)) for a, b in trail.way)
        yield Token(_thread(relative, trail.seat, ink), x, y)


def over(trails: Sequence[Trail]) -> Iterator[Token]:
    """Yield what lies over the men: a cross at the corner of a square where one was taken."""
    for trail in trails:
        if trail.took:
            x, y = trail.way[-1]
            yield Token(_cross(), x + 0.33, y - 0.33)


def framed(squares: Iterable[str]) -> Iterator[Token]:
    """Yield a frame round each square that may be chosen."""
    for square in squares:
        yield Token(_frame(), *centre(square))


@cache
def _frame() -> Sprite:
    return Sprite(
        (
            Rect(-0.48, -0.48, 0.96, 0.96, None, Ink.LINE, 0.11, radius=0.1),
            Rect(-0.465, -0.465, 0.93, 0.93, None, Ink.CHOICE, 0.075, radius=0.09),
        )
    )


@cache
def _lit(ink: Ink) -> Sprite:
    return Sprite((Rect(-0.475, -0.475, 0.95, 0.95, ink, radius=0.08),))


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
def _thread(way: tuple[Point, ...], seat: Seat, ink: Ink) -> Sprite:
    """Return the way from (0, 0) on: a ring and the ghost of a man, a thread, an arrow head."""
    points = (way[0], *_bends(way), _short_of(way[-2], way[-1]))
    shapes: list[Shape] = [
        Disc(0, 0, 0.33, edge=Ink.LINE, edge_width=0.13),
        Line(points, Ink.LINE, _THREAD + 0.06),
        _tip(way[-2], way[-1], Ink.LINE, 0.05),
        Line(points, ink, _THREAD),
        _tip(way[-2], way[-1], ink, 0.0),
        Disc(0, 0, 0.30, Ink.LINE, ink, 0.075),
        Disc(0, 0, 0.15, FILL[seat], EDGE[seat], 0.03),
    ]
    return Sprite(tuple(shapes))


def _bends(way: Sequence[Point]) -> Iterator[Point]:
    for before, here, after in zip(way, way[1:], way[2:], strict=False):
        if before[1] != here[1] or here[1] != after[1]:
            yield here


def _short_of(before: Point, target: Point) -> Point:
    """Return where the thread ends: at the back of its arrow head."""
    return target[0] + (before[0] - target[0]) * 0.6, target[1] + (before[1] - target[1]) * 0.6


def _tip(before: Point, target: Point, ink: Ink, more: float) -> Polygon:
    """Return an arrow head in the gap before the man on the target."""
    dx, dy = target[0] - before[0], target[1] - before[1]
    x, y = target[0] - dx * (0.34 - more * 0.6), target[1] - dy * (0.34 - more * 0.6)
    back, half = 0.24 + more, 0.19 + more
    return Polygon(
        (
            (x, y),
            (x - dx * back - dy * half, y - dy * back + dx * half),
            (x - dx * back + dy * half, y - dy * back - dx * half),
        ),
        ink,
    )

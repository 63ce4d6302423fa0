"""Marks on the squares: the last moves, and the choices for the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import Final

from engine.game import Seat
from engine.games.thaayam.board import KEEP, MARKED, PATHS, PLACES
from engine.games.thaayam.capture import sent_back
from engine.games.thaayam.men import EDGE, FILL, man
from engine.games.thaayam.sentences import landing
from engine.games.thaayam.state import Act, Advance, Move, State, Throw
from engine.games.thaayam.table import SIDE, Point, centre
from engine.scene import Disc, Ink, Line, Polygon, Rect, Sprite, Text, Token

_THREAD: Final = 0.17
"""The width of the line along a piece's way."""
_HALF: Final = SIDE / 2
_PATH: Final = 0.08
"""The width of the line along a seat's whole path."""


class _Piece(Enum):
    """A layer of a thread; the value is how much wider it is than the thread."""

    EDGE = 0.07
    LINE = 0.0


def path(seat: Seat) -> Iterator[Token]:
    """Yield a seat's path as a line in its ink with a rim in the ink of its edge."""
    points = [centre(square) for square in PATHS[seat]]
    for ink, width in ((EDGE[seat], _PATH + 0.09), (FILL[seat], _PATH)):
        for here, there in pairwise(points):
            step = (round((there[0] - here[0]) / SIDE), round((there[1] - here[1]) / SIDE))
            yield Token(_pace(step, ink, width), *here)


@cache
def _pace(step: tuple[int, int], ink: Ink, width: float) -> Sprite:
    """Return the line from one square to the next, relative to the first."""
    return Sprite((Line(((0.0, 0.0), (step[0] * SIDE, step[1] * SIDE)), ink, width),), turns=True)


@dataclass(frozen=True, slots=True)
class Trail:
    """One move's trace on the board: a way, or a single square for a piece that entered or left."""

    seat: Seat
    way: tuple[Point, ...]
    """The centres of the squares from start to end."""
    captured: bool = False

    @classmethod
    def of(cls, state: State, move: Move) -> Trail | None:
        """Return the trail of a move made in this position; a throw leaves none."""
        seat = state.seat
        path = PATHS[seat]
        match move:
            case Advance(square, _, twins):
                start, end = PLACES[seat][square], landing(state, move)
                way = tuple(centre(path[place]) for place in range(start, end + 1))
                captured = sent_back(state.sides, state.turn, end, twins=twins) is not None
                return cls(seat, way, captured and end not in MARKED)
            case Act.ENTER:
                return cls(seat, (centre(path[0]),))
            case Act.OFF:
                return cls(seat, (centre(path[KEEP]),))
            case _:
                return None


def last_turn(last: Iterable[tuple[State, Move]]) -> list[Trail]:
    """Return the trails of the last turn in which a piece moved: a capture may earn another turn."""
    trails: list[Trail] = []
    over = False
    for before, move in last:
        trail = Trail.of(before, move)
        if trail is None:
            over = isinstance(move, Throw)
            continue
        if over or (trails and trails[-1].seat != trail.seat):
            trails, over = [], False
        trails.append(trail)
    return trails


def under(trails: Sequence[Trail], ink: Ink) -> Iterator[Token]:
    """Yield what lies under the pieces: their ways, as threads along the path."""
    for trail in trails:
        yield Token(_ring(ink), *trail.way[-1])
    # In short pieces, which the renderer caches: a long way rarely recurs, its pieces do. All dark
    # edges first, or they would cut the bright line.
    for piece in (_Piece.EDGE, _Piece.LINE):
        for trail in trails:
            for here, there in pairwise(trail.way):
                step = (round((there[0] - here[0]) / SIDE), round((there[1] - here[1]) / SIDE))
                yield Token(_step(step, piece, ink), *here)
    for trail in trails:
        if len(trail.way) > 1:
            yield Token(_ghost(trail.seat, ink), *trail.way[0])


def above(trails: Sequence[Trail], ink: Ink) -> Iterator[Token]:
    """Yield what lies over the pieces: arrow heads, the order of moves, and who was taken."""
    for trail in trails:
        if len(trail.way) > 1:
            (x, y), (since_x, since_y) = trail.way[-1], trail.way[-2]
            step = (round((x - since_x) / SIDE), round((y - since_y) / SIDE))
            yield Token(_head(step, ink), x, y)
    if len(trails) > 1:
        taken: dict[Point, int] = {}
        for number, trail in enumerate(trails, 1):
            x, y = trail.way[0]
            # Moves that begin on the same square are numbered one below the other.
            down = taken.get((x, y), 0)
            taken[x, y] = down + 1
            yield Token(_number(number), x - 0.74, y - 0.74 + 0.46 * down)
    for x, y in dict.fromkeys(trail.way[-1] for trail in trails if trail.captured):
        yield Token(_cross(), x + 0.72, y - 0.72)


@cache
def _number(number: int) -> Sprite:
    """Return a badge with a move's number."""
    return Sprite(
        (
            Disc(0, 0, 0.27, Ink.PAGE, Ink.PAGE_TEXT, 0.035),
            Text(0, 0, str(number), 0.46, Ink.PAGE_TEXT, bold=True, room=0.38),
        )
    )


def framed(squares: Iterable[str]) -> Iterator[Token]:
    """Yield a frame round each square that may be chosen."""
    for square in squares:
        yield Token(_frame(), *centre(square))


def lit(squares: Iterable[str]) -> Iterator[Token]:
    """Yield a lit ground for each square whose piece is chosen."""
    for square in squares:
        yield Token(_ground(), *centre(square))


@cache
def _ground() -> Sprite:
    out, far = _HALF - 0.04, _HALF - 0.09
    return Sprite(
        (
            Rect(-out, -out, 2 * out, 2 * out, Ink.LINE),
            Rect(-far, -far, 2 * far, 2 * far, Ink.CHOICE),
        )
    )


def priced(targets: Mapping[str, str]) -> Iterator[Token]:
    """Yield, at the corner of each square, the throws that lead there."""
    for square, throws in targets.items():
        x, y = centre(square)
        left, top = x - _HALF + 0.08, y - _HALF + 0.08
        yield Token(_price(throws), left + _wide(throws) / 2, top + _HIGH / 2)


_HIGH: Final = 0.54


def _wide(throws: str) -> float:
    """Return the width of a label for these throws."""
    return 0.24 + 0.25 * len(throws)


@cache
def _price(throws: str) -> Sprite:
    width = _wide(throws)
    return Sprite(
        (
            Rect(-width / 2, -_HIGH / 2, width, _HIGH, Ink.PAGE, Ink.CHOICE, 0.04, radius=0.12),
            Text(0, 0, throws, 0.44, Ink.PAGE_TEXT),
        )
    )


@cache
def _frame() -> Sprite:
    out, far = _HALF - 0.04, _HALF - 0.07
    return Sprite(
        (
            Rect(-out, -out, 2 * out, 2 * out, None, Ink.LINE, 0.16),
            Rect(-far, -far, 2 * far, 2 * far, None, Ink.CHOICE, 0.1),
        )
    )


@cache
def _ring(ink: Ink) -> Sprite:
    far = _HALF - 0.06
    return Sprite((Rect(-far, -far, 2 * far, 2 * far, None, ink, 0.11),))


@cache
def _cross() -> Sprite:
    long = 0.085
    return Sprite(
        (
            Disc(0, 0, 0.21, Ink.ALERT, Ink.ALERT_TEXT, 0.035),
            Line(((-long, -long), (long, long)), Ink.ALERT_TEXT, 0.055),
            Line(((-long, long), (long, -long)), Ink.ALERT_TEXT, 0.055),
        )
    )


@cache
def _step(step: tuple[int, int], piece: _Piece, ink: Ink) -> Sprite:
    """Return the thread from one square to the next, relative to the first."""
    return Sprite((_line((0.0, 0.0), step, piece, ink),), turns=True)


@cache
def _head(step: tuple[int, int], ink: Ink) -> Sprite:
    """Return a thread's arrow head, relative to its end: in front of the pieces, not under them."""
    dx, dy = step

    def head(more: float) -> tuple[Point, ...]:
        tip, base, half = (round(v, 4) for v in (0.66 - 1.5 * more, 1.02 + more, 0.3 + 1.5 * more))
        return (
            (-dx * tip, -dy * tip),
            (-dx * base - dy * half, -dy * base + dx * half),
            (-dx * base + dy * half, -dy * base - dx * half),
        )

    return Sprite((Polygon(head(0.04), Ink.LINE), Polygon(head(0.0), ink)), turns=True)


def _line(start: Point, step: tuple[int, int], piece: _Piece, ink: Ink) -> Line:
    end = (step[0] * SIDE, step[1] * SIDE)
    dark = piece is _Piece.EDGE
    return Line((start, end), Ink.LINE if dark else ink, _THREAD + piece.value)


@cache
def _ghost(seat: Seat, ink: Ink) -> Sprite:
    """Return the trace of a piece that left: a ring and a small shape of itself."""
    return Sprite(
        (
            Disc(0, 0, 0.42, Ink.LINE),
            Disc(0, 0, 0.38, Ink.LINE, ink, 0.08),
            *man(seat, 0.2).shapes[1:],
        )
    )

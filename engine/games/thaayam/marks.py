"""What is marked on the squares: what was just played, and what may be chosen next."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from engine.games.thaayam.board import KEEP, MARKED, PATHS, PLACES
from engine.games.thaayam.capture import sent_back
from engine.games.thaayam.men import man
from engine.games.thaayam.state import Act, Advance
from engine.games.thaayam.table import SIDE, centre
from engine.games.thaayam.telling import landing
from engine.scene import Disc, Ink, Line, Polygon, Rect, Sprite, Text, Token

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from engine.game import Seat
    from engine.games.thaayam.state import Move, State
    from engine.games.thaayam.table import Point

_THREAD: Final = 0.12
"""The width of the line along a piece's way."""
_HALF: Final = SIDE / 2
_TIP: Final = 0.31
"""How far behind a border a head on a path has its tip."""
_BARB: Final = 0.15


class _Piece(Enum):
    """A layer of a thread; the value is how much wider it is than the thread."""

    EDGE = 0.07
    LINE = 0.0


def path(seat: Seat) -> Iterator[Token]:
    """Yield the way of a seat as a thin line, with a head behind every other border it crosses."""
    points = [centre(square) for square in PATHS[seat]]
    for place, (here, there) in enumerate(pairwise(points)):
        step = (round((there[0] - here[0]) / SIDE), round((there[1] - here[1]) / SIDE))
        yield Token(_pace(step), *here)
        if place % 2 == 0:
            x, y = (here[0] + there[0]) / 2, (here[1] + there[1]) / 2
            yield Token(_arrow(step), x + step[0] * _TIP, y + step[1] * _TIP)


@cache
def _pace(step: tuple[int, int]) -> Sprite:
    """Return the thin line from one square to the next."""
    return Sprite(
        (Line(((0.0, 0.0), (step[0] * SIDE, step[1] * SIDE)), Ink.LINE, 0.035),), turns=True
    )


@cache
def _arrow(step: tuple[int, int]) -> Sprite:
    """Return the head of a thin line that goes so; its tip is the middle."""
    dx, dy = step
    points = (
        (-(dx + dy) * _BARB, -(dy - dx) * _BARB),
        (0.0, 0.0),
        (-(dx - dy) * _BARB, -(dy + dx) * _BARB),
    )
    return Sprite((Line(points, Ink.LINE, 0.055),), turns=True)


@dataclass(frozen=True, slots=True)
class Trail:
    """What one move did on the board: a way, or a single square for one that entered or left."""

    seat: Seat
    way: tuple[Point, ...]
    """The middles of the squares from where the piece stood to where it went."""
    took: bool = False

    @classmethod
    def of(cls, state: State, move: Move) -> Trail | None:
        """Return the trail of a move that is made in this position; a throw leaves none."""
        seat = state.seat
        path = PATHS[seat]
        match move:
            case Advance(square, _, twins):
                start, end = PLACES[seat][square], landing(state, move)
                way = tuple(centre(path[place]) for place in range(start, end + 1))
                took = sent_back(state.sides, state.turn, end, twins=twins) is not None
                return cls(seat, way, took and end not in MARKED)
            case Act.ENTER:
                return cls(seat, (centre(path[0]),))
            case Act.OFF:
                return cls(seat, (centre(path[KEEP]),))
            case _:
                return None


def under(trails: Sequence[Trail], ink: Ink) -> Iterator[Token]:
    """Yield what lies under the pieces: the ways they came, as threads along the path."""
    for trail in trails:
        yield Token(_ring(ink), *trail.way[-1])
    # In short pieces, for a long way is seldom walked twice but its pieces are: the renderer
    # keeps them. The dark edges of all come first, or they would cut the bright line.
    for piece in (_Piece.EDGE, _Piece.LINE):
        for trail in trails:
            for here, there in pairwise(trail.way):
                step = (round((there[0] - here[0]) / SIDE), round((there[1] - here[1]) / SIDE))
                if there is trail.way[-1]:
                    yield Token(_head(step, piece, ink), *there)
                else:
                    yield Token(_step(step, piece, ink), *here)
    for trail in trails:
        if len(trail.way) > 1:
            yield Token(_ghost(trail.seat, ink), *trail.way[0])


def crossed(trails: Sequence[Trail]) -> Iterator[Token]:
    """Yield what lies over the pieces: a cross at the corner of a square where one was taken."""
    for x, y in dict.fromkeys(trail.way[-1] for trail in trails if trail.took):
        yield Token(_cross(), x + 0.76, y - 0.76)


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
    """Yield at the corner of each square the throws that lead there."""
    for square, throws in targets.items():
        x, y = centre(square)
        left, top = x - _HALF + 0.08, y - _HALF + 0.08
        yield Token(_price(throws), left + _wide(throws) / 2, top + _HIGH / 2)


_HIGH: Final = 0.54


def _wide(throws: str) -> float:
    """Return how wide the label is on which so many throws are written."""
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
    """Return the thread from one square to the next."""
    return Sprite((_line((0.0, 0.0), step, piece, ink),), turns=True)


@cache
def _head(step: tuple[int, int], piece: _Piece, ink: Ink) -> Sprite:
    """Return the last piece of a thread, as seen from its end: an arrow head before the piece."""
    dx, dy = step[0] * SIDE, step[1] * SIDE
    ux, uy = step
    more = piece.value / 2
    tip, base, half = 0.6 - 0.6 * more, 0.9 + more, 0.22 + more
    head = Polygon(
        (
            (-ux * tip, -uy * tip),
            (-ux * base - uy * half, -uy * base + ux * half),
            (-ux * base + uy * half, -uy * base - ux * half),
        ),
        Ink.LINE if piece is _Piece.EDGE else ink,
    )
    shaft = Line(((-dx, -dy), (-ux * 0.92, -uy * 0.92)), _ink(piece, ink), _THREAD + piece.value)
    return Sprite((shaft, head), turns=True)


def _line(start: Point, step: tuple[int, int], piece: _Piece, ink: Ink) -> Line:
    end = (step[0] * SIDE, step[1] * SIDE)
    return Line((start, end), _ink(piece, ink), _THREAD + piece.value)


def _ink(piece: _Piece, ink: Ink) -> Ink:
    return Ink.LINE if piece is _Piece.EDGE else ink


@cache
def _ghost(seat: Seat, ink: Ink) -> Sprite:
    """Return what a piece leaves behind: a ring and a small shape of itself."""
    return Sprite(
        (
            Disc(0, 0, 0.42, Ink.LINE),
            Disc(0, 0, 0.38, Ink.LINE, ink, 0.08),
            *man(seat, 0.2).shapes[1:],
        )
    )

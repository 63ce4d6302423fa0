"""What is the same in every picture: the board, its frame, and the players' panels.

The two rings and the keep lie on three grounds. An arrow head on every border shows the direction
of the rings, the same for all; each seat's own gates, where it turns inwards, are heads in its ink.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from engine.game import Seat
from engine.games.thaayam.board import FILES, INNER, KEEP, MARKED, PATHS, RANKS, SQUARES
from engine.games.thaayam.men import EDGE, FILL, man
from engine.games.thaayam.state import SEATS
from engine.phrase import word
from engine.scene import Area, Board, Ink, Line, Polygon, Rect, Shape, Text, Texture, moved

Point = tuple[float, float]

SIDE: Final = 2.0
"""A square of the board in board units: pieces are smaller than squares here."""
_EDGE: Final = 0.12
_FRAME: Final = 0.5
_LONG: Final = 5 * SIDE + 2 * _FRAME
LEFT: Final = _EDGE + _FRAME
TOP: Final = _EDGE + _FRAME
"""The upper left corner of a5."""
PANEL_X: Final = 2 * _EDGE + _LONG
PANEL_WIDTH: Final = 4.6
WIDTH: Final = PANEL_X + PANEL_WIDTH + _EDGE
HEIGHT: Final = _LONG + 2 * _EDGE
TEXT_X: Final = 0.25
"""Where lines begin in a panel."""
NAME_X: Final = PANEL_X + 1.12
NAME_ROOM: Final = 3.23
OPENING_ROOM: Final = 2.75
"""The same beside an opening throw."""
BAR_HEIGHT: Final = 2.75
"""The minimum."""

_HIGHEST: Final = 2.6
_COLUMNS: Final = (0.5, 2.88)
"""Where a panel's figures end: what they count stands to the right."""
_ROOMS: Final = (1.8, 1.38) * 2
_KEY: Final = 0.3
_GATES: Final = (INNER - 1, KEEP - 1)
"""The places after which a seat leaves its ring."""


@dataclass(frozen=True, slots=True)
class Panel:
    """The position of a seat's panel and of its lines."""

    y: float
    height: float

    @property
    def name(self) -> float:
        """The line with its sign and name."""
        return self.y + 0.18 * self.height

    @property
    def figures(self) -> tuple[Point, ...]:
        """The right ends of the figures: pieces waiting, on the rings, in the keep, and home."""
        lines = (self.y + share * self.height for share in (0.49, 0.79))
        return tuple((PANEL_X + x, line) for line in lines for x in _COLUMNS)


@cache
def panels(players: int) -> dict[Seat, Panel]:
    """Return the panels of the seats, in turn order from the top; all have the same size."""
    seats = SEATS[players]
    height = min(_HIGHEST, (_LONG - BAR_HEIGHT) / len(seats) - _EDGE)
    return {
        seat: Panel(_EDGE + index * (height + _EDGE), height) for index, seat in enumerate(seats)
    }


def bar_top(players: int) -> float:
    """Return the top of the panel below the others: who acts, and with which throws."""
    last = panels(players)[SEATS[players][-1]]
    return last.y + last.height + _EDGE


def centre(square: str) -> Point:
    """Return the centre of a square."""
    return (
        LEFT + (FILES.index(square[0]) + 0.5) * SIDE,
        TOP + (5 - int(square[1]) + 0.5) * SIDE,
    )


@cache
def board(players: int) -> Board:
    """Return the board for a number of players."""
    seats = SEATS[players]
    top = bar_top(players)
    return Board(
        WIDTH,
        HEIGHT,
        (
            *(shape for seat in seats for shape in _panel(seat, panels(players)[seat])),
            Rect(PANEL_X, top, PANEL_WIDTH, HEIGHT - _EDGE - top, Ink.PANEL, radius=0.22),
            *_key(seats, top),
            *_frame(),
            *(shape for square in SQUARES for shape in _square(square)),
            *(shape for seat in seats for shape in _palace(seat)),
            *_rings(),
            *(shape for seat in seats for shape in _gates(seat)),
            *_coordinates(),
        ),
        Area(
            (LEFT - _FRAME, TOP - _FRAME, _LONG, _LONG),
            (LEFT + 2.5 * SIDE, TOP + 2.5 * SIDE),
        ),
        tuple((square, *centre(square)) for square in SQUARES),
        SIDE,
    )


def _panel(seat: Seat, panel: Panel) -> Iterator[Shape]:
    yield Rect(PANEL_X, panel.y, PANEL_WIDTH, panel.height, Ink.PANEL, radius=0.22)
    yield from (moved(shape, PANEL_X + 0.6, panel.name) for shape in man(seat, 0.34).shapes)
    counted = (
        # Translators: beside the number of pieces of a seat that are not on the board yet.
        word("on a picture", "waiting"),
        # Translators: beside the number of pieces of a seat that are on the board.
        word("on a picture", "board"),
        # Translators: beside the number of pieces of a seat that are in the keep, on the middle
        # square, and not home yet.
        word("on a picture", "keep"),
        # Translators: beside the number of pieces of a seat that have left the board at the end.
        word("on a picture", "home"),
    )
    for (x, y), said, room in zip(panel.figures, counted, _ROOMS, strict=True):
        yield Text(x + 0.13, y, said, 0.48, Ink.PAGE_QUIET, "lm", room=room)


def _key(seats: tuple[Seat, ...], top: float) -> Iterator[Shape]:
    """Draw the key to the signs on the board, if there is room."""
    if HEIGHT - top < BAR_HEIGHT + 1.1:
        return
    x, y, room = PANEL_X + TEXT_X, HEIGHT - 1.35, PANEL_WIDTH - 1.3
    yield Rect(x, y - _KEY, 2 * _KEY, 2 * _KEY, Ink.SQUARE_HOME)
    for right, down in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
        at = (x + _KEY + right * 0.06, y + down * 0.06)
        yield Line((at, (at[0] + right * 0.16, at[1] + down * 0.16)), Ink.LINE, 0.07)
    # Translators: on a picture, beside a square with a cross: nobody is captured there.
    safe = word("on a picture", "safe")
    yield Text(x + 0.85, y, safe, 0.45, Ink.PAGE_QUIET, "lm", room=room)
    y += 0.78
    for index, seat in enumerate(seats[:2]):
        yield from _head((x + 0.14 + 0.34 * index, y), (0.0, -1.0), FILL[seat], EDGE[seat], 0.15)
    # Translators: on a picture, beside arrow heads: there a piece leaves its ring for the next.
    inwards = word("on a picture", "way in")
    yield Text(x + 0.85, y, inwards, 0.45, Ink.PAGE_QUIET, "lm", room=room)


def _frame() -> Iterator[Shape]:
    x, y = LEFT - _FRAME, TOP - _FRAME
    yield Rect(x, y + 0.05, _LONG, _LONG + 0.03, Ink.SHADOW, radius=0.24)
    yield Rect(x, y, _LONG, _LONG, Ink.FRAME, radius=0.2, texture=Texture.WOOD)
    yield Rect(x, y, _LONG, _LONG, edge=Ink.LIGHT, edge_width=0.03, radius=0.2)
    side = 5 * SIDE
    yield Rect(LEFT - 0.05, TOP - 0.05, side + 0.1, side + 0.1, Ink.LINE)


def _square(square: str) -> Iterator[Shape]:
    x, y = centre(square)
    gap, half = 0.03, SIDE / 2
    place = PATHS[0].index(square)
    fill = Ink.SQUARE_HOME
    if place >= INNER:
        fill = Ink.SPECIAL if place == KEEP else Ink.SQUARE_AWAY
    yield Rect(x - half + gap, y - half + gap, SIDE - 2 * gap, SIDE - 2 * gap, fill)
    if place in MARKED:
        ink = Ink.SQUARE_HOME if place == KEEP else Ink.LINE
        # Only near the corners: the centre belongs to the pieces.
        near, far = half - 0.62, half - 0.24
        for right, down in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            start = (x + right * near, y + down * near)
            yield Line((start, (x + right * far, y + down * far)), ink, 0.1)


def _palace(seat: Seat) -> Iterator[Shape]:
    """Draw a border in a seat's ink round its own palace."""
    x, y = centre(PATHS[seat][0])
    for ink, half, width in (
        (FILL[seat], SIDE / 2 - 0.03, 0.15),
        (EDGE[seat], SIDE / 2 - 0.18, 0.04),
    ):
        yield Rect(x - half, y - half, 2 * half, 2 * half, edge=ink, edge_width=width)


def _rings() -> Iterator[Shape]:
    """Draw a head on every border that any seat crosses on its way round a ring."""
    steps = dict.fromkeys(
        step for path in PATHS for place, step in enumerate(pairwise(path)) if place not in _GATES
    )
    for here, there in steps:
        yield from _border_head(here, there, Ink.LINE, Ink.SQUARE_HOME, 0.2)


def _gates(seat: Seat) -> Iterator[Shape]:
    """Draw the heads where one seat alone turns inwards: to the inner ring, and to the keep."""
    for place in _GATES:
        here, there = PATHS[seat][place : place + 2]
        yield from _border_head(here, there, FILL[seat], EDGE[seat], 0.24)


def _border_head(here: str, there: str, ink: Ink, rim: Ink, size: float) -> Iterator[Shape]:
    """Yield a head pointing from a square to the next, in the middle of their border."""
    (x, y), (to_x, to_y) = centre(here), centre(there)
    dx, dy = (to_x - x) / SIDE, (to_y - y) / SIDE
    yield from _head(((x + to_x) / 2, (y + to_y) / 2), (dx, dy), ink, rim, size)


def _head(at: Point, way: Point, ink: Ink, rim: Ink, size: float) -> Iterator[Shape]:
    (x, y), (dx, dy) = at, way
    for colour, more in ((rim, 0.05), (ink, 0.0)):
        tip, back, half = size * 0.75 + 1.6 * more, -size * 0.6 - more, size + 1.3 * more
        corners = ((tip, 0.0), (back, -half), (back, half))
        yield Polygon(
            tuple(
                (round(x + dx * a - dy * b, 4), round(y + dy * a + dx * b, 4)) for a, b in corners
            ),
            colour,
        )


def _coordinates() -> Iterator[Shape]:
    for file in FILES:
        x, _ = centre(f"{file}1")
        yield Text(x, TOP + 5 * SIDE + 0.26, file, 0.45, Ink.FRAME_TEXT)
    for rank in RANKS:
        _, y = centre(f"a{rank}")
        yield Text(LEFT - 0.26, y, rank, 0.45, Ink.FRAME_TEXT)

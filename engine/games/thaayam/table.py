"""What stays the same in every picture: the board, its frame, and the panels of those who play."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from engine.games.thaayam.board import FILES, INNER, KEEP, MARKED, PATHS, RANKS, SQUARES
from engine.games.thaayam.men import man
from engine.games.thaayam.state import CALLED, EAST, NORTH, PIECES, SEATS, SOUTH, WEST
from engine.phrase import word
from engine.scene import Area, Board, Ink, Line, Rect, Shape, Text, Texture, moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Seat

Point = tuple[float, float]

SIDE: Final = 2.0
"""A square of the board in board units: pieces are smaller than squares here."""
WIDTH: Final = 14.4
HEIGHT: Final = 15.4
LEFT: Final = 2.2
TOP: Final = 2.0
"""The upper left corner of a5."""
SLOT_RADIUS: Final = 0.23
"""Of the pieces on a panel."""

_EDGE: Final = 0.15
_FRAME: Final = 0.6
_LONG: Final = 5 * SIDE + 2 * _FRAME
_MARKED: Final = frozenset(PATHS[0][place] for place in MARKED)


@dataclass(frozen=True, slots=True)
class Panel:
    """Where a seat's panel lies and where things lie on it."""

    x: float
    y: float
    width: float
    height: float
    piece: Point
    name: Point
    labels: tuple[Point, Point]
    """Where the words stand before the pieces in hand and those borne off."""
    name_room: float
    label_rooms: tuple[float, float]
    """How wide the name and those words may be."""
    hand: tuple[Point, ...]
    off: tuple[Point, ...]


BAR: Final = Rect(_EDGE, HEIGHT - 1.4, WIDTH - 2 * _EDGE, 1.25, Ink.PANEL, radius=0.22)
"""The line at the bottom: whose turn it is, and the throws."""
BAR_MIDDLE: Final = BAR.y + BAR.height / 2


def _lying(y: float) -> Panel:
    x, middle = LEFT - _FRAME, y + 0.55
    return Panel(
        x,
        y,
        _LONG,
        1.1,
        (x + 0.7, middle),
        (x + 1.35, middle),
        ((x + 4.95, middle), (x + 8.6, middle)),
        2.0,
        (1.5, 1.2),
        tuple((x + 5.35 + i * 0.56, middle) for i in range(PIECES)),
        tuple((x + 9.0 + i * 0.55, middle) for i in range(PIECES)),
    )


def _standing(x: float) -> Panel:
    y, middle = TOP - _FRAME, x + 0.65
    return Panel(
        x,
        y,
        1.3,
        _LONG,
        (middle, y + 0.75),
        (middle, y + 1.55),
        ((middle, y + 2.95), (middle, y + 6.9)),
        1.1,
        (1.1, 1.1),
        tuple((middle, y + 3.6 + i * 0.62) for i in range(PIECES)),
        tuple((middle, y + 7.55 + i * 0.62) for i in range(PIECES)),
    )


PANELS: Final = {
    SOUTH: _lying(TOP + 5 * SIDE + _FRAME + 0.15),
    WEST: _standing(_EDGE),
    NORTH: _lying(TOP - _FRAME - 1.25),
    EAST: _standing(WIDTH - _EDGE - 1.3),
}
"""Each seat's panel lies along its own edge of the board."""


def centre(square: str) -> Point:
    """Return the middle of a square."""
    return (
        LEFT + (FILES.index(square[0]) + 0.5) * SIDE,
        TOP + (5 - int(square[1]) + 0.5) * SIDE,
    )


@cache
def board(players: int) -> Board:
    """Return the board for so many players."""
    seats = SEATS[players]
    return Board(
        WIDTH,
        HEIGHT,
        (
            *(shape for seat in seats for shape in _panel(seat)),
            BAR,
            *_frame(),
            *(shape for square in SQUARES for shape in _square(square)),
            *_coordinates(),
        ),
        Area(
            (LEFT - _FRAME, TOP - _FRAME, _LONG, _LONG),
            (LEFT + 2.5 * SIDE, TOP + 2.5 * SIDE),
            tuple((panel.x, panel.y, panel.width, panel.height) for panel in PANELS.values()),
        ),
        tuple((square, *centre(square)) for square in SQUARES),
        SIDE,
    )


def _panel(seat: Seat) -> Iterator[Shape]:
    panel = PANELS[seat]
    yield Rect(panel.x, panel.y, panel.width, panel.height, Ink.PANEL, radius=0.22)
    yield from (moved(shape, *panel.piece) for shape in man(seat, 0.36).shapes)
    lying = panel.width > panel.height
    name, (hand_room, off_room) = CALLED[seat], panel.label_rooms
    side = "lm" if lying else "mm"
    yield Text(*panel.name, name, 0.5, Ink.PAGE_TEXT, side, bold=True, room=panel.name_room)
    # Translators: before the pieces of a seat that are not on the board yet; few letters.
    in_hand, hand = word("on a picture", "in hand"), word("on a picture", "hand")
    # Translators: before the pieces of a seat that have left the board at the end; few letters.
    off = word("on a picture", "off")
    side = "rm" if lying else "mm"
    at, last = panel.labels
    yield Text(*at, in_hand if lying else hand, 0.44, Ink.PAGE_QUIET, side, room=hand_room)
    yield Text(*last, off, 0.44, Ink.PAGE_QUIET, side, room=off_room)


def _frame() -> Iterator[Shape]:
    x, y = LEFT - _FRAME, TOP - _FRAME
    yield Rect(x, y + 0.05, _LONG, _LONG + 0.03, Ink.SHADOW, radius=0.24)
    yield Rect(x, y, _LONG, _LONG, Ink.FRAME, radius=0.2, texture=Texture.WOOD)
    yield Rect(x, y, _LONG, _LONG, edge=Ink.LIGHT, edge_width=0.03, radius=0.2)
    side = 5 * SIDE
    yield Rect(LEFT - 0.09, TOP - 0.09, side + 0.18, side + 0.18, Ink.SQUARE_HOME, radius=0.05)
    yield Rect(LEFT - 0.05, TOP - 0.05, side + 0.1, side + 0.1, Ink.LINE)


def _square(square: str) -> Iterator[Shape]:
    x, y = centre(square)
    gap, half = 0.03, SIDE / 2
    inner = PATHS[0].index(square) >= INNER
    fill = Ink.SQUARE_OTHER if inner else Ink.SQUARE
    if square in _MARKED:
        fill = Ink.SQUARE_AWAY if square == PATHS[0][KEEP] else Ink.SQUARE_HOME
    yield Rect(
        x - half + gap,
        y - half + gap,
        SIDE - 2 * gap,
        SIDE - 2 * gap,
        fill,
        texture=Texture.WOOD if square == PATHS[0][KEEP] else Texture.FLAT,
    )
    if square in _MARKED:
        ink = Ink.SQUARE_HOME if square == PATHS[0][KEEP] else Ink.SPECIAL
        # Only near the corners: the middle belongs to the pieces.
        near, far = half - 0.62, half - 0.18
        for right, down in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            start = (x + right * near, y + down * near)
            yield Line((start, (x + right * far, y + down * far)), ink, 0.1)


def _coordinates() -> Iterator[Shape]:
    for file in FILES:
        x, _ = centre(f"{file}1")
        yield Text(x, TOP + 5 * SIDE + 0.33, file, 0.44, Ink.FRAME_TEXT)
    for rank in RANKS:
        _, y = centre(f"a{rank}")
        yield Text(LEFT - 0.33, y, rank, 0.44, Ink.FRAME_TEXT)

"""What is the same in every picture: squares, castle, frame and panels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from engine.game import Seat
from engine.games.tablut.board import (
    CASTLE,
    FILES,
    KING,
    MUSCOVITE,
    MUSCOVITES,
    NUMBERS,
    SIZE,
    SQUARES,
    SWEDE,
    SWEDES,
)
from engine.games.tablut.men import man
from engine.games.tablut.playing import START
from engine.scene import Area, Board, Ink, Line, Polygon, Rect, Shape, Text, Texture, moved

Point = tuple[float, float]

SIDE: Final = 0.15
"""The margin round frame and panels, and between them."""
_RIM: Final = 0.62
"""The width of the frame left, right and below."""
_RIM_ABOVE: Final = 0.3
_FRAME: Final = SIZE + 2 * _RIM
WIDTH: Final = _FRAME + 2 * SIDE
PANEL_HEIGHT: Final = 1.3
PANEL_WIDTH: Final = (_FRAME - SIDE) / 2
_FRAME_TOP: Final = PANEL_HEIGHT + 2 * SIDE
_FRAME_HEIGHT: Final = SIZE + _RIM_ABOVE + _RIM
HEIGHT: Final = _FRAME_TOP + _FRAME_HEIGHT + SIDE
LEFT: Final = SIDE + _RIM
"""The left edge of the a file."""
TOP: Final = _FRAME_TOP + _RIM_ABOVE
"""The upper edge of the ninth rank."""

TEXT_X: Final = 1.3
"""Where words begin in a panel."""
COUNT_X: Final = PANEL_WIDTH - 0.3
"""Where the figure ends in a panel."""
NAME_ROOM: Final = COUNT_X - TEXT_X - 1.1
STATUS_ROOM: Final = 1.9
"""The maximum width of a status beside the words on losses."""
LOST_ROOM: Final = COUNT_X - TEXT_X - STATUS_ROOM - 0.15
NAME_Y: Final = SIDE + 0.44
STATUS_Y: Final = SIDE + 0.93


def centre(number: int) -> Point:
    """Return the centre of a square."""
    x, y = LEFT + number % SIZE + 0.5, TOP + SIZE - number // SIZE - 0.5
    return round(x, 4), round(y, 4)


def panel_left(seat: Seat) -> float:
    """Return the left edge of a seat's panel: the Swedes' comes first."""
    return SIDE if seat == SWEDES else 2 * SIDE + PANEL_WIDTH


@cache
def board() -> Board:
    """Return the board, the same in every game."""
    return Board(
        WIDTH,
        HEIGHT,
        (*_panels(), *_frame(), *_squares(), *_castle(), *_coordinates()),
        Area((SIDE, _FRAME_TOP, _FRAME, _FRAME_HEIGHT), (LEFT + SIZE / 2, TOP + SIZE / 2)),
        tuple((name, *centre(number)) for name, number in NUMBERS.items()),
    )


def _panels() -> Iterator[Shape]:
    for seat, kind in ((SWEDES, KING), (MUSCOVITES, MUSCOVITE)):
        left = panel_left(seat)
        yield Rect(left, SIDE, PANEL_WIDTH, PANEL_HEIGHT, Ink.PANEL, radius=0.22)
        for shape in man(kind, 0.46 if kind == KING else 0.42).shapes:
            yield moved(shape, left + 0.7, SIDE + PANEL_HEIGHT / 2)


def _frame() -> Iterator[Shape]:
    top = _FRAME_TOP
    yield Rect(SIDE, top + 0.04, _FRAME, _FRAME_HEIGHT + 0.03, Ink.SHADOW, radius=0.24)
    yield Rect(SIDE, top, _FRAME, _FRAME_HEIGHT, Ink.FRAME, radius=0.2, texture=Texture.WOOD)
    yield Rect(SIDE, top, _FRAME, _FRAME_HEIGHT, edge=Ink.LIGHT, edge_width=0.03, radius=0.2)
    # The squares lie in a groove framed by a bright inlaid line.
    yield Rect(LEFT - 0.09, TOP - 0.09, SIZE + 0.18, SIZE + 0.18, Ink.SQUARE_HOME, radius=0.05)
    yield Rect(LEFT - 0.05, TOP - 0.05, SIZE + 0.1, SIZE + 0.1, Ink.LINE)


def _squares() -> Iterator[Shape]:
    """Draw the squares; starting squares are inlaid, each side's in its own way."""
    gap = 0.022
    for number in range(len(SQUARES)):
        x, y = centre(number)
        start = START.kind(number)
        fill = {MUSCOVITE: Ink.SQUARE_AWAY, SWEDE: Ink.SQUARE_HOME}.get(start or 0, Ink.SQUARE)
        if start is None:
            fill = Ink.SQUARE_OTHER if number % 2 else Ink.SQUARE
        left, top, side = x - 0.5 + gap, y - 0.5 + gap, 1 - 2 * gap
        yield Rect(left, top, side, side, fill, radius=0.04)
        if start == MUSCOVITE:
            r = 0.11
            yield Polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)), Ink.LINE)


def _castle() -> Iterator[Shape]:
    """Draw the middle square: red, double-walled, with a saltire visible when empty."""
    x, y = centre(CASTLE)
    yield Rect(x - 0.478, y - 0.478, 0.956, 0.956, Ink.SPECIAL, radius=0.04)
    for half in (0.42, 0.30):
        yield Rect(x - half, y - half, 2 * half, 2 * half, edge=Ink.SQUARE_HOME, edge_width=0.035)
    for dx in (-0.3, 0.3):
        yield Line(((x - dx, y - 0.3), (x + dx, y + 0.3)), Ink.SQUARE_HOME, 0.035)


def _coordinates() -> Iterator[Shape]:
    for file in FILES:
        x, y = centre(NUMBERS[f"{file}1"])
        yield Text(x, y + 0.81, file, 0.4, Ink.FRAME_TEXT)
    for rank in range(1, SIZE + 1):
        _, y = centre(NUMBERS[f"a{rank}"])
        for x in (SIDE + 0.29, WIDTH - SIDE - 0.29):
            yield Text(x, y, str(rank), 0.4, Ink.FRAME_TEXT)

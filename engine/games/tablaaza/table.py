"""What is the same in every picture: plots, lakes, frame and panels."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import pi, sin
from typing import Final

from engine.game import Seat
from engine.games.tablaaza.board import (
    FILES,
    GREEN,
    HEIGHT,
    LAKES,
    PLOTS,
    RANKS,
    RED,
    WIDTH,
    colour,
    place,
)
from engine.games.tablaaza.pieces import pavilion, plot
from engine.phrase import word
from engine.scene import Area, Board, Ink, Line, Rect, Shape, Text, Texture, moved

Point = tuple[float, float]

SIDE: Final = 0.12
"""The margin round frame and panels, and between them."""
_RIM: Final = 0.42
"""The width of the frame beside the plots."""
LEFT: Final = SIDE + _RIM
"""The left edge of the a file."""
PAGE_WIDTH: Final = WIDTH + 2 * LEFT
PANEL_HEIGHT: Final = 1.08
PANEL_WIDTH: Final = (PAGE_WIDTH - 3 * SIDE) / 2
_FRAME_TOP: Final = 2 * SIDE + PANEL_HEIGHT
_FRAME_WIDTH: Final = WIDTH + 2 * _RIM
_FRAME_HEIGHT: Final = HEIGHT + 0.2 + _RIM
TOP: Final = _FRAME_TOP + 0.2
"""The upper edge of the highest rank."""
PAGE_HEIGHT: Final = _FRAME_TOP + _FRAME_HEIGHT + SIDE

TEXT_X: Final = 1.0
"""Where words begin in a panel."""
NAME_ROOM: Final = 2.3
STATUS_ROOM: Final = 1.2
"""Their maximum width."""
FREE_X, RAISED_X = 2.85, 3.75
"""Where figures end in a panel."""
NAME_Y: Final = SIDE + 0.36
STATUS_Y: Final = SIDE + 0.78

_WORD_ROOM: Final = PANEL_WIDTH - FREE_X - 0.3


def centre(square: str) -> Point:
    """Return the centre of a square."""
    column, row = place(square)
    return LEFT + column + 0.5, TOP + HEIGHT - row - 0.5


def panel_left(seat: Seat) -> float:
    """Return the left edge of a seat's panel: Red's comes first."""
    return SIDE if seat == RED else 2 * SIDE + PANEL_WIDTH


@cache
def board() -> Board:
    """Return the board, the same in every game."""
    return Board(
        PAGE_WIDTH,
        PAGE_HEIGHT,
        (*_panels(), *_frame(), *_plots(), *_lakes(), *_coordinates()),
        Area((SIDE, _FRAME_TOP, _FRAME_WIDTH, _FRAME_HEIGHT), (LEFT + WIDTH / 2, TOP + HEIGHT / 2)),
        tuple((plot, *centre(plot)) for plot in PLOTS),
    )


def _panels() -> Iterator[Shape]:
    """Draw the fixed parts of a panel: the seat's plot, and what is counted."""
    for seat in (RED, GREEN):
        left, middle = panel_left(seat), SIDE + PANEL_HEIGHT / 2
        yield Rect(left, SIDE, PANEL_WIDTH, PANEL_HEIGHT, Ink.PANEL, radius=0.18)
        yield Rect(left + 0.17, middle - 0.37, 0.74, 0.74, Ink.LINE)
        yield from (moved(shape, left + 0.54, middle) for shape in plot(seat, 0.7))
        # Translators: after the number of plots on which a side may still build: "14 free".
        free = word("on a picture", "free")
        yield Text(left + FREE_X + 0.1, STATUS_Y, free, 0.36, Ink.PAGE_QUIET, "lm", room=_WORD_ROOM)
        yield from (
            moved(shape, left + RAISED_X + 0.3, NAME_Y + 0.03)
            for shape in pavilion(seat, 0.5).shapes
        )


def _frame() -> Iterator[Shape]:
    top, width, height = _FRAME_TOP, _FRAME_WIDTH, _FRAME_HEIGHT
    yield Rect(SIDE, top + 0.04, width, height + 0.03, Ink.SHADOW, radius=0.2)
    yield Rect(SIDE, top, width, height, Ink.FRAME, radius=0.16, texture=Texture.WOOD)
    yield Rect(SIDE, top, width, height, edge=Ink.LIGHT, edge_width=0.03, radius=0.16)
    # The plots lie in a groove framed by a bright inlaid line.
    yield Rect(LEFT - 0.09, TOP - 0.09, WIDTH + 0.18, HEIGHT + 0.18, Ink.SQUARE_HOME, radius=0.05)
    yield Rect(LEFT - 0.05, TOP - 0.05, WIDTH + 0.1, HEIGHT + 0.1, Ink.LINE)


def _plots() -> Iterator[Shape]:
    for name in PLOTS:
        x, y = centre(name)
        yield from (moved(shape, x, y) for shape in plot(colour(name), 0.956))


def _lakes() -> Iterator[Shape]:
    for lake in LAKES:
        xs, ys = zip(*map(centre, lake), strict=True)
        left, top = min(xs) - 0.5, min(ys) - 0.5
        width, height = max(xs) - min(xs) + 1, max(ys) - min(ys) + 1
        # Land at the edge of the square, then a beach, then water.
        yield Rect(left, top, width, height, Ink.LINE)
        yield Rect(
            left + 0.02, top + 0.02, width - 0.04, height - 0.04, Ink.SQUARE_HOME, radius=0.12
        )
        inner = (left + 0.1, top + 0.1, width - 0.2, height - 0.2)
        yield Rect(*inner, Ink.WATER, Ink.LINE, 0.02, radius=0.26)
        waves = round(height * 2)
        for wave in range(waves):
            x = left + width / 2 + (0.11 if wave % 2 else -0.11)
            y = top + height * (wave + 0.5) / waves
            yield _wave(x, y)


def _wave(x: float, y: float) -> Line:
    points = tuple(
        (x - 0.22 + 0.44 * step / 16, y + 0.05 * sin(4 * pi * step / 16)) for step in range(17)
    )
    return Line(points, Ink.WATER_CREST, 0.04)


def _coordinates() -> Iterator[Shape]:
    for file in FILES:
        x, y = centre(f"{file}1")
        yield Text(x, y + 0.71, file, 0.34, Ink.FRAME_TEXT)
    for rank in RANKS:
        _, y = centre(f"a{rank}")
        for x in (SIDE + 0.19, PAGE_WIDTH - SIDE - 0.19):
            yield Text(x, y, rank, 0.34, Ink.FRAME_TEXT)

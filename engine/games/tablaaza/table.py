"""What stays the same in every picture: the plots, the lakes, the frame and the panels."""

from __future__ import annotations

from functools import cache
from math import pi, sin
from typing import TYPE_CHECKING, Final

from engine.games.tablaaza.board import (
    CALLED,
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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Seat

Point = tuple[float, float]

SIDE: Final = 0.15
"""The page round frame and panels, and between them."""
LEFT: Final = 0.8
"""The left edge of the a file."""
TOP: Final = 0.48
"""The upper edge of the highest rank."""
_FRAME_WIDTH: Final = WIDTH + 2 * (LEFT - SIDE)
_FRAME_HEIGHT: Final = HEIGHT + 0.93
PANEL_LEFT: Final = 2 * SIDE + _FRAME_WIDTH
PANEL_WIDTH: Final = 3.25
PANEL_HEIGHT: Final = (_FRAME_HEIGHT - SIDE) / 2
PAGE_WIDTH: Final = PANEL_LEFT + PANEL_WIDTH + SIDE
PAGE_HEIGHT: Final = _FRAME_HEIGHT + 2 * SIDE

TEXT_X: Final = PANEL_LEFT + 1.26
"""Where words begin on a panel."""
TEXT_ROOM: Final = PANEL_WIDTH - 1.26 - 0.15
"""How wide they may be."""
FIGURE_X: Final = PANEL_LEFT + 1.12
"""The right edge of figures."""
STATUS_Y: Final = 0.94
SPACES_Y: Final = 2.08
RAISED_Y: Final = 3.06
"""How far below a panel's upper edge each of its lines is written."""


def centre(square: str) -> Point:
    """Return the middle of a square."""
    column, row = place(square)
    return LEFT + column + 0.5, TOP + HEIGHT - row - 0.5


def panel_top(seat: Seat) -> float:
    """Return the upper edge of a seat's panel: Green's lies above Red's."""
    return SIDE if seat == GREEN else 2 * SIDE + PANEL_HEIGHT


@cache
def board() -> Board:
    """Return the board, the same in every game."""
    return Board(
        PAGE_WIDTH,
        PAGE_HEIGHT,
        (*_panels(), *_frame(), *_plots(), *_lakes(), *_coordinates()),
        Area((SIDE, SIDE, _FRAME_WIDTH, _FRAME_HEIGHT), (LEFT + WIDTH / 2, TOP + HEIGHT / 2)),
        tuple((plot, *centre(plot)) for plot in PLOTS),
    )


def _panels() -> Iterator[Shape]:
    """Draw what never changes on a panel: the seat's plot and name, and what is counted."""
    for seat in (RED, GREEN):
        top = panel_top(seat)
        yield Rect(PANEL_LEFT, top, PANEL_WIDTH, PANEL_HEIGHT, Ink.PANEL, radius=0.22)
        yield Rect(PANEL_LEFT + 0.3, top + 0.26, 0.78, 0.78, Ink.LINE)
        yield from (moved(shape, PANEL_LEFT + 0.69, top + 0.65) for shape in plot(seat, 0.72))
        # Translators: after the number of plots on which a side may still build; best on two lines.
        name, spaces = CALLED[seat], word("on a picture", "spaces\nleft")
        yield Text(TEXT_X, top + 0.46, name, 0.5, Ink.PAGE_TEXT, "lm", bold=True, room=TEXT_ROOM)
        yield Text(TEXT_X, top + SPACES_Y, spaces, 0.44, Ink.PAGE_QUIET, "lm", room=TEXT_ROOM)
        yield from (moved(shape, TEXT_X + 0.27, top + RAISED_Y) for shape in pavilion(0.8).shapes)
        # Translators: after the number of pavilions that a side has raised and a small pavilion.
        raised = word("on a picture", "raised")
        x, y = TEXT_X + 0.67, top + RAISED_Y + 0.1
        yield Text(x, y, raised, 0.4, Ink.PAGE_QUIET, "lm", room=TEXT_ROOM - 0.67)


def _frame() -> Iterator[Shape]:
    width, height = _FRAME_WIDTH, _FRAME_HEIGHT
    yield Rect(SIDE, SIDE + 0.04, width, height + 0.03, Ink.SHADOW, radius=0.24)
    yield Rect(SIDE, SIDE, width, height, Ink.FRAME, radius=0.2, texture=Texture.WOOD)
    yield Rect(SIDE, SIDE, width, height, edge=Ink.LIGHT, edge_width=0.03, radius=0.2)
    # The plots lie in a groove with a bright line of inlay round it.
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
        # Land comes to the edge of the square, then a beach, then water.
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
        yield Text(x, y + 0.8, file, 0.4, Ink.FRAME_TEXT)
    for rank in RANKS:
        _, y = centre(f"a{rank}")
        for x in (SIDE + 0.29, SIDE + _FRAME_WIDTH - 0.29):
            yield Text(x, y, rank, 0.4, Ink.FRAME_TEXT)

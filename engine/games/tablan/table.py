"""What is the same in every picture: the board, its frame, and each seat's way."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from engine.game import Seat
from engine.games.tablan.board import COURSES, FILES, LENGTH, RANKS, ROW, Course
from engine.games.tablan.men import EDGE, FILL, man
from engine.games.tablan.state import BLACK, WHITE
from engine.scene import Area, Board, Ink, Line, Polygon, Rect, Shape, Text, Texture, moved

Point = tuple[float, float]

_STRIP: Final = 0.34
"""The visible width of the frame beside the squares."""

SIDE: Final = 0.06
"""The margin left and right of frame and panels."""
LEFT: Final = 0.46
"""The left edge of the a file: the frame is as narrow as its figures, so the squares are large."""
TOP: Final = 1.2
"""The upper edge of the fourth rank."""
WIDTH: Final = ROW + 2 * LEFT
PANEL_HEIGHT: Final = 0.95
_FRAME_TOP: Final = TOP - 0.14
_FRAME_BOTTOM: Final = TOP + 4.48
PANEL: Final = (SIDE, _FRAME_BOTTOM + 0.1)
"""The upper edges of the panels: Black's above the board, White's below it."""
HEIGHT: Final = PANEL[1] + PANEL_HEIGHT + SIDE
NAME_X: Final = 0.98
NAME_ROOM: Final = 2.35
STATUS_X: Final = 3.4
STATUS_ROOM: Final = 1.65
"""The maximum width of the words about a seat."""
HOME_X: Final = 6.66
TAKEN_X: Final = 7.45
TAKEN_STEP: Final = 0.2
STICKS_X: Final = 10.7
SCORE_X: Final = 12.36

_LONG: Final = 0.17
_APART: Final = 0.2
"""How far the marks of two ways lie from a square's middle."""
HOME_ROOM: Final = 1.2
_LETTERS: Final = TOP + 4.23
_RIGHT: Final = LEFT + ROW


@cache
def centre(square: str) -> Point:
    """Return the centre of a square."""
    return LEFT + FILES.index(square[0]) + 0.5, TOP + 4 - int(square[1]) + 0.5


def panel_middle(seat: Seat) -> float:
    """Return the vertical centre of a seat's panel, where its words go."""
    return PANEL[1 if seat == WHITE else 0] + PANEL_HEIGHT / 2


@cache
def board(course: str) -> Board:
    """Return the board for one of `COURSES`, with its arrows."""
    return Board(
        WIDTH,
        HEIGHT,
        (
            *(
                Rect(SIDE, top, WIDTH - 2 * SIDE, PANEL_HEIGHT, Ink.PANEL, radius=0.22)
                for top in PANEL
            ),
            *_signs(),
            *_frame(),
            *_squares(),
            *_ways(COURSES[course]),
            *_coordinates(),
            *_turns(COURSES[course]),
        ),
        Area(
            (SIDE, _FRAME_TOP, WIDTH - 2 * SIDE, _FRAME_BOTTOM - _FRAME_TOP),
            (LEFT + ROW / 2, TOP + 2),
            tuple((SIDE, top, WIDTH - 2 * SIDE, PANEL_HEIGHT) for top in PANEL),
        ),
        tuple((file + rank, *centre(file + rank)) for rank in RANKS for file in FILES),
    )


def _signs() -> Iterator[Shape]:
    """Draw the fixed part of a panel: the seat's man."""
    for seat in (WHITE, BLACK):
        y = panel_middle(seat)
        yield from (moved(shape, 0.53, y) for shape in man(seat, radius=0.31).shapes)


def _frame() -> Iterator[Shape]:
    width, height = WIDTH - 2 * SIDE, _FRAME_BOTTOM - _FRAME_TOP
    yield Rect(SIDE, _FRAME_TOP + 0.04, width, height + 0.03, Ink.SHADOW, radius=0.24)
    yield Rect(SIDE, _FRAME_TOP, width, height, Ink.FRAME, radius=0.2, texture=Texture.WOOD)
    yield Rect(SIDE, _FRAME_TOP, width, height, edge=Ink.LIGHT, edge_width=0.03, radius=0.2)
    # The squares lie in a groove framed by a bright inlaid line.
    yield Rect(LEFT - 0.06, TOP - 0.06, ROW + 0.12, 4.12, Ink.SQUARE_HOME, radius=0.05)
    yield Rect(LEFT - 0.03, TOP - 0.03, ROW + 0.06, 4.06, Ink.LINE)


def _squares() -> Iterator[Shape]:
    gap = 0.022
    for rank in RANKS:
        for column, file in enumerate(FILES):
            x, y = centre(f"{file}{rank}")
            other = (column + int(rank)) % 2
            fill = {
                "1": Ink.SQUARE_HOME,
                "4": Ink.SQUARE_AWAY,
            }.get(rank, Ink.SQUARE_OTHER if other else Ink.SQUARE)
            left, top, side = x - 0.5 + gap, y - 0.5 + gap, 1 - 2 * gap
            yield Rect(left, top, side, side, fill, texture=Texture.WOOD)


def _ways(course: Course) -> Iterator[Shape]:
    """Carve into each square which way men walk over it: both sides' or, head-on, each side's."""
    rows = range(0, LENGTH, ROW)
    starts = [{walk[row][1]: walk[row] for row in rows} for walk in course.squares]
    for rank in RANKS:
        white, black = (1 if start[rank][0] == FILES[0] else -1 for start in starts)
        for file in FILES:
            x, y = centre(file + rank)
            if white == black:
                yield _chevron(x, y, white, Ink.LINE)
            else:
                yield _chevron(x, y + _APART, white, FILL[WHITE])
                yield _chevron(x, y - _APART, black, FILL[BLACK])


def _chevron(x: float, y: float, forward: int, ink: Ink) -> Line:
    long, half = 0.07 * forward, 0.13
    return Line(((x - long, y - half), (x + long, y), (x - long, y + half)), ink, 0.05)


def _coordinates() -> Iterator[Shape]:
    for file in FILES:
        x, _ = centre(f"{file}1")
        yield Text(x, _LETTERS, file, 0.42, Ink.FRAME_TEXT)
    for rank in RANKS:
        _, y = centre(f"a{rank}")
        for x in (SIDE + 0.17, WIDTH - SIDE - 0.17):
            yield Text(x, y, rank, 0.42, Ink.FRAME_TEXT)


# ---------------------------------------------------------------- the arrows at the ends of rows


def _turns(course: Course) -> Iterator[Shape]:
    """Draw an arrow head beside each pair of squares where a seat changes rows."""
    for seat in (WHITE, BLACK):
        walk = course.squares[seat]
        for row in (1, 2, 3):
            leaving, entering = walk[row * ROW - 1], walk[row * ROW]
            x, start = centre(leaving)
            end = centre(entering)[1]
            out, down = (1 if leaving[0] == "l" else -1), (1 if end > start else -1)
            middle = (start + end) / 2
            # On the opposed course both seats turn at the same place: one head below the other.
            long = _LONG
            if course.name == "opposed":
                middle, long = middle + 0.13 * down, 0.09
            yield from _tip(seat, x + out * (0.5 + _STRIP / 2), middle, down, long)


def _tip(seat: Seat, x: float, y: float, down: int, long: float) -> Iterator[Polygon]:
    """Yield a head in a seat's ink, on a rim in the ink of its edge; ``long`` is half its length."""
    for ink, more in ((EDGE[seat], 0.05), (FILL[seat], 0.0)):
        half, high = 0.12 + more, long + more
        yield Polygon(
            (
                (x - half, y - high * down),
                (x + half, y - high * down),
                (x, y + (high + more) * down),
            ),
            ink,
        )

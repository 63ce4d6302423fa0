"""What stays the same in every picture: the board, its frame, and the way each seat walks."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import TYPE_CHECKING, Final

from engine.games.tablan.board import COURSES, FILES, RANKS, ROW
from engine.games.tablan.men import EDGE, FILL, Inlay, man
from engine.games.tablan.state import BLACK, WHITE
from engine.games.tablan.verdict import CALLED
from engine.phrase import word
from engine.scene import Area, Board, Ink, Line, Polygon, Rect, Shape, Text, Texture, moved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Seat
    from engine.games.tablan.board import Course

Point = tuple[float, float]

WIDTH: Final = 14.4
HEIGHT: Final = 7.25
SIDE: Final = 0.15
"""The page left and right of frame and panels."""
LEFT: Final = 1.2
"""The left edge of the a file."""
TOP: Final = 1.52
"""The upper edge of the fourth rank."""
PANEL: Final = (0.12, 6.15)
"""The upper edges of the panels: Black's above the board, White's below it."""
PANEL_HEIGHT: Final = 0.98
STATUS_X: Final = 2.95
STATUS_ROOM: Final = 2.3
"""How wide the words about a seat may be."""
HOME_X: Final = 6.75
TAKEN_X: Final = 7.7
TAKEN_STEP: Final = 0.3
STICKS_X: Final = 11.8
SCORE_X: Final = 13.6

_NAME_X: Final = 1.25
_HOME_ROOM: Final = 1.25
_FRAME_TOP: Final = 1.22
_FRAME_BOTTOM: Final = 6.04
_LETTERS: Final = 5.775
_RIGHT: Final = LEFT + ROW


@cache
def centre(square: str) -> Point:
    """Return the middle of a square."""
    return LEFT + FILES.index(square[0]) + 0.5, TOP + 4 - int(square[1]) + 0.5


def panel_middle(seat: Seat) -> float:
    """Return the height of the line on which a seat's panel is written."""
    return PANEL[1 if seat == WHITE else 0] + PANEL_HEIGHT / 2


@cache
def board(course: str) -> Board:
    """Return the board for one of `COURSES`, whose arrows it carries."""
    return Board(
        WIDTH,
        HEIGHT,
        (
            *(
                Rect(SIDE, top, WIDTH - 2 * SIDE, PANEL_HEIGHT, Ink.PANEL, radius=0.22)
                for top in PANEL
            ),
            *_names(),
            *_frame(),
            *_squares(),
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


def _names() -> Iterator[Shape]:
    """Draw what never changes on a panel: the seat's man and name."""
    for seat, name in zip((WHITE, BLACK), CALLED, strict=True):
        y = panel_middle(seat)
        yield from (moved(shape, 0.74, y) for shape in man(seat, radius=0.31).shapes)
        room = STATUS_X - _NAME_X - 0.15
        yield Text(_NAME_X, y, name, 0.5, Ink.PAGE_TEXT, "lm", bold=True, room=room)
        # Translators: before the number of men that have reached the last row.
        home = word("on a picture", "home")
        yield Text(HOME_X - 0.15, y, home, 0.44, Ink.PAGE_QUIET, "rm", room=_HOME_ROOM)


def _frame() -> Iterator[Shape]:
    width, height = WIDTH - 2 * SIDE, _FRAME_BOTTOM - _FRAME_TOP
    yield Rect(SIDE, _FRAME_TOP + 0.04, width, height + 0.03, Ink.SHADOW, radius=0.24)
    yield Rect(SIDE, _FRAME_TOP, width, height, Ink.FRAME, radius=0.2, texture=Texture.WOOD)
    yield Rect(SIDE, _FRAME_TOP, width, height, edge=Ink.LIGHT, edge_width=0.03, radius=0.2)
    # The squares lie in a groove with a bright line of inlay round it.
    yield Rect(LEFT - 0.09, TOP - 0.09, ROW + 0.18, 4.18, Ink.SQUARE_HOME, radius=0.05)
    yield Rect(LEFT - 0.05, TOP - 0.05, ROW + 0.1, 4.1, Ink.LINE)


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
            yield Rect(left, top, side, side, fill, radius=0.04, texture=Texture.WOOD)
            if rank in "14":
                r = 0.11
                yield Polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)), Ink.LINE)


def _coordinates() -> Iterator[Shape]:
    for file in FILES:
        x, _ = centre(f"{file}1")
        yield Text(x, _LETTERS, file, 0.42, Ink.FRAME_TEXT)
    for rank in RANKS:
        _, y = centre(f"a{rank}")
        for x in (SIDE + 0.26, WIDTH - SIDE - 0.26):
            yield Text(x, y, rank, 0.42, Ink.FRAME_TEXT)


# ---------------------------------------------------------------- the arrows at the ends of rows


def _turns(course: Course) -> Iterator[Shape]:
    for seat in (WHITE, BLACK):
        walk = course.squares[seat]
        for row in (1, 2, 3):
            yield from _turn(course, seat, walk[row * ROW - 1], walk[row * ROW])


def _turn(course: Course, seat: Seat, leaving: str, entering: str) -> Iterator[Shape]:
    """Draw how a seat leaves one row and enters the next."""
    out = 1 if leaving[0] == "l" else -1
    edge = _RIGHT if out > 0 else LEFT
    start, end = centre(leaving)[1], centre(entering)[1]
    down = 1 if end > start else -1
    # Where the seats walk against each other they turn at the same place: one inside the other.
    inside = course.name == "opposed" and seat == BLACK
    outside = course.name == "opposed" and seat == WHITE
    reach, shift, bend = (0.37, 0.30, 0.12) if inside else (0.6, 0.07 if outside else 0.14, 0.2)
    start, end = start + down * shift, end - down * shift
    x = edge + out * (reach - bend)
    head = 0.16 if inside else 0.21
    tip = (edge + out * 0.07, end)
    points = (
        (edge + out * 0.13, start),
        *_arc(x, start + down * bend, bend, out, -down),
        *_arc(x, end - down * bend, bend, out, down, leaving=True),
        (edge + out * (0.07 + head), end),
    )
    for ink, more in ((EDGE[seat], 0.028), (FILL[seat], 0.0)):
        yield Line(points, ink, 0.07 + 2 * more)
        yield _tip(tip, out, ink, more, head)
    if inside:
        return  # too narrow for more
    middle = (start + end) / 2
    for shape in man(seat, Inlay.NONE, 0.11).shapes[1:]:
        yield moved(shape, edge + out * reach, middle)


def _tip(at: Point, out: int, ink: Ink, more: float, length: float) -> Polygon:
    """Return an arrow head that points from the frame to the squares."""
    x, y = at
    base, half = x + out * (length + more), length * 0.68 + more * 1.9
    return Polygon(((x - out * more * 1.8, y), (base, y - half), (base, y + half)), ink)


def _arc(
    x: float, y: float, r: float, out: int, side: int, *, leaving: bool = False
) -> tuple[Point, ...]:
    """Return a quarter circle about (x, y) that joins a level line and an upright one."""
    angles = [pi / 2 * step / 6 for step in range(7)]
    points = [(x + out * r * sin(a), y + side * r * cos(a)) for a in angles]
    return tuple(points[::-1] if leaving else points)

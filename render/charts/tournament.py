"""A tournament as a picture: the table of its rounds, or its bracket.

It contains no names: everyone has a number, and the text beside it says whose it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.scene import Board, Ink, Line, Polygon, Rect, Scene, Shape, Text
from render.charts import signs

MAX_LINES: Final = 10
MAX_ROUNDS: Final = 7
"""The number of rounds that fit: the last ones are shown."""
MAX_COLUMNS: Final = 5
"""As many as a bracket of 32 has."""

_WIDTH: Final = 16.0
_HEAD: Final = 1.1
_TITLE: Final = 0.9
_PLACE, _NUMBER, _ROUNDS, _POINTS = 0.95, 2.75, 3.9, 15.5
_ROUND, _WIDEST = 1.2, 2.2
"""The width of a round: with few rounds they spread out, to keep the points close to them."""
_BOX: Final = 0.86


@dataclass(frozen=True, slots=True)
class Cell:
    """One entrant's round."""

    opponent: int | None = None
    """The opponent's number, if any."""
    ending: str = ""
    """``w``, ``d`` or ``l``; empty for a game in progress, or a round not played."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """One entrant, from left to right."""

    place: int
    number: int
    rounds: tuple[Cell, ...]
    points: str
    own: bool = False
    """Whether it is the reader's."""
    medal: bool = True
    """Whether one of the first places has a medal; it takes a point."""


@dataclass(frozen=True, slots=True)
class TournamentTable:
    """The standings, with each round's opponents.

    Raises:
        ValueError: no lines, or too many.
    """

    lines: tuple[TableLine, ...]
    title: str = ""

    def __post_init__(self) -> None:
        if not 1 <= len(self.lines) <= MAX_LINES:
            raise ValueError(f"1 to {MAX_LINES} lines are required, not {len(self.lines)}")


@dataclass(frozen=True, slots=True)
class Slot:
    """An entrant in an encounter; a number of ``None`` if not yet known."""

    number: int | None = None
    score: str = ""
    won: bool = False


@dataclass(frozen=True, slots=True)
class Bracket:
    """The encounters of a knockout, each column with twice as many as the next.

    Raises:
        ValueError: no columns, too many, or a shape that is not a bracket.
    """

    columns: tuple[tuple[tuple[Slot, Slot], ...], ...]
    title: str = ""

    def __post_init__(self) -> None:
        count = len(self.columns)
        if not 1 <= count <= MAX_COLUMNS:
            raise ValueError(f"1 to {MAX_COLUMNS} columns are required, not {count}")
        if any(len(column) != 2 ** (count - 1 - i) for i, column in enumerate(self.columns)):
            raise ValueError("each column must have twice as many encounters as the next")


@dataclass(frozen=True, slots=True)
class TournamentWords:
    """The words on the picture of a tournament."""

    points: str
    """The heading of the points; very short."""
    final: str
    """The heading of a bracket's last column."""


def tournament_table(chart: TournamentTable, words: TournamentWords) -> Scene:
    """Return the picture of a table."""
    count = max(len(line.rounds) for line in chart.lines)
    first = max(0, count - MAX_ROUNDS)
    head = _HEAD + (_TITLE if chart.title else 0)
    heads = head - 0.54
    shapes: list[Shape] = list(_title(chart.title))
    shapes += [
        Text(
            _x(turn, count - first),
            heads,
            signs.figure(first + turn + 1),
            0.5,
            Ink.PAGE_QUIET,
            room=0.9,
        )
        for turn in range(count - first)
    ]
    shapes.append(Text(_POINTS, heads, words.points, 0.5, Ink.PAGE_QUIET, "rm", room=2.0))
    for index, line in enumerate(chart.lines):
        shapes += _line(line, head + index, first, striped=index % 2 == 0)
    return Scene(Board(_WIDTH, head + len(chart.lines) + 0.3, tuple(shapes)), ())


def _title(title: str) -> Iterator[Shape]:
    if title:
        yield Text(0.5, 0.72, title, 0.66, Ink.PAGE_TEXT, "lm", bold=True, room=_WIDTH - 1)


def _x(turn: int, rounds: int) -> float:
    wide = min(_WIDEST, max(_ROUND, (_POINTS - 2 - _ROUNDS) / rounds))
    return _ROUNDS + wide * (turn + 0.5)


def _line(line: TableLine, top: float, first: int, *, striped: bool) -> Iterator[Shape]:
    y = top + 0.5
    if striped or line.own:
        yield Rect(0.2, top, _WIDTH - 0.4, 1, Ink.PANEL, radius=0.12)
    if line.own:
        yield Rect(0.2, top, _WIDTH - 0.4, 1, edge=Ink.CURVE, edge_width=0.06, radius=0.12)
        yield Polygon(((0.0, y - 0.2), (0.22, y), (0.0, y + 0.2)), Ink.CURVE)
    yield from signs.place(line.place, _PLACE, y, medals=line.medal)
    yield Text(_NUMBER, y, f"#{line.number}", 0.58, Ink.PAGE_TEXT, bold=line.own, room=1.6)
    for turn, cell in enumerate(line.rounds[first:]):
        yield from _cell(cell, _x(turn, len(line.rounds) - first), y)
    yield Text(_POINTS, y, line.points, 0.62, Ink.PAGE_TEXT, "rm", bold=True, room=1.8)


def _cell(cell: Cell, x: float, y: float) -> Iterator[Shape]:
    """Yield the opponent's number: won in a full pill, drawn in a full box, lost in a hollow one."""
    number = "–" if cell.opponent is None else f"{cell.opponent}"
    left, top, width, height = x - 0.47, y - 0.32, 0.94, 0.64
    match cell.ending:
        case "w":
            yield Rect(left, top, width, height, Ink.CURVE, radius=0.32)
            yield Text(x, y, number, 0.46, Ink.PAGE, bold=True, room=0.78)
        case "d":
            yield Rect(left, top, width, height, Ink.PAGE_QUIET, radius=0.04)
            yield Text(x, y, number, 0.46, Ink.PAGE, bold=True, room=0.78)
        case "l":
            yield Rect(left, top, width, height, edge=Ink.PAGE_QUIET, edge_width=0.05, radius=0.04)
            yield Text(x, y, number, 0.46, Ink.PAGE_TEXT, room=0.78)
        case _ if cell.opponent is not None:
            yield Text(x, y, number, 0.46, Ink.PAGE_QUIET, room=0.78)
        case _:
            yield signs.missing(x, y)


def bracket(chart: Bracket, words: TournamentWords) -> Scene:
    """Return the picture of a bracket."""
    count = len(chart.columns)
    height = 2 * _BOX * len(chart.columns[0]) * 1.12
    across = (_WIDTH - 0.6) / count
    head = _HEAD + (_TITLE if chart.title else 0)
    shapes: list[Shape] = list(_title(chart.title))
    for turn, column in enumerate(chart.columns):
        left = 0.3 + turn * across
        if turn == count - 1:
            middle, room = left + (across - 0.45) / 2, across - 0.6
            shapes.append(Text(middle, head - 0.54, words.final, 0.5, Ink.PAGE_QUIET, room=room))
        step = height / len(column)
        for index, encounter in enumerate(column):
            y = head + step * (index + 0.5)
            if turn < count - 1:
                shapes += _joint(left + across - 0.45, y, step, upper=index % 2 == 0)
            shapes += _encounter(encounter, left, y, across - 0.45)
    return Scene(Board(_WIDTH, head + height + 0.3, tuple(shapes)), ())


def _joint(x: float, y: float, step: float, *, upper: bool) -> Iterator[Shape]:
    to = y + (step / 2 if upper else -step / 2)
    yield Line(((x, y), (x + 0.22, y), (x + 0.22, to), (x + 0.45, to)), Ink.GRID, 0.06)


def _encounter(slots: Sequence[Slot], x: float, y: float, width: float) -> Iterator[Shape]:
    top = y - _BOX
    yield Rect(x, top, width, 2 * _BOX, Ink.PANEL, radius=0.12)
    for index, slot in enumerate(slots):
        middle = top + _BOX * (index + 0.5)
        if slot.won:
            yield Rect(x, top + _BOX * index, 0.2, _BOX, Ink.CURVE)
        if slot.number is None:
            yield Text(x + 0.4, middle, "–", 0.5, Ink.PAGE_QUIET, "lm")
            continue
        ink = Ink.PAGE_TEXT if slot.won or not any(one.won for one in slots) else Ink.PAGE_QUIET
        room = width - 1.4
        yield Text(x + 0.4, middle, f"#{slot.number}", 0.56, ink, "lm", bold=slot.won, room=room)
        yield Text(x + width - 0.2, middle, slot.score, 0.52, ink, "rm", bold=slot.won, room=0.9)
    yield Line(((x, y), (x + width, y)), Ink.GRID, 0.03)

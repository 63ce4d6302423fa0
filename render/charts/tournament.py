"""A tournament as a picture: the table of its rounds, or its bracket.

Everyone has a name, or a number that the text beside it explains.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.scene import Board, Ink, Line, Polygon, Rect, Scene, Shape, Text
from render.charts import signs
from render.fonts import drawable

MAX_LINES: Final = 10
MAX_ROUNDS: Final = 7
"""The number of rounds that fit: the last ones are shown."""
NAMED_ROUNDS: Final = 4
"""With no more rounds, opponents are called by their names."""
MAX_COLUMNS: Final = 5
"""As many as a bracket of 32 has."""

_WIDTH: Final = 16.0
_HEAD: Final = 1.1
_TITLE: Final = 1.15
_PLACE, _NUMBER, _NAME, _ROUNDS, _POINTS = 0.95, 2.2, 2.75, 6.5, 15.5
_ROUND, _WIDEST = 1.0, 2.3
"""The width of a round: with few rounds they spread out, to keep the points close to them."""
_LEGEND: Final = 0.95
_BOX: Final = 0.86
_WIDER: Final = {4: 18.5, 5: 21.0}
"""The width of a bracket of many columns: names need room."""
_LETTERS: Final = {4: 0.56, 5: 0.6}
"""The size of its letters, so that a phone shows them as large as others."""
_GAP: Final = 0.45
"""Between two columns of a bracket."""
_CROWN: Final = 1.4
"""The room of the champion, below the final."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One entrant's round."""

    opponent: int | None = None
    """The opponent's number, if any."""
    ending: str = ""
    """``w``, ``d`` or ``l``; empty for a game in progress, or a round not played."""
    name: str = ""
    """The opponent's name, if known."""


@dataclass(frozen=True, slots=True)
class TableLine:
    """One entrant, from left to right."""

    place: int
    number: int
    """What other lines call them."""
    rounds: tuple[Cell, ...]
    points: str
    own: bool = False
    """Whether it is the reader's."""
    medal: bool = True
    """Whether one of the first places has a medal; it takes a point."""
    name: str = ""


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

    @property
    def numbered(self) -> bool:
        """Whether players are called by numbers: not in few rounds of people with names."""
        met = (cell for line in self.lines for cell in line.rounds if cell.opponent is not None)
        names = [*(line.name for line in self.lines), *(cell.name for cell in met)]
        few = max(len(line.rounds) for line in self.lines) <= NAMED_ROUNDS
        return not (few and all(map(drawable, names)))


@dataclass(frozen=True, slots=True)
class Slot:
    """An entrant in an encounter; a number of ``None`` if not yet known."""

    number: int | None = None
    score: str = ""
    won: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Bracket:
    """The encounters of a knockout, each column with twice as many as the next.

    Raises:
        ValueError: no columns, too many, or a shape that is not a bracket.
    """

    columns: tuple[tuple[tuple[Slot, Slot], ...], ...]
    headings: tuple[str, ...]
    """The name of each column's round."""
    title: str = ""

    def __post_init__(self) -> None:
        count = len(self.columns)
        if not 1 <= count <= MAX_COLUMNS:
            raise ValueError(f"1 to {MAX_COLUMNS} columns are required, not {count}")
        if any(len(column) != 2 ** (count - 1 - i) for i, column in enumerate(self.columns)):
            raise ValueError("each column must have twice as many encounters as the next")
        if len(self.headings) != count:
            raise ValueError(f"{count} headings are required, not {len(self.headings)}")

    @property
    def numbered(self) -> bool:
        """Whether anybody is called by a number, having no name that can be drawn."""
        slots = (slot for column in self.columns for pair in column for slot in pair)
        return not all(drawable(slot.name) for slot in slots if slot.number is not None)


@dataclass(frozen=True, slots=True)
class TournamentWords:
    """The words on the picture of a tournament."""

    points: str
    """The heading of the points; very short."""
    endings: tuple[tuple[str, str], ...] = ()
    """The legend of a table's rounds: ``w``, ``d`` and ``l``, and what each is called."""
    round: Callable[[int], str] = signs.figure
    """The heading of a round where there is room for words."""


def tournament_table(chart: TournamentTable, words: TournamentWords) -> Scene:
    """Return the picture of a table."""
    count = max(len(line.rounds) for line in chart.lines)
    first = max(0, count - MAX_ROUNDS)
    head = _HEAD + (_TITLE if chart.title else 0)
    heads = head - 0.54
    wide = _wide(count - first)
    called = signs.figure if chart.numbered else words.round
    shapes: list[Shape] = list(_title(chart.title))
    shapes += [
        Text(
            _ROUNDS + wide * (turn + 0.5),
            heads,
            called(first + turn + 1),
            0.5,
            Ink.PAGE_QUIET,
            room=wide - 0.1,
        )
        for turn in range(count - first)
    ]
    if chart.numbered:
        shapes.append(Text(_NUMBER, heads, "#", 0.5, Ink.PAGE_QUIET))
    shapes.append(Text(_POINTS, heads, words.points, 0.5, Ink.PAGE_QUIET, "rm", room=2.0))
    for index, line in enumerate(chart.lines):
        shapes += _line(
            line, head + index, first, wide, numbered=chart.numbered, striped=index % 2 == 0
        )
    bottom = head + len(chart.lines)
    shapes += _legend(chart, words.endings, bottom + _LEGEND / 2)
    return Scene(Board(_WIDTH, bottom + _LEGEND, tuple(shapes)), ())


def _legend(
    chart: TournamentTable, endings: tuple[tuple[str, str], ...], y: float
) -> Iterator[Shape]:
    """Yield what the boxes around the opponents mean."""
    cells = [cell for line in chart.lines for cell in line.rounds]
    x = 0.9
    for ending, meaning in endings:
        if any(cell.ending == ending for cell in cells):
            yield from _cell(Cell(ending=ending), x, y, "#" if chart.numbered else "", _NARROW)
            yield Text(x + 0.7, y, meaning, 0.46, Ink.PAGE_QUIET, "lm", room=3.0)
            x += 4.6


def _title(title: str) -> Iterator[Shape]:
    if title:
        yield Text(0.5, 0.72, title, 0.66, Ink.PAGE_TEXT, "lm", bold=True, room=_WIDTH - 1)


def _wide(rounds: int) -> float:
    return min(_WIDEST, max(_ROUND, (_POINTS - 2 - _ROUNDS) / max(1, rounds)))


def _line(
    line: TableLine, top: float, first: int, wide: float, *, numbered: bool, striped: bool
) -> Iterator[Shape]:
    y = top + 0.5
    if striped or line.own:
        yield Rect(0.2, top, _WIDTH - 0.4, 1, Ink.PANEL, radius=0.12)
    if line.own:
        yield Rect(0.2, top, _WIDTH - 0.4, 1, edge=Ink.CURVE, edge_width=0.06, radius=0.12)
        yield Polygon(((0.0, y - 0.2), (0.22, y), (0.0, y + 0.2)), Ink.CURVE)
    yield from signs.place(line.place, _PLACE, y, medals=line.medal)
    left = _NUMBER - 0.45
    if numbered:
        left = _NAME
        yield Text(_NUMBER, y, f"{line.number}", 0.46, Ink.PAGE_QUIET, room=0.9)
    room = _ROUNDS - left - 0.25
    shown = signs.name(line.name, left, y, 0.58, Ink.PAGE_TEXT, room=room, bold=line.own)
    yield shown if shown.text else replace(shown, text=f"#{line.number}")
    width = _NARROW if numbered else wide - 0.16
    for turn, cell in enumerate(line.rounds[first:]):
        opponent = "–" if cell.opponent is None else f"{cell.opponent}"
        if not numbered and cell.opponent is not None:
            opponent = signs.name(cell.name, 0, 0, _SMALL, Ink.PAGE, room=width - 0.3).text
        yield from _cell(cell, _ROUNDS + wide * (turn + 0.5), y, opponent, width)
    yield Text(_POINTS, y, line.points, 0.62, Ink.PAGE_TEXT, "rm", bold=True, room=1.8)


_NARROW: Final = 0.94
"""The width of a box for a number."""
_SMALL: Final = 0.46


def _cell(cell: Cell, x: float, y: float, opponent: str, width: float) -> Iterator[Shape]:
    """Yield the opponent: won in a full pill, drawn in a full box, lost in a hollow one."""
    left, top, height, room = x - width / 2, y - 0.32, 0.64, width - 0.16
    match cell.ending:
        case "w":
            yield Rect(left, top, width, height, Ink.CURVE, radius=0.32)
            yield Text(x, y, opponent, _SMALL, Ink.PAGE, bold=True, room=room)
        case "d":
            yield Rect(left, top, width, height, Ink.PAGE_QUIET, radius=0.04)
            yield Text(x, y, opponent, _SMALL, Ink.PAGE, bold=True, room=room)
        case "l":
            yield Rect(left, top, width, height, edge=Ink.PAGE_QUIET, edge_width=0.05, radius=0.04)
            yield Text(x, y, opponent, _SMALL, Ink.PAGE_TEXT, room=room)
        case _ if cell.opponent is not None:
            yield Text(x, y, opponent, _SMALL, Ink.PAGE_QUIET, room=room)
        case _:
            yield signs.missing(x, y)


def bracket(chart: Bracket) -> Scene:
    """Return the picture of a bracket, with the champion's way through it."""
    count = len(chart.columns)
    wide, size = _WIDER.get(count, _WIDTH), _LETTERS.get(count, 0.56)
    height = 2 * _BOX * len(chart.columns[0]) * 1.12
    across = (wide - 0.6) / count
    width = across - _GAP
    head = _HEAD + (_TITLE if chart.title else 0)
    champion = next((slot for slot in chart.columns[-1][0] if slot.won), None)
    shapes: list[Shape] = list(_title(chart.title))
    for turn, (column, name) in enumerate(zip(chart.columns, chart.headings, strict=True)):
        left = 0.3 + turn * across
        shapes.append(Text(left + width / 2, head - 0.54, name, 0.5, Ink.PAGE_QUIET, room=width))
        step = height / len(column)
        for index, encounter in enumerate(column):
            y = head + step * (index + 0.5)
            way = champion is not None and any(
                slot.number is not None and slot.number == champion.number for slot in encounter
            )
            if turn < count - 1:
                shapes += _joint(left + width, y, step, upper=index % 2 == 0, way=way)
            shapes += _encounter(encounter, left, y, width, size, way=way)
    # A joint that is no champion's must not run over one that is.
    shapes.sort(key=lambda shape: isinstance(shape, Line) and shape.ink is Ink.CURVE)
    if champion is None:
        return Scene(Board(wide, head + height + 0.3, tuple(shapes)), ())
    below = head + height / 2 + _BOX + _CROWN / 2
    shapes += _champion(champion, wide - 0.3 - _GAP - width, below, width, size)
    return Scene(Board(wide, max(head + height, below + _CROWN / 2) + 0.3, tuple(shapes)), ())


def _joint(x: float, y: float, step: float, *, upper: bool, way: bool) -> Iterator[Shape]:
    to = y + (step / 2 if upper else -step / 2)
    points = ((x, y), (x + _GAP / 2, y), (x + _GAP / 2, to), (x + _GAP, to))
    yield Line(points, Ink.CURVE if way else Ink.GRID, 0.1 if way else 0.06)


def _encounter(
    slots: Sequence[Slot], x: float, y: float, width: float, size: float, *, way: bool
) -> Iterator[Shape]:
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
        room = width - 0.55 - (0.75 if slot.score else 0)
        yield _entrant(slot, x + 0.4, middle, size, ink, room=room, bold=slot.won)
        if slot.score:
            yield Text(
                x + width - 0.2, middle, slot.score, size, ink, "rm", bold=slot.won, room=0.7
            )
    yield Line(((x, y), (x + width, y)), Ink.GRID, 0.03)
    if way:
        yield Rect(x, top, width, 2 * _BOX, edge=Ink.CURVE, edge_width=0.07, radius=0.12)


def _champion(slot: Slot, x: float, y: float, width: float, size: float) -> Iterator[Shape]:
    """Yield the champion with a medal, below the final."""
    yield from signs.place(1, x + 0.5, y)
    yield _entrant(slot, x + 1.1, y, size, Ink.PAGE_TEXT, room=width - 1.1, bold=True)


def _entrant(
    slot: Slot, x: float, y: float, size: float, ink: Ink, *, room: float, bold: bool
) -> Text:
    shown = signs.name(slot.name, x, y, size, ink, room=room, bold=bold)
    return shown if shown.text else replace(shown, text=f"#{slot.number}")

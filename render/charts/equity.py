"""A match as a picture: each side's win chance after each move, and the mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot
from typing import Final

from engine.scene import Board, Disc, Ink, Line, Polygon, Rect, Scene, Shape, Text
from render.charts import signs

MAX_MISTAKES: Final = 9

_WIDTH: Final = 16.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 2.25, 15.4, 2.05, 8.15
"""The bounds of the curves."""
_TICKS: Final = (0, 25, 50, 75, 100)
_MAX_ACROSS: Final = 8
_TWO: Final = 2
_BEADS: Final = 9
"""If there are several curves, each has its side's sign at this many places."""
_INKS: Final = (Ink.CURVE, Ink.PAGE_QUIET, Ink.PAGE_TEXT, Ink.BRONZE)
"""The inks of several curves; signs and dashes tell them apart without hues."""
_MARK: Final = 0.36
_APART: Final = 2 * _MARK + 0.04
"""The distance between marks of mistakes that keeps both readable."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake, by its number in the list that goes with the picture."""

    number: int
    at: int
    """The number of its move."""
    side: int
    """The side that made it."""


@dataclass(frozen=True, slots=True)
class Equity:
    """The win chances of each side of a match.

    Raises:
        ValueError: no values, sides without values, or a mistake that matches no move.
    """

    sides: tuple[str, ...]
    """The sides' names, in turn order; at least two."""
    values: tuple[tuple[float, ...], ...]
    """Before the first move and after each: the win chance of each side, from 0 to 1."""
    mistakes: tuple[Mistake, ...] = ()

    def __post_init__(self) -> None:
        if len(self.sides) < _TWO or not self.values:
            raise ValueError("at least two sides, and values, are required")
        if any(len(values) != len(self.sides) for values in self.values):
            raise ValueError("each side needs a value for each move")
        if any(not 0 <= mistake.at < len(self.values) for mistake in self.mistakes):
            raise ValueError("a mistake must refer to a move")


@dataclass(frozen=True, slots=True)
class EquityWords:
    """The words on the picture of a match, apart from the names of its sides."""

    title: str
    """What the curves show: win chance."""
    across: str
    """The horizontal axis: moves."""


def equity(chart: Equity, words: EquityWords) -> Scene:
    """Return the picture of a match."""
    plot = _Plot(chart)
    names = [
        Text(0.4, 0.6, words.title, 0.66, Ink.PAGE_TEXT, "lm", bold=True, room=10),
        Text(_RIGHT + 0.3, _BOTTOM + 1.5, words.across, 0.5, Ink.PAGE_QUIET, "rm", room=8),
    ]
    shapes = [*names, *plot.ground(), *plot.sides(), *plot.mistakes()]
    return Scene(Board(_WIDTH, _BOTTOM + 1.95, tuple(shapes)), ())


class _Plot:
    """The curves with their field and marks, in board units."""

    def __init__(self, chart: Equity) -> None:
        self._chart = chart
        self._last = max(len(chart.values) - 1, 1)
        highest = max(max(values) for values in chart.values)
        # Several sides share the win chance, so their curves lie low.
        top = 1.0 if len(chart.sides) == _TWO else highest
        self._ticks = tuple(tick for tick in _TICKS if tick - 25 < 100 * top)

    def ground(self) -> Iterator[Shape]:
        """Yield the field with both axes."""
        yield Rect(
            _LEFT - 0.3,
            _TOP - 0.2,
            _RIGHT - _LEFT + 0.6,
            _BOTTOM - _TOP + 0.4,
            Ink.PANEL,
            radius=0.12,
        )
        for value in self._ticks:
            y = self._y(value / 100)
            bold = 0.06 if value == 50 else 0.03
            yield Line(((_LEFT - 0.3, y), (_RIGHT + 0.3, y)), Ink.GRID, bold)
            yield Text(_LEFT - 0.5, y, f"{value} %", 0.5, Ink.PAGE_QUIET, "rm", room=_LEFT - 0.6)
        for entry in range(0, self._last + 1, self._step()):
            x = self._x(entry)
            yield Line(((x, _BOTTOM + 0.2), (x, _BOTTOM + 0.36)), Ink.GRID, 0.03)
            yield Text(x, _BOTTOM + 0.8, signs.figure(entry), 0.48, Ink.PAGE_QUIET, room=1.5)

    def _step(self) -> int:
        step, power = 1, 1
        while self._last // step >= _MAX_ACROSS:
            step = next(power * n for n in (1, 2, 5, 10) if power * n > step)
            power = power * 10 if step >= power * 10 else power
        return step

    def sides(self) -> Iterator[Shape]:
        """Yield a curve for each side; with two sides one, as the other is its complement."""
        if len(self._chart.sides) == _TWO:
            yield from self._two()
            return
        for side, name in enumerate(self._chart.sides):
            places = self._places(side)
            yield Line(places, _INKS[side], 0.08, dashed=bool(side % 2))
            every = max(1, len(places) // _BEADS)
            for x, y in places[side :: every + side]:
                yield from _sign(side, x, y)
            x = _LEFT + (_RIGHT - _LEFT) * (side + 0.1) / len(self._chart.sides)
            yield from _sign(side, x, _TOP - 0.48)
            yield Text(x + 0.35, _TOP - 0.48, name, 0.46, Ink.PAGE_TEXT, "lm", room=2.8)

    def _two(self) -> Iterator[Shape]:
        places = self._places(0)
        middle = self._y(0.5)
        if len(places) > 1:
            yield Polygon((*places, (places[-1][0], middle), (places[0][0], middle)), Ink.BAND)
            for value in _TICKS:
                y = self._y(value / 100)
                yield Line(((places[0][0], y), (places[-1][0], y)), Ink.GRID, 0.015)
            yield Line(places, Ink.CURVE, 0.1)
        else:
            yield signs.dot(*places[0], 0.2, Ink.CURVE, hollow=False, ground=Ink.PANEL)
        for name, y in zip(self._chart.sides, (_TOP + 0.25, _BOTTOM - 0.25), strict=True):
            yield Text(_LEFT - 0.1, y, name, 0.5, Ink.PAGE_TEXT, "lm", bold=True, room=5.0)

    def mistakes(self) -> Iterator[Shape]:
        """Yield the numbers of mistakes in place, or above it with a connecting line."""
        marks: list[tuple[float, float]] = []
        lines: list[Shape] = []
        for mistake in self._chart.mistakes:
            shown = 0 if len(self._chart.sides) == _TWO else mistake.side
            x, place = self._x(mistake.at), self._y(self._chart.values[mistake.at][shown])
            y = _free(x, place, marks)
            if y != place:
                lines.append(Line(((x, place), (x, y)), Ink.PAGE_TEXT, 0.05))
            marks.append((x, y))
        yield from lines
        for mistake, (x, y) in zip(self._chart.mistakes, marks, strict=True):
            yield Disc(x, y, _MARK, Ink.PAGE_TEXT)
            yield Text(x, y, f"{mistake.number}", 0.46, Ink.PAGE, bold=True, room=0.6)

    def _places(self, side: int) -> tuple[tuple[float, float], ...]:
        return tuple(
            (self._x(entry), self._y(values[side]))
            for entry, values in enumerate(self._chart.values)
        )

    def _x(self, entry: int) -> float:
        return _LEFT + (_RIGHT - _LEFT) * entry / self._last

    def _y(self, value: float) -> float:
        part = min(max(value, 0.0), 1.0) * 100 / self._ticks[-1]
        return _BOTTOM - (_BOTTOM - _TOP) * min(part, 1.0)


def _free(x: float, y: float, marks: list[tuple[float, float]]) -> float:
    """Return a mark's height: its own, or the nearest free one."""

    def apart(height: float) -> bool:
        return all(hypot(x - a, height - b) >= _APART for a, b in marks)

    steps = (0.1 * n for n in range(80))
    heights = (height for step in steps for height in (y - step, y + step))
    return next((h for h in heights if _TOP - 0.1 <= h <= _BOTTOM + 0.1 and apart(h)), y)


def _sign(side: int, x: float, y: float) -> Iterator[Shape]:
    """Yield the sign of a side: each has its own shape."""
    match side:
        case 0:
            yield Disc(x, y, 0.2, _INKS[0])
        case 1:
            yield Rect(x - 0.17, y - 0.17, 0.34, 0.34, _INKS[1])
        case 2:
            yield Polygon(((x, y - 0.25), (x + 0.2, y), (x, y + 0.25), (x - 0.2, y)), _INKS[2])
        case _:
            yield Polygon(((x, y - 0.23), (x + 0.22, y + 0.16), (x - 0.22, y + 0.16)), _INKS[3])

"""A rating over time as a picture: the curve, its uncertainty, and game results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from itertools import groupby, pairwise
from typing import Final

from engine.scene import Board, Ink, Line, Polygon, Rect, Scene, Shape, Text
from render.charts import signs
from render.charts.axis import Axis, DayTick, axis, days
from render.charts.signs import Letters
from render.geometry import Point as Place

MAX_RECORDS: Final = 10

_WIDTH: Final = 16.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 1.9, 15.3, 1.95, 8.15
"""The bounds of the curve."""
_TICKS_UP, _TICKS_ACROSS = 6, 5
_SPREAD: Final = 0.35
"""How much of its margin is shown around a rating, as a share of all ratings' spread.

The rest is cut off, or the curve would be too flat to read.
"""
_LEAST: Final = 40
"""As much as this is always shown."""
_FEW: Final = 30
"""Up to this many points each has a dot."""
_NAMES, _BAR_ENDS, _FIGURES, _COLUMN = 0.5, 11.5, 12.5, 1.35
_NAMES_END = 2.2, 5.2
"""The minimum and maximum start of the bars: after the names."""
_LONG: Final = 16
"""Letters of a name that fit in one line."""
_RECORD: Final = 0.86
"""The height of a record's line."""


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after a game."""

    at: datetime
    rating: int
    margin: int
    """The rating's uncertainty."""
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class Record:
    """The results of games of one kind, such as those with one side."""

    name: str
    """What they have in common."""
    won: int
    drawn: int
    lost: int


@dataclass(frozen=True, slots=True)
class History:
    """A rating over time.

    Raises:
        ValueError: no points, points out of chronological order, a negative margin or number of
            games, or too many records.
    """

    points: tuple[Point, ...]
    """At least one, the oldest first."""
    records: tuple[Record, ...] = ()
    """Below the curve, from top to bottom, at most `MAX_RECORDS`."""
    title: str = ""
    """What is rated."""

    def __post_init__(self) -> None:
        if not self.points:
            raise ValueError("at least one point is required")
        if any(one.at > other.at for one, other in pairwise(self.points)):
            raise ValueError("points must be in chronological order")
        if any(point.margin < 0 for point in self.points):
            raise ValueError("margin must not be negative")
        if any(min(record.won, record.drawn, record.lost) < 0 for record in self.records):
            raise ValueError("numbers of games must not be negative")
        if len(self.records) > MAX_RECORDS:
            raise ValueError(f"at most {MAX_RECORDS} records are allowed, not {len(self.records)}")

    @property
    def best(self) -> Point:
        """The highest rating, the first of equal ones; a provisional one only if all are."""
        settled = [point for point in self.points if not point.provisional]
        return max(settled or self.points, key=lambda point: point.rating)

    @property
    def lowest(self) -> Point:
        """The lowest rating, by the same rules."""
        settled = [point for point in self.points if not point.provisional]
        return min(settled or self.points, key=lambda point: point.rating)

    @property
    def in_one_day(self) -> bool:
        """Whether all games are on one day: then they are evenly spaced."""
        return self.points[0].at.date() == self.points[-1].at.date()


@dataclass(frozen=True, slots=True)
class HistoryWords:
    """The words on the picture of a history, as short as possible."""

    letters: Letters
    tick: Callable[[DayTick], str]
    """The words of a tick of the time axis; with a year they may have two lines."""
    provisional: str


def history(chart: History, words: HistoryWords) -> Scene:
    """Return the picture of a history."""
    plot = _Plot(chart)
    shapes = [
        *_headline(chart, words),
        *plot.ground(words),
        *plot.band(),
        *plot.curve(),
        *plot.best(),
        *plot.last(),
    ]
    bottom = _BOTTOM + 1.35
    if chart.records:
        shapes += _records(chart.records, words.letters, bottom + 0.45)
        bottom += 0.95 + len(chart.records) * _RECORD
    return Scene(Board(_WIDTH, bottom + 0.15, tuple(shapes)), ())


def _headline(chart: History, words: HistoryWords) -> Iterator[Shape]:
    """Yield what is rated and today's rating."""
    last = chart.points[-1]
    rating = signs.figure(last.rating)
    yield Text(_WIDTH - 0.5, 0.85, rating, 1.05, Ink.PAGE_TEXT, "rm", bold=True, room=5)
    yield Text(0.5, 0.85, chart.title, 0.8, Ink.PAGE_TEXT, "lm", bold=True, room=6)
    if last.provisional:
        x = _WIDTH - 0.5 - min(0.6 * len(rating), 5) - 0.3
        yield Text(x, 0.95, words.provisional, 0.5, Ink.PAGE_QUIET, "rm", room=4)


class _Plot:
    """The curve with its field and marks, in board units."""

    def __init__(self, chart: History) -> None:
        self._chart = chart
        self._points = chart.points
        self._up = _up(chart.points)
        first = chart.points[0].at
        span = (chart.points[-1].at - first).total_seconds()
        room = _RIGHT - _LEFT
        if chart.in_one_day or not span:
            number = len(chart.points) - 1
            self._across = [
                _LEFT + room * (index / number if number else 0.5) for index in range(number + 1)
            ]
        else:
            self._across = [
                _LEFT + room * ((point.at - first).total_seconds() / span) for point in chart.points
            ]

    def ground(self, words: HistoryWords) -> Iterator[Shape]:
        """Yield the field with both axes."""
        yield Rect(
            _LEFT - 0.3,
            _TOP - 0.2,
            _RIGHT - _LEFT + 0.6,
            _BOTTOM - _TOP + 0.4,
            Ink.PANEL,
            radius=0.12,
        )
        for value in self._up.ticks:
            y = self._y(value)
            yield Line(((_LEFT - 0.3, y), (_RIGHT + 0.3, y)), Ink.GRID, 0.03)
            yield Text(
                _LEFT - 0.5, y, signs.figure(value), 0.5, Ink.PAGE_QUIET, "rm", room=_LEFT - 0.6
            )
        for x, tick in self._days():
            yield Line(((x, _TOP - 0.2), (x, _BOTTOM + 0.32)), Ink.GRID, 0.03)
            label = words.tick(tick)
            yield Text(x, _BOTTOM + 0.85, label, 0.48, Ink.PAGE_QUIET, room=2.2)

    def _days(self) -> Iterator[tuple[float, DayTick]]:
        """Yield the positions of the time axis's ticks: the starts of their days."""
        first, last = self._points[0].at, self._points[-1].at
        if self._chart.in_one_day:
            yield (_LEFT + _RIGHT) / 2, days(first.date(), last.date(), _TICKS_ACROSS)[0]
            return
        span = (last - first).total_seconds()
        for tick in days(first.date() + timedelta(days=1), last.date(), _TICKS_ACROSS):
            midnight = datetime.combine(tick.day, time(), first.tzinfo)
            yield _LEFT + (_RIGHT - _LEFT) * ((midnight - first).total_seconds() / span), tick

    def band(self) -> Iterator[Shape]:
        """Yield the margin of the rating: whiskers if there is only one point."""
        upper = [point.rating + point.margin for point in self._points]
        lower = [point.rating - point.margin for point in self._points]
        if len(self._points) == 1:
            x, top, bottom = self._across[0], self._y(upper[0]), self._y(lower[0])
            yield Line(((x, top), (x, bottom)), Ink.CURVE, 0.07)
            for y in (top, bottom):
                yield Line(((x - 0.2, y), (x + 0.2, y)), Ink.CURVE, 0.07)
            return
        over, under = self._cut(upper), self._cut(lower)
        yield Polygon((*over, *reversed(under)), Ink.BAND)
        # The grid shows through it.
        for value in self._up.ticks:
            y = self._y(value)
            yield Line(((self._across[0], y), (self._across[-1], y)), Ink.GRID, 0.015)

    def curve(self) -> Iterator[Shape]:
        """Yield the rating itself, dashed while it is provisional."""
        places = [
            (x, self._y(point.rating)) for x, point in zip(self._across, self._points, strict=True)
        ]
        steps = zip(pairwise(places), self._points[1:], strict=True)
        for dashed, group in groupby(steps, key=lambda step: step[1].provisional):
            stretch = [pair for pair, _ in group]
            through = (stretch[0][0], *(end for _, end in stretch))
            yield Line(tuple(through), Ink.CURVE, 0.1, dashed=dashed)
        if 1 < len(places) <= _FEW:
            for (x, y), point in zip(places, self._points, strict=True):
                yield signs.dot(x, y, 0.13, Ink.CURVE, hollow=point.provisional, ground=Ink.PANEL)

    def best(self) -> Iterator[Shape]:
        """Yield the mark of the highest rating, unless it is the last."""
        best = self._chart.best
        if best.rating == self._points[-1].rating:
            return
        index = self._points.index(best)
        x, y = self._across[index], self._y(best.rating)
        yield signs.star(x, y)
        label = signs.figure(best.rating)
        half = 0.15 * len(label) + 0.15
        middle = min(max(x, _LEFT - 0.2 + half), _RIGHT + 0.2 - half)
        y = max(y - 0.72, _TOP + 0.1)
        yield Rect(middle - half, y - 0.29, 2 * half, 0.6, Ink.PANEL, radius=0.1)
        yield Text(middle, y, label, 0.5, Ink.PAGE_TEXT, room=2 * half)

    def last(self) -> Iterator[Shape]:
        """Yield the mark of the current rating: the headline has its figures."""
        last = self._points[-1]
        x, y = self._across[-1], self._y(last.rating)
        yield signs.dot(x, y, 0.22, Ink.CURVE, hollow=last.provisional, ground=Ink.PANEL)
        if self._chart.best.rating == last.rating > self._chart.lowest.rating:
            yield signs.star(x, y)

    def _y(self, value: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * self._up.share(value)

    def _cut(self, values: Sequence[int]) -> list[Place]:
        """Return the places of values, clipped to the axis."""
        low, high = self._up.low, self._up.high
        places: list[Place] = []
        for index, (x, value) in enumerate(zip(self._across, values, strict=True)):
            if index:
                before, since = values[index - 1], self._across[index - 1]
                crossed = [end for end in (low, high) if (before - end) * (value - end) < 0]
                for end in sorted(crossed, key=lambda end: abs(end - before)):
                    share = (end - before) / (value - before)
                    places.append((since + (x - since) * share, self._y(end)))
            places.append((x, self._y(min(max(value, low), high))))
        return places


def _up(points: Sequence[Point]) -> Axis:
    """Return the axis of ratings."""
    ratings = [point.rating for point in points]
    most = max(_LEAST, _SPREAD * (max(ratings) - min(ratings)))
    reaches = [point.margin if len(points) == 1 else min(point.margin, most) for point in points]
    ends = [
        round(rating + side * reach)
        for rating, reach in zip(ratings, reaches, strict=True)
        for side in (-1, 1)
    ]
    return axis(ends, _TICKS_UP)


def _named(name: str) -> tuple[str, float]:
    """Return a name and its size: a long one is smaller, and in two lines if possible."""
    if len(name) <= _LONG:
        return name, 0.5
    gaps = [index for index, letter in enumerate(name) if letter == " "]
    if not gaps:
        return name, 0.5
    middle = min(gaps, key=lambda gap: abs(gap - len(name) / 2))
    return f"{name[:middle]}\n{name[middle + 1 :]}", 0.38


def _records(records: Sequence[Record], letters: Letters, y: float) -> Iterator[Shape]:
    longest = max(len(record.name) for record in records)
    begin = min(max(_NAMES + 0.29 * longest + 0.4, _NAMES_END[0]), _NAMES_END[1])
    columns = [(ending, _FIGURES + _COLUMN * index) for index, ending in enumerate("wdl")]
    for ending, x in columns:
        yield from signs.badge(ending, letters, x, y)
    for record in records:
        y += _RECORD
        name, size = _named(record.name)
        yield Text(_NAMES, y, name, size, Ink.PAGE_TEXT, "lm", room=begin - _NAMES - 0.3)
        ends = (record.won, record.drawn, record.lost)
        yield from signs.bar(ends, begin, y, _BAR_ENDS - begin)
        for (_, x), number in zip(columns, ends, strict=True):
            ink = Ink.PAGE_TEXT if number else Ink.PAGE_QUIET
            yield Text(x + 0.32, y, signs.figure(number), 0.5, ink, "rm", room=_COLUMN - 0.15)

"""A leaderboard as a picture: places, names, ratings, their uncertainty, and recent results."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine.scene import Board, Ink, Line, Polygon, Rect, Scene, Shape, Text
from render.charts import signs
from render.charts.axis import Axis, axis
from render.charts.signs import Letters

MAX_ROWS: Final = 10
FORM: Final = 5
"""How many of the last games are shown."""

_WIDTH: Final = 16.0
_PLACE, _NAME, _RATING, _SIGN = 0.95, 1.75, 7.05, 7.25
_LEFT, _RIGHT = 7.65, 11.4
"""The bounds of the ratings."""
_FORM, _BADGES = 12.2, 0.77
_HEAD: Final = 1.2
_TITLE: Final = 0.72
_APART: Final = 0.35
"""The distance of the reader's own row from the others."""
_DOT: Final = 0.2


@dataclass(frozen=True, slots=True)
class Row:
    """One player.

    Raises:
        ValueError: no such place, margin or result of a game.
    """

    place: int | None
    """From 1; ``None`` for unranked players."""
    rating: int
    margin: int
    """The rating's uncertainty."""
    form: str = ""
    """The results of their last games, the newest last: ``w``, ``d`` and ``l``.

    Only the last few are shown.
    """
    provisional: bool = False
    idle: bool = False
    """Whether they have been inactive for too long."""
    own: bool = False
    """Whether it is the reader's row."""
    letter: str = ""
    """The letter before an unranked player's name."""
    name: str = ""

    def __post_init__(self) -> None:
        if self.place is not None and self.place < 1:
            raise ValueError(f"places start at 1: {self.place}")
        if self.margin < 0:
            raise ValueError(f"margin must not be negative: {self.margin}")
        if set(self.form) - set("wdl"):
            raise ValueError(f"results must be w, d or l: {self.form}")


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """A page of a leaderboard.

    Raises:
        ValueError: no rows, or too many.

    """

    rows: tuple[Row, ...]
    """From top to bottom, at least one and at most `MAX_ROWS`."""
    apart: Row | None = None
    """The reader's own row, if it is not among them."""
    title: str = ""
    """The headline."""

    def __post_init__(self) -> None:
        if not 1 <= len(self.rows) <= MAX_ROWS:
            raise ValueError(f"1 to {MAX_ROWS} rows are required, not {len(self.rows)}")

    @property
    def all(self) -> tuple[Row, ...]:
        """All rows, the separate one last."""
        return self.rows if self.apart is None else (*self.rows, self.apart)


@dataclass(frozen=True, slots=True)
class LeaderboardWords:
    """The words on the picture of a leaderboard, as short as possible."""

    letters: Letters
    last: str
    """The heading of the last games."""
    provisional: str
    idle: str


def leaderboard(chart: Leaderboard, words: LeaderboardWords) -> Scene:
    """Return the picture of a leaderboard."""
    values = [v for row in chart.all for v in (row.rating - row.margin, row.rating + row.margin)]
    widest = max(len(signs.figure(value)) for value in values)
    scale = axis(values, max(2, int((_RIGHT - _LEFT) / (0.22 * widest + 0.35))))
    tops = [_HEAD + index for index in range(len(chart.rows))]
    if chart.apart is not None:
        tops.append(_HEAD + len(chart.rows) + _APART)
    bottom = tops[-1] + 1
    shapes: list[Shape] = []
    for index, (row, top) in enumerate(zip(chart.all, tops, strict=True)):
        shapes += _ground(row, top, striped=index % 2 == 0)
    shapes += _head(scale, words, tops, apart=chart.apart is not None)
    shapes.append(
        Text(0.5, 0.66, chart.title, _TITLE, Ink.PAGE_TEXT, "lm", bold=True, room=_LEFT - 1.4)
    )
    for index, (row, top) in enumerate(zip(chart.all, tops, strict=True)):
        ground = Ink.PANEL if index % 2 == 0 or row.own else Ink.PAGE
        shapes += _row(row, top + 0.5, scale, words, ground)
    legend = list(_legend(chart, words, bottom + 0.5))
    height = bottom + (0.95 if legend else 0.3)
    return Scene(Board(_WIDTH, height, (*shapes, *legend)), ())


def _ground(row: Row, top: float, *, striped: bool) -> Iterator[Shape]:
    if striped or row.own:
        yield Rect(0.2, top, _WIDTH - 0.4, 1, Ink.PANEL, radius=0.12)


def _head(
    scale: Axis, words: LeaderboardWords, tops: list[float], *, apart: bool
) -> Iterator[Shape]:
    parts = [(tops[0], tops[-1] + 1)]
    if apart:
        parts = [(tops[0], tops[-2] + 1), (tops[-1], tops[-1] + 1)]
    for tick in scale.ticks:
        x = _x(scale, tick)
        for top, bottom in parts:
            yield Line(((x, top), (x, bottom)), Ink.GRID, 0.03)
        yield Text(x, 0.72, signs.figure(tick), 0.46, Ink.PAGE_QUIET, room=2.2)
    middle = _FORM + _BADGES * (FORM - 1) / 2
    yield Text(middle, 0.72, words.last, 0.5, Ink.PAGE_QUIET, room=3.8)


def _row(row: Row, y: float, scale: Axis, words: LeaderboardWords, ground: Ink) -> Iterator[Shape]:
    if row.own:
        yield Rect(0.2, y - 0.5, _WIDTH - 0.4, 1, edge=Ink.CURVE, edge_width=0.06, radius=0.12)
        yield Polygon(((0.0, y - 0.2), (0.22, y), (0.0, y + 0.2)), Ink.CURVE)
    if row.place is not None:
        yield from signs.place(row.place, _PLACE, y)
    else:
        yield Text(_PLACE, y, row.letter or "–", 0.54, Ink.PAGE_QUIET)
    quiet = row.idle or row.place is None
    ink = Ink.PAGE_QUIET if quiet else Ink.PAGE_TEXT
    yield Text(_RATING, y, signs.figure(row.rating), 0.62, ink, "rm", bold=row.own, room=1.3)
    room = _RATING - _NAME - 1.5
    yield signs.name(row.name, _NAME, y, 0.58, ink, room=room, bold=row.own)
    if row.idle and row.place is None:
        yield from signs.pause(_SIGN, y)
    yield from _whiskers(row, y, scale, ground)
    yield from _form(row.form[-FORM:], y, words)


def _whiskers(row: Row, y: float, scale: Axis, ground: Ink) -> Iterator[Shape]:
    ink = Ink.PAGE_QUIET if row.idle else Ink.CURVE
    left, right = (_x(scale, row.rating + side * row.margin) for side in (-1, 1))
    yield Line(((left, y), (right, y)), ink, 0.07, dashed=row.provisional)
    for end in (left, right):
        yield Line(((end, y - 0.14), (end, y + 0.14)), ink, 0.07)
    x = _x(scale, row.rating)
    yield signs.dot(x, y, _DOT, ink, hollow=row.provisional, ground=ground)


def _form(form: str, y: float, words: LeaderboardWords) -> Iterator[Shape]:
    first = FORM - len(form)
    for index in range(FORM):
        x = _FORM + _BADGES * index
        if index < first:
            yield signs.missing(x, y)
        else:
            yield from signs.badge(form[index - first], words.letters, x, y)


def _legend(chart: Leaderboard, words: LeaderboardWords, y: float) -> Iterator[Shape]:
    """Yield the meaning of signs that need one, if any are shown."""
    shown = [
        (words.provisional, any(row.provisional for row in chart.all)),
        (words.idle, any(row.idle and row.place is None for row in chart.all)),
    ]
    x = 0.6
    for index, (meaning, wanted) in enumerate(shown):
        if not wanted:
            continue
        if index:
            yield from signs.pause(x + 0.2, y)
        else:
            yield signs.dot(x + 0.2, y, _DOT, Ink.CURVE, hollow=True, ground=Ink.PAGE)
        yield Text(x + 0.6, y, meaning, 0.5, Ink.PAGE_QUIET, "lm", room=6.5)
        x += 7.7


def _x(scale: Axis, value: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * scale.share(value)

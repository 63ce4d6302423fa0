"""Axes: the range of values a chart shows, and its ticks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import Enum
from typing import Final

_STEPS: Final = (10, 20, 25, 50)
_MIN_SPAN: Final = 40
"""Smaller differences are not stretched any further: they would look larger than they are."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of whole numbers, with ticks at round ones."""

    low: int
    high: int
    """More than `low`."""
    ticks: tuple[int, ...]

    def share(self, value: float) -> float:
        """Return a value's position: 0 at the low end, 1 at the high one."""
        return (value - self.low) / (self.high - self.low)


def axis(values: Sequence[int], most: int) -> Axis:
    """Return an axis for all the values, with some room at its ends.

    Args:
        values: at least one.
        most: maximum number of ticks, at least two.
    """
    low, high = min(values), max(values)
    missing = _MIN_SPAN - (high - low)
    if missing > 0:
        low, high = low - missing // 2, high + missing - missing // 2
    air = max(1, (high - low) // 25)
    low, high = low - air, high + air
    step = next(step for step in _round_numbers() if high // step - -(-low // step) < most)
    return Axis(low, high, tuple(range(-(-low // step) * step, high + 1, step)))


def _round_numbers() -> Iterator[int]:
    yield from (1, 2, 5)
    power = 1
    while True:
        yield from (step * power for step in _STEPS)
        power *= 10


class Grain(Enum):
    """The precision of a time axis's ticks."""

    DAY = "day"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class DayTick:
    """A tick of a time axis."""

    day: date
    grain: Grain
    with_year: bool = False
    """Whether it shows the year: the first tick does, and the first of each year."""


_DAYS: Final = (1, 2, 7, 14)
_MONTHS: Final = (1, 2, 3, 6)
_WEEK: Final = 7


def days(first: date, last: date, most: int) -> tuple[DayTick, ...]:
    """Return ticks between two days, both included: single days, Mondays, months or years.

    There is always at least one.

    Args:
        first: the first day.
        last: the last one.
        most: how many ticks there is room for, at least two.

    """
    for step in _DAYS:
        found = _by_day(first, last, step)
        if len(found) <= most:
            return _labelled(found, Grain.DAY)
    for step in _MONTHS:
        found = _by_month(first, last, step)
        if len(found) <= most:
            return _labelled(found, Grain.MONTH)
    for step in _round_numbers():
        found = [
            date(year, 1, 1)
            for year in range(first.year, last.year + 1)
            if year % step == 0 and date(year, 1, 1) >= first
        ]
        if len(found) <= most:
            break
    return _labelled(found, Grain.YEAR) if found else _labelled([first], Grain.DAY)


def _by_day(first: date, last: date, step: int) -> list[date]:
    number = (last - first).days // step + 1
    if number > 1000:
        # Too many to display: the caller only counts them.
        return [first] * number
    start = first
    if step >= _WEEK:
        start += timedelta(days=-first.weekday() % _WEEK)
    return [
        start + timedelta(days=step * index)
        for index in range(number)
        if start + timedelta(days=step * index) <= last
    ]


def _by_month(first: date, last: date, step: int) -> list[date]:
    months = range(first.year * 12 + first.month - 1, last.year * 12 + last.month)
    starts = (date(number // 12, number % 12 + 1, 1) for number in months if number % step == 0)
    return [day for day in starts if day >= first]


def _labelled(found: Sequence[date], grain: Grain) -> tuple[DayTick, ...]:
    years: set[int] = set()
    ticks = []
    for day in found:
        ticks.append(DayTick(day, grain, grain is not Grain.YEAR and day.year not in years))
        years.add(day.year)
    return tuple(ticks)

"""Axes: all values lie on them, and their ticks are round."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from random import Random

import pytest

from render.charts.axis import Grain, axis, days

MOST = 5


@pytest.mark.parametrize("seed", range(50))
def test_values_lie_on_the_axis_and_its_ticks_are_round(seed: int) -> None:
    luck = Random(seed)
    size = 10 ** luck.randint(0, 9)
    values = [luck.randint(-size, 3 * size) for _ in range(luck.randint(1, 20))]
    found = axis(values, MOST)
    assert found.low <= min(values) <= max(values) <= found.high
    assert 1 <= len(found.ticks) <= MOST
    assert all(found.low <= tick <= found.high for tick in found.ticks)
    steps = {after - before for before, after in pairwise(found.ticks)}
    assert len(steps) <= 1
    for step in steps:
        assert f"{step}".strip("0") in {"1", "2", "25", "5"}
        assert all(tick % step == 0 for tick in found.ticks)


@pytest.mark.parametrize("seed", range(50))
def test_an_axis_with_room_for_five_ticks_has_at_least_two(seed: int) -> None:
    low = Random(seed).randint(-3000, 3000)
    assert len(axis([low, low + seed * 17], MOST).ticks) >= 2


def test_equal_values_are_in_the_middle() -> None:
    found = axis([1500, 1500, 1500], MOST)
    assert found.share(1500) == pytest.approx(0.5)
    assert found.share(found.low) == 0
    assert found.share(found.high) == 1


@pytest.mark.parametrize("seed", range(100))
def test_day_ticks_are_few_ordered_and_within_the_range(seed: int) -> None:
    luck = Random(seed)
    first = date(2020, 1, 1) + timedelta(days=luck.randint(0, 2000))
    last = first + timedelta(days=round(2 ** luck.uniform(0, 14)))
    found = days(first, last, MOST)
    assert 1 <= len(found) <= MOST
    assert all(first <= tick.day <= last for tick in found)
    assert all(before.day < after.day for before, after in pairwise(found))
    assert len({tick.grain for tick in found}) == 1


@pytest.mark.parametrize(
    ("length", "grain", "least"),
    [
        (0, Grain.DAY, 1),
        (1, Grain.DAY, 2),
        (6, Grain.DAY, 3),
        (20, Grain.DAY, 2),
        (60, Grain.DAY, 4),
        (100, Grain.MONTH, 3),
        (365, Grain.MONTH, 4),
        (365 * 4, Grain.YEAR, 3),
        (365 * 90, Grain.YEAR, 2),
    ],
)
def test_longer_ranges_have_coarser_ticks(length: int, grain: Grain, least: int) -> None:
    found = days(date(2025, 9, 14), date(2025, 9, 14) + timedelta(days=length), MOST)
    assert {tick.grain for tick in found} == {grain}
    assert len(found) >= least


def test_week_ticks_are_mondays_and_month_ticks_first_days() -> None:
    weeks = days(date(2025, 9, 14), date(2025, 10, 14), MOST)
    assert {tick.day.weekday() for tick in weeks} == {0}
    months = days(date(2025, 9, 14), date(2026, 1, 14), MOST)
    assert {tick.day.day for tick in months} == {1}


def test_the_year_is_shown_on_its_first_tick() -> None:
    found = days(date(2025, 10, 20), date(2026, 2, 14), MOST)
    assert [(tick.day.month, tick.with_year) for tick in found] == [
        (11, True),
        (12, False),
        (1, True),
        (2, False),
    ]


def test_even_all_of_history_has_few_ticks() -> None:
    found = days(date(1, 1, 1), date(9999, 12, 31), MOST)
    assert 2 <= len(found) <= MOST
    assert {tick.grain for tick in found} == {Grain.YEAR}


def test_a_range_without_a_whole_unit_has_a_tick_at_its_start() -> None:
    day = date(2025, 9, 14)
    assert [tick.day for tick in days(day, day, MOST)] == [day]

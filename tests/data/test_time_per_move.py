"""A time per move is stored so that releases without hours give more time, never less."""

from __future__ import annotations

from datetime import timedelta

import pytest

from data import time_per_move

HOUR = timedelta(hours=1)


@pytest.mark.parametrize("hours", [1, 6, 12, 23, 24, 48, 14 * 24])
def test_what_is_stored_reads_as_it_was(hours: int) -> None:
    stored = time_per_move.columns(hours * HOUR)
    assert time_per_move.of(**stored) == hours * HOUR
    assert time_per_move.of(stored["days"], None) == max(hours, 24) * HOUR, "by an older release"


def test_days_that_an_older_release_set_later_count() -> None:
    assert time_per_move.of(5, 6) == timedelta(days=5)
    assert time_per_move.of(3, None) == timedelta(days=3)

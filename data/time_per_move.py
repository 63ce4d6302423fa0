"""A time per move as tables have it: in ``days``, and in ``hours`` besides if it is less than a day.

``days`` came first. A release that knows no hours reads one day there, so its players have more time
for a move, never less.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final, TypedDict

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)


class Columns(TypedDict):
    """The columns of a time per move."""

    days: int
    hours: int | None


def columns(time: timedelta) -> Columns:
    """Return how a time per move is stored: in whole hours below a day, else in whole days."""
    if time < DAY:
        return {"days": 1, "hours": time // HOUR}
    return {"days": time // DAY, "hours": None}


def of(days: int, hours: int | None) -> timedelta:
    """Return the time per move that is stored as this.

    More than one day was set after the hours, by a release that knows none.
    """
    return days * DAY if hours is None or days > 1 else hours * HOUR

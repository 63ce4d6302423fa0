"""The times per move on offer: how controls and commands write them, and their words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from bot.core.errors import Bounds
from data.time_per_move import DAY, HOUR
from engine.phrase import Phrase, lines, plural

MAX_DAYS: Final = 14
"""The maximum days per move."""
HOURS: Final = (1, 6, 12)
"""The times on offer that are less than a day."""
OFFERED: Final = (*(n * HOUR for n in HOURS), *(n * DAY for n in range(1, MAX_DAYS + 1)))
_IN_HOURS: Final = "h"
_HOURS_READ: Final = Bounds(1, DAY // HOUR - 1)
_DAYS_READ: Final = Bounds(1, MAX_DAYS)


def written(time: timedelta) -> str:
    """Return a time per move as text: ``6h``, or ``3`` for days."""
    return f"{time // HOUR}{_IN_HOURS}" if time < DAY else str(time // DAY)


def read(text: str) -> timedelta:
    """Return the time per move in a text; raise ValueError if there is none."""
    if text.endswith(_IN_HOURS):
        return _HOURS_READ.read(text.removesuffix(_IN_HOURS)) * HOUR
    return _DAYS_READ.read(text) * DAY


def words(time: timedelta) -> Phrase:
    """Return a time per move, such as *6 hours per move*."""
    if time < DAY:
        return plural("{n} hour per move", "{n} hours per move", time // HOUR)
    return plural("{n} day per move", "{n} days per move", time // DAY)


def span(time: timedelta) -> Phrase:
    """Return an amount of time: days and hours, or hours, or minutes."""
    hours, seconds = divmod(int(time.total_seconds()), 3600)
    days, hours = divmod(hours, 24)
    parts = [plural("{n} day", "{n} days", days)] if days else []
    if hours:
        parts.append(plural("{n} hour", "{n} hours", hours))
    return lines(parts or [plural("{n} minute", "{n} minutes", seconds // 60)], " ")


def choices() -> Mapping[str, Phrase]:
    """Return the times on offer, as the choices of a command's option."""
    return {written(time): words(time) for time in OFFERED}

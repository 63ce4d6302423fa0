"""Moments as Discord shows them: in each reader's own language and time zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


def distance(moment: datetime) -> str:
    """Return how far away a moment is, such as "in 7 days" or "2 hours ago"."""
    return f"<t:{int(moment.timestamp())}:R>"


def date(moment: datetime) -> str:
    """Return the day and the time of day of a moment."""
    return f"<t:{int(moment.timestamp())}:f>"

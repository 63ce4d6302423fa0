"""Durations in words, as coarsely as people say them."""

from __future__ import annotations

from typing import Final

from engine.phrase import Phrase, plural, say

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_FROM: Final = 1.5
"""Units are used from this many on: 80 minutes, but 2 hours."""


def duration(seconds: float) -> Phrase:
    """Return a time, rounded, in the largest unit of which it has at least `_FROM`."""
    if seconds >= _FROM * _DAY:
        return plural("{n} day", "{n} days", round(seconds / _DAY))
    if seconds >= _FROM * _HOUR:
        return plural("{n} hour", "{n} hours", round(seconds / _HOUR))
    if seconds >= _MINUTE:
        return plural("{n} minute", "{n} minutes", round(seconds / _MINUTE))
    return say("less than a minute")

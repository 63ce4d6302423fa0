"""Describes time controls and picks them: days per move, or a time bank."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from bot.core.errors import Refusal
from bot.core.settings.server_settings import ServerSettings
from bot.play.time_controls import time_bank
from engine.phrase import Phrase, lines, plural, say


class TimeControl(NamedTuple):
    """How the time of a match is counted."""

    days: int
    """Days per move; with a time bank, the days that each move adds."""
    bank: int | None = None
    """Days in stock at the start; ``None`` without a time bank."""


def chosen(settings: ServerSettings, days: int | None, bank: int | None) -> TimeControl:
    """Return the time control chosen for a match, or else the server's default.

    Raises:
        Refusal: both kinds were chosen.

    """
    if days is not None and bank is not None:
        raise Refusal(say("Choose days per move or a time bank, not both."))
    if days is None and bank is None:
        days, bank = settings.days, settings.bank
    return with_bank(bank) if bank is not None else TimeControl(days or settings.days)


def with_bank(bank: int) -> TimeControl:
    """Return the time control with a bank of ``bank`` days."""
    return TimeControl(time_bank.INCREMENT, bank)


def time_control(days: int, bank: int | None = None) -> Phrase:
    """Return a time control in a few words."""
    if bank is None:
        return plural("{n} day per move", "{n} days per move", days)
    return plural(
        "time bank: {n} day, +{days} per move, up to {most}",
        "time bank: {n} days, +{days} per move, up to {most}",
        bank,
        days=days,
        most=time_bank.max_days(bank),
    )


def span(time: timedelta) -> Phrase:
    """Return an amount of time: days and hours, or hours, or minutes."""
    hours, seconds = divmod(int(time.total_seconds()), 3600)
    days, hours = divmod(hours, 24)
    minutes = seconds // 60
    parts = []
    if days:
        parts.append(plural("{n} day", "{n} days", days))
    if hours:
        parts.append(plural("{n} hour", "{n} hours", hours))
    if not parts:
        parts.append(plural("{n} minute", "{n} minutes", minutes))
    return lines(parts, " ")

"""Quiet hours: when a player wants no pings, in their time zone.

They may cross midnight. On a day of 23 or 25 hours the wall clock decides: an hour that it shows
twice is quiet both times.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.core.settings.player_settings import PlayerSettings

_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)


class Hours(NamedTuple):
    """Quiet hours that start on one day, in UTC."""

    begin: datetime
    end: datetime


def zone(name: str) -> tzinfo:
    """Return a time zone by its IANA name; UTC if there is no such zone."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def quiet(settings: PlayerSettings, moment: datetime) -> Hours | None:
    """Return the player's quiet hours around a moment; ``None`` if it is outside them."""
    begin, end = settings.quiet_from, settings.quiet_to
    if begin is None or end is None or begin == end:
        return None
    place = zone(settings.zone)
    today = moment.astimezone(place).date()
    for day in (today - _DAY, today):
        last = day if begin < end else day + _DAY
        hours = Hours(
            _shown(datetime.combine(day, begin, place), again=False),
            _shown(datetime.combine(last, end, place), again=True),
        )
        if hours.begin <= moment < hours.end:
            return hours
    return None


def _shown(wall: datetime, *, again: bool) -> datetime:
    """Return when a wall clock shows a time, in UTC; of two such moments the second if ``again``.

    A time skipped in spring counts as the moment when the clock is put forward.
    """
    first, second = (wall.replace(fold=fold).astimezone(UTC) for fold in (0, 1))
    if first <= second:
        return second if again else first
    moment = second.replace(second=0, microsecond=0)
    offset = moment.astimezone(wall.tzinfo).utcoffset()
    while moment.astimezone(wall.tzinfo).utcoffset() == offset:
        moment += _MINUTE
    return moment


def after_quiet(settings: PlayerSettings, moment: datetime) -> datetime:
    """Return the first moment, from one on, when a player may be notified."""
    hours = quiet(settings, moment)
    return moment if hours is None else hours.end


def reminder_time(
    settings: PlayerSettings, since: datetime, wanted: datetime, due: datetime, margin: timedelta
) -> datetime:
    """Return when to remind a player: as wanted, or outside the quiet hours around that moment.

    After these hours if that leaves ``margin`` before time runs out at ``due``; otherwise before
    them, but not before the turn started at ``since``.
    """
    hours = quiet(settings, wanted)
    if hours is None:
        return wanted
    if hours.end + margin <= due:
        return hours.end
    before = hours.begin - _MINUTE
    return before if before > since else wanted

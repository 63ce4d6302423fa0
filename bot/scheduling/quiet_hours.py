"""Quiet hours: when a player does not want to be called, in their time zone.

They may cross midnight. On a day of 23 or 25 hours the wall clock decides: an hour that it shows
twice is quiet both times.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

if TYPE_CHECKING:
    from bot.settings.declarations import PlayerSettings

_DAY = timedelta(days=1)
_MINUTE = timedelta(minutes=1)


class Hours(NamedTuple):
    """Quiet hours that begin on one day, in UTC."""

    begin: datetime
    end: datetime


def zone(name: str) -> tzinfo:
    """Return a time zone by its IANA name; UTC where there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def quiet(settings: PlayerSettings, moment: datetime) -> Hours | None:
    """Return the quiet hours of a player that a moment falls into, ``None`` for none."""
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
    """Return when a wall clock shows a time, in UTC; where it shows it twice, the second time.

    A time that is skipped in spring comes when the clock is put forward over it.
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
    """Return the first moment, from one on, at which a player may be called."""
    hours = quiet(settings, moment)
    return moment if hours is None else hours.end


def reminding(
    settings: PlayerSettings, since: datetime, wanted: datetime, due: datetime, margin: timedelta
) -> datetime:
    """Return when to remind a player: as wanted, or out of the quiet hours that this falls into.

    After these hours if that leaves ``margin`` before the time is over at ``due``; else before
    them, but not before the turn began at ``since``.
    """
    hours = quiet(settings, wanted)
    if hours is None:
        return wanted
    if hours.end + margin <= due:
        return hours.end
    before = hours.begin - _MINUTE
    return before if before > since else wanted

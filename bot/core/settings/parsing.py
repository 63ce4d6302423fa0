"""Parses time zones and quiet hours typed by players."""

from __future__ import annotations

import difflib
import re
from datetime import time
from typing import Final
from zoneinfo import available_timezones

from bot.core.errors import BadInput
from engine.phrase import listed, say

_TIME: Final = r"(\d{1,2})(?:[:.h](\d{2}))? ?([ap]m)?"
_SPAN: Final = re.compile(rf"{_TIME} ?(?:-|–|—|\bto\b) ?{_TIME}", re.IGNORECASE)


def zone(typed: str) -> str:
    """Return the IANA name of a typed time zone; a city alone will do.

    Raises:
        BadInput: no zone of that name; suggests similar ones.

    """
    wanted = "_".join(typed.split()).lower()
    names = sorted(available_timezones())
    whole = {name.lower(): name for name in names}
    if wanted in whole:
        return whole[wanted]
    same = [name for name in names if name.lower().endswith(f"/{wanted}")]
    if len(same) == 1:
        return same[0]
    cities = {name.lower().rpartition("/")[2]: name for name in reversed(names)}
    known = {**cities, **whole}
    close = difflib.get_close_matches(wanted, known, n=3, cutoff=0.7)
    like = same or list(dict.fromkeys(known[one] for one in close))
    if not like:
        raise BadInput(
            say(
                "There's no time zone “{typed}”. Type a city, such as `Europe/Stockholm`.",
                typed=typed.strip()[:50],
            )
        )
    raise BadInput(
        say(
            "There's no time zone “{typed}”. Did you mean {zones}?",
            typed=typed.strip()[:50],
            zones=listed([f"`{name}`" for name in like], either=True),
        )
    )


def quiet_hours(typed: str) -> tuple[time, time]:
    """Return the start and end of quiet hours, typed like ``22:00-07:30`` or ``10pm to 7am``.

    Raises:
        BadInput: not two times, or the same one twice.

    """
    match = _SPAN.fullmatch(" ".join(typed.split()))
    if match is None:
        raise BadInput(
            say("I can't read “{typed}”. Type two times, such as `22:00-07:30`.", typed=typed[:50])
        )
    begin, end = _time(typed, *match.groups()[:3]), _time(typed, *match.groups()[3:])
    if begin == end:
        raise BadInput(say("Start and end are the same. To stop pings altogether, turn them off."))
    return begin, end


def _time(typed: str, hours: str, minutes: str | None, half: str | None) -> time:
    hour, minute = int(hours), int(minutes or 0)
    if half is None:
        hour = 0 if (hour, minute) == (24, 0) else hour
    elif hour in range(1, 13):
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    else:
        hour = 24  # no such time: fails below
    try:
        return time(hour, minute)
    except ValueError as error:
        raise BadInput(
            say(
                "“{typed}” isn't a time. Type two times, such as `22:00-07:30`.",
                typed=typed[:50],
            )
        ) from error

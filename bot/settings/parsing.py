"""Reads what players type of their time: the time zone, and quiet hours."""

from __future__ import annotations

import difflib
import re
from datetime import time
from typing import Final
from zoneinfo import available_timezones

from bot.errors import BadInput
from engine.phrase import listed, say

_TIME: Final = r"(\d{1,2})(?:[:.h](\d{2}))?\s*([ap]m)?"
_SPAN: Final = re.compile(rf"{_TIME}\s*(?:-|–|—|\bto\b)\s*{_TIME}", re.IGNORECASE)


def zone(typed: str) -> str:
    """Return the IANA name of a time zone that was typed; a city alone will do.

    Raises:
        BadInput: no zone of that name; tells those that are spelled like it.

    """
    wanted = re.sub(r"\s+", "_", typed.strip()).lower()
    known = {name.lower(): name for name in sorted(available_timezones())}
    cities: dict[str, list[str]] = {}
    for lower, name in known.items():
        cities.setdefault(lower.rsplit("/", 1)[-1], []).append(name)
    if wanted in known:
        return known[wanted]
    same = [name for name in cities.get(wanted, ()) if "/" in name]
    if len(same) == 1:
        return same[0]
    like = same or _like(wanted, known, cities)
    if not like:
        raise BadInput(
            say(
                "There is no time zone “{typed}”. Type it by its city, such as `Europe/Stockholm`.",
                typed=typed.strip()[:50],
            )
        )
    raise BadInput(
        say(
            "There is no time zone “{typed}”. Did you mean {zones}?",
            typed=typed.strip()[:50],
            zones=listed([f"`{name}`" for name in like], either=True),
        )
    )


def _like(wanted: str, known: dict[str, str], cities: dict[str, list[str]]) -> list[str]:
    close = difflib.get_close_matches(wanted, [*known, *cities], n=3, cutoff=0.7)
    found = [known[one] if one in known else cities[one][0] for one in close]
    return list(dict.fromkeys(found))


def quiet_hours(typed: str) -> tuple[time, time]:
    """Return when quiet hours begin and end, as typed: ``22:00-07:30``, ``10pm to 7am``.

    Raises:
        BadInput: not two times, or the same one twice.

    """
    found = _SPAN.fullmatch(typed.strip())
    if found is None:
        raise BadInput(
            say("I cannot read “{typed}”. Type two times, such as `22:00-07:30`.", typed=typed[:50])
        )
    begin, end = _time(typed, *found.groups()[:3]), _time(typed, *found.groups()[3:])
    if begin == end:
        raise BadInput(
            say(
                "Quiet hours that end when they begin would last all day. To be called never, "
                "turn pings off."
            )
        )
    return begin, end


def _time(typed: str, hours: str, minutes: str | None, half: str | None) -> time:
    hour, minute = int(hours), int(minutes or 0)
    if half is None:
        hour = 0 if (hour, minute) == (24, 0) else hour
    elif hour in range(1, 13):
        hour = hour % 12 + (12 if half.lower() == "pm" else 0)
    else:
        hour = 24  # no such time
    try:
        return time(hour, minute)
    except ValueError as error:
        raise BadInput(
            say(
                "There is no such time in “{typed}”. Type two times, such as `22:00-07:30`.",
                typed=typed[:50],
            )
        ) from error

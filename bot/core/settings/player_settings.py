"""Every setting of players: its name, type, default, words and control, in one place.

Stored as JSON; unstored ones have their default. To add a setting, add a field: its line in the
summary and its button or menu follow from its kind.
"""

from __future__ import annotations

import difflib
import re
from datetime import time
from typing import Annotated, Final
from zoneinfo import available_timezones

from pydantic import Field

from bot.core.errors import BadInput
from bot.core.move_times import MAX_DAYS
from bot.core.settings.kinds import (
    THEME_OPTIONS,
    THEMES,
    Declared,
    OneOf,
    Theme,
    Typed,
    languages,
    switch,
)
from engine.phrase import listed, plural, say

MIN_REMIND_EVERY: Final = 6
"""The minimum hours between two reminders of one turn."""
_REMIND_EVERY: Final = (MIN_REMIND_EVERY, 12, 24, 48, 72)


_NEVER: Final = "off"
"""The value of no reminders in the menu."""


def _reminders_line(hours: int | str | None) -> str:
    if hours is None:
        return say("**Reminders:** once, near the end of your time")
    if isinstance(hours, str):
        return say("**Reminders:** none")
    return plural(
        "**Reminders:** every {n} hour, and near the end of your time",
        "**Reminders:** every {n} hours, and near the end of your time",
        hours,
    )


class PlayerSettings(Declared):
    """A player's preferences, on every server."""

    theme: Annotated[
        Theme | None,
        OneOf(
            lambda theme, _: (
                say("**Look** of boards only you see: the server's")
                if theme is None
                else say("**Look** of boards only you see: {theme}", theme=THEMES[theme])
            ),
            lambda *_: [(None, say("Boards as set for the server")), *THEME_OPTIONS],
        ),
    ] = None
    """The theme of boards that only this player sees; ``None`` for the server's."""
    coordinates: Annotated[
        bool,
        switch(
            on=(say("**Coordinates** on them: shown"), say("Show")),
            off=(say("**Coordinates** on them: left out"), say("Hide")),
        ),
    ] = True
    turned: Annotated[
        bool,
        switch(
            on=(say("**Boards** on your turn: your side at the bottom"), say("Turn to me")),
            off=(say("**Boards** on your turn: the way everyone sees them"), say("Don't turn")),
        ),
    ] = False
    clips: Annotated[
        bool,
        switch(
            on=(say("**Since your last turn:** a short film of what happened"), say("Film")),
            off=(say("**Since your last turn:** what happened, in words only"), say("Words only")),
        ),
    ] = True
    confirm: Annotated[
        bool,
        switch(
            on=(say("**Moves:** I ask before playing one"), say("Ask first")),
            off=(say("**Moves:** played at once"), say("Play at once")),
        ),
    ] = False
    pings: Annotated[
        bool,
        switch(
            on=(say("**Pings:** on your turn, and for challenges and offers"), say("Ping me")),
            off=(say("**Pings:** none"), say("No pings")),
        ),
    ] = True
    """Whether messages may ping this player, rather than just name them."""
    reminders: bool = True
    """Whether to remind this player before their time runs out; chosen with ``remind_every``."""
    remind_every: Annotated[
        int | None,
        Field(ge=MIN_REMIND_EVERY, le=24 * MAX_DAYS),
        OneOf(
            lambda hours, _: _reminders_line(hours),
            lambda hours, _: [
                (None, say("Remind me once, near the end")),
                *(
                    (one, plural("Remind me every {n} hour", "Remind me every {n} hours", one))
                    for one in sorted(
                        {*_REMIND_EVERY, *([hours] if isinstance(hours, int) else [])}
                    )
                ),
                (_NEVER, say("Don't remind me")),
            ],
            shown=lambda settings: settings.remind_every if settings.reminders else _NEVER,
            changes=lambda hours: (
                {"reminders": False}
                if hours == _NEVER
                else {"reminders": True, "remind_every": hours}
            ),
        ),
    ] = None
    """Hours between reminders of one turn; ``None`` reminds once."""
    quiet_from: Annotated[
        time | None,
        Typed(
            say("Quiet hours"),
            say("When I shouldn't ping you"),
            say("Pings and reminders wait until they end"),
            example="22:00-07:30",
            max_length=30,
            summary=lambda hours, _: (
                say("**Quiet hours:** {hours}", hours=hours)
                if hours
                else say("**Quiet hours:** none")
            ),
            shown=lambda settings: (
                f"{settings.quiet_from:%H:%M}-{settings.quiet_to:%H:%M}"
                if settings.quiet_from and settings.quiet_to
                else ""
            ),
            parse=lambda typed: dict(
                zip(("quiet_from", "quiet_to"), parsed_quiet_hours(typed), strict=True)
            ),
            cleared=(say("No quiet hours"), {"quiet_from": None, "quiet_to": None}),
        ),
    ] = None
    """When quiet hours begin, in the player's time zone; ``None`` for no quiet hours."""
    quiet_to: time | None = None
    """When they end; earlier than the start means the next day."""
    zone: Annotated[
        str,
        Typed(
            say("Time zone"),
            say("Your time zone"),
            say("Type a city. Quiet hours follow it."),
            example="Europe/Stockholm",
            max_length=60,
            summary=lambda zone, _: say("**Time zone:** {zone}", zone=zone),
            shown=lambda settings: str(settings.zone),
            parse=lambda typed: {"zone": parsed_zone(typed)},
        ),
    ] = "UTC"
    """The time zone's IANA name."""
    challenges: Annotated[
        bool,
        switch(
            on=(say("**Challenges:** from anyone you haven't blocked"), say("Allow")),
            off=(say("**Challenges:** none right now, games in progress continue"), say("Not now")),
        ),
    ] = True
    """Whether others may challenge them, ask them for a rematch, or accept their challenges."""
    profile: Annotated[
        bool,
        switch(
            on=(say("**Profile:** anyone can see it"), say("Show")),
            off=(
                say("**Profile:** only you can see it. You still appear on leaderboards."),
                say("Hide"),
            ),
        ),
    ] = True
    """Whether others may see this player's profile; leaderboards list them in any case."""
    language: Annotated[
        str | None,
        OneOf(
            lambda language, context: (
                say("**Language** of messages only you see: your Discord's")
                if language is None
                else say(
                    "**Language** of messages only you see: {name}",
                    name=context.languages.get(language, language),
                )
            ),
            languages(say("The language of my Discord")),
        ),
    ] = None
    """The language of private answers; ``None`` for the player's own in Discord."""


_TIME: Final = r"(\d{1,2})(?:[:.h](\d{2}))? ?([ap]m)?"
_SPAN: Final = re.compile(rf"{_TIME} ?(?:-|–|—|\bto\b) ?{_TIME}", re.IGNORECASE)


def parsed_zone(typed: str) -> str:
    """Return the IANA name of a typed time zone or city; raise BadInput with similar ones."""
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


def parsed_quiet_hours(typed: str) -> tuple[time, time]:
    """Return start and end of ``22:00-07:30`` or ``10pm to 7am``; raise BadInput for other text."""
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

"""Every setting of players: its name, type, default, words and control, in one place.

Stored as JSON; unstored ones have their default. To add a setting, add a field: its line in the
summary and its button or menu follow from its kind.
"""

from __future__ import annotations

from datetime import time
from typing import Annotated, Final

from pydantic import Field

from bot.core.settings import parsing
from bot.core.settings.choices import MAX_DAYS, THEME_OPTIONS, THEMES, Theme, languages
from bot.core.settings.kinds import Declared, OneOf, Typed, switch
from engine.phrase import plural, say

MIN_REMIND_EVERY: Final = 6
"""The minimum hours between two reminders of one turn."""
_REMIND_EVERY: Final = (MIN_REMIND_EVERY, 12, 24, 48, 72)


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
            say("Coordinates"),
            say("**Coordinates** on them: shown"),
            say("**Coordinates** on them: left out"),
        ),
    ] = True
    turned: Annotated[
        bool,
        switch(
            say("Turn boards to me"),
            say("**Boards** on your turn: your side at the bottom"),
            say("**Boards** on your turn: the way everyone sees them"),
        ),
    ] = False
    confirm: Annotated[
        bool,
        switch(
            say("Ask before each move"),
            say("**Moves:** I ask before playing one"),
            say("**Moves:** played at once"),
        ),
    ] = False
    pings: Annotated[
        bool,
        switch(
            say("Ping me"),
            say("**Pings:** on your turn, and for challenges and offers"),
            say("**Pings:** none"),
        ),
    ] = True
    """Whether messages may ping this player, rather than just name them."""
    challenges: Annotated[
        bool,
        switch(
            say("Allow challenges"),
            say("**Challenges:** from anyone you haven't blocked"),
            say("**Challenges:** none right now, games in progress continue"),
        ),
    ] = True
    """Whether others may challenge them, ask them for a rematch, or accept their challenges."""
    reminders: Annotated[
        bool,
        switch(
            say("Remind me"),
            say("**Reminders** before your time runs out: on"),
            say("**Reminders** before your time runs out: off"),
        ),
    ] = True
    remind_every: Annotated[
        int | None,
        Field(ge=MIN_REMIND_EVERY, le=24 * MAX_DAYS),
        OneOf(
            lambda hours, _: (
                say("**Reminders:** once, near the end of your time")
                if hours is None
                else plural(
                    "**Reminders:** every {n} hour, and near the end of your time",
                    "**Reminders:** every {n} hours, and near the end of your time",
                    hours,
                )
            ),
            lambda hours, _: [
                (None, say("Remind me once, near the end")),
                *(
                    (one, plural("Remind me every {n} hour", "Remind me every {n} hours", one))
                    for one in sorted({*_REMIND_EVERY, *([] if hours is None else [hours])})
                ),
            ],
        ),
    ] = None
    """Hours between reminders of one turn; ``None`` reminds once."""
    clips: Annotated[
        bool,
        switch(
            say("Show what happened"),
            say("**Since your last turn:** a short film"),
            say("**Since your last turn:** words only"),
        ),
    ] = True
    profile: Annotated[
        bool,
        switch(
            say("Show my profile"),
            say("**Profile:** anyone can see it"),
            say("**Profile:** only you can see it. You still appear on leaderboards."),
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
            parse=lambda typed: {"zone": parsing.zone(typed)},
        ),
    ] = "UTC"
    """The time zone's IANA name."""
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
                zip(("quiet_from", "quiet_to"), parsing.quiet_hours(typed), strict=True)
            ),
            cleared=(say("No quiet hours"), {"quiet_from": None, "quiet_to": None}),
        ),
    ] = None
    """When quiet hours begin, in the player's time zone; ``None`` for no quiet hours."""
    quiet_to: time | None = None
    """When they end; earlier than the start means the next day."""

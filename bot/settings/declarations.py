"""Every setting of servers and players: its name, type, default, words and control, in one place.

Stored as JSON; unstored ones have their default. To add a setting, add a field: its line in the
summary and its button or menu follow from its kind.
"""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeAlias

from pydantic import Field

from bot.settings import parsing, text
from bot.settings.kinds import Channels, Context, Declared, OneOf, Toggle, Typed, switch
from engine.phrase import plural, say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Theme: TypeAlias = Literal["wood", "night", "contrast"]

MAX_DAYS: Final = 14
"""The maximum days per move in a challenge or a server's settings."""
_DAYS: Final = (1, 2, 3, 4, 5, 7, 10, MAX_DAYS)
BANKS: Final = (3, 5, 7, 10, MAX_DAYS)
"""Time banks offered in menus, in days at the start."""
MIN_REMIND_EVERY: Final = 6
"""The minimum hours between two reminders of one turn."""
_REMIND_EVERY: Final = (MIN_REMIND_EVERY, 12, 24, 48, 72)

THEMES: Final[Mapping[str, str]] = {
    "wood": say("wood"),
    "night": say("night"),
    "contrast": say("high contrast"),
}
"""The name of each theme."""


_THEME_OPTIONS: Final = [
    (one, say("Boards in {theme}", theme=name)) for one, name in THEMES.items()
]


def _languages(unset: str) -> Callable[[str | None, Context], list[tuple[str | None, str]]]:
    return lambda _, context: [(None, unset), *context.languages.items()]


class ServerSettings(Declared):
    """Settings of a server, chosen by its managers."""

    channels: Annotated[
        tuple[int, ...],
        Channels(
            say("Channels for games"),
            text.channels,
            clear=say("Play in all channels"),
        ),
    ] = ()
    """Where challenges may be made; empty allows every channel."""
    threads: Annotated[
        bool,
        Toggle(
            {
                True: (
                    say("**Place:** a thread for each match, where I can make one"),
                    say("A thread for each match"),
                ),
                False: (say("**Place:** in the channel itself"), say("Play in the channel")),
            }
        ),
    ] = True
    board: Annotated[
        Literal["new", "edit"],
        Toggle(
            {
                "new": (say("**Boards:** a new message each turn"), say("A new board each turn")),
                "edit": (
                    say("**Boards:** one message that changes, with a short ping beside it"),
                    say("One board that changes"),
                ),
            }
        ),
    ] = "new"
    days: Annotated[
        int,
        Field(ge=1, le=MAX_DAYS),
        OneOf(
            lambda days, _: plural(
                "**Time per move:** {n} day", "**Time per move:** {n} days", days
            ),
            lambda days, _: [
                (one, plural("{n} day per move", "{n} days per move", one))
                for one in sorted({*_DAYS, days})
            ],
        ),
    ] = 3
    """Days per move, unless the challenge says otherwise."""
    bank: Annotated[
        int | None,
        Field(ge=1, le=MAX_DAYS),
        OneOf(
            lambda bank, _: (
                say("**Time bank:** none, days per move instead")
                if bank is None
                else plural(
                    "**Time bank:** {n} day at the start, and each move adds one",
                    "**Time bank:** {n} days at the start, and each move adds one",
                    bank,
                )
            ),
            lambda bank, _: [
                (None, say("No time bank")),
                *(
                    (one, plural("Time bank of {n} day", "Time bank of {n} days", one))
                    for one in sorted({*BANKS, *([] if bank is None else [bank])})
                ),
            ],
        ),
    ] = None
    """Days at the start of a time bank; ``None`` for days per move."""
    forfeit: Annotated[
        Literal["claim", "automatic"],
        Toggle(
            {
                "claim": (
                    say("**Out of time:** the opponent may claim the win"),
                    say("Let the opponent claim the win"),
                ),
                "automatic": (
                    say("**Out of time:** the game is lost at once"),
                    say("Lose at once when out of time"),
                ),
            }
        ),
    ] = "claim"
    """Whether a player out of time loses when the opponent claims it, or at once."""
    rated: Annotated[
        bool,
        Toggle(
            {
                True: (
                    say("**Ratings:** games count, unless their challenge says unrated"),
                    say("Rate games"),
                ),
                False: (
                    say("**Ratings:** off, all games are unrated"),
                    say("Play without ratings"),
                ),
            }
        ),
    ] = True
    theme: Annotated[
        Theme,
        OneOf(
            lambda theme, _: say("**Look:** {theme}", theme=THEMES[theme]),
            lambda *_: _THEME_OPTIONS,
        ),
    ] = "wood"
    language: Annotated[
        str | None,
        OneOf(
            lambda language, context: (
                say("**Language:** as set for this server in Discord")
                if language is None
                else say("**Language:** {name}", name=context.languages.get(language, language))
            ),
            _languages(say("This server's language in Discord")),
        ),
    ] = None
    """The language of public messages; ``None`` for the server's language in Discord."""
    log_channel: Annotated[
        int | None,
        Channels(
            say("Channel for moderator actions"),
            text.log_channel,
            clear=say("No channel for moderators"),
            most=1,
            forums=False,
        ),
    ] = None
    """Where moderator decisions are posted; ``None`` keeps them in the audit log only."""
    puzzle_channel: Annotated[
        int | None,
        Channels(
            say("Channel for the puzzle of the day"),
            text.puzzle_channel,
            clear=say("No puzzle of the day"),
            most=1,
            forums=False,
        ),
    ] = None
    """Where the puzzle of the day is posted; ``None`` for no puzzle."""
    puzzle_hour: Annotated[
        int,
        Field(ge=0, le=23),
        OneOf(
            lambda hour, _: say("**Puzzle at:** {hour}:00 UTC", hour=f"{hour:02}"),
            lambda *_: [
                (hour, say("Puzzle of the day at {hour}:00 UTC", hour=f"{hour:02}"))
                for hour in range(24)
            ],
        ),
    ] = 8
    """The hour of the puzzle of the day, in UTC."""


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
            lambda *_: [(None, say("Boards as set for the server")), *_THEME_OPTIONS],
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
            _languages(say("The language of my Discord")),
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
            most=60,
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
            most=30,
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

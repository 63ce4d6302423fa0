"""Every setting of servers and players: its name, type, default, words and control, in one place.

Stored as JSON; what is not stored has its default. To add a setting, add a field: its line in the
summary and its button or menu follow from its kind.
"""

from __future__ import annotations

from datetime import time
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field

from bot.settings import parsing
from bot.settings.kinds import (
    Channels,
    Context,
    Kind,
    OneOf,
    Switch,
    Toggle,
    Typed,
    Value,
    where_games_are_played,
    where_moderators_are_followed,
)
from engine.phrase import plural, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Theme: TypeAlias = Literal["wood", "night", "contrast"]

MAX_DAYS: Final = 14
"""The longest time for a move that a challenge or a server may choose, in days."""
_DAYS: Final = (1, 2, 3, 4, 5, 7, 10, MAX_DAYS)

THEMES: Final[Mapping[str, str]] = {
    "wood": say("wood"),
    "night": say("night"),
    "contrast": say("high contrast"),
}
"""The name of each theme."""


def _themes(first: str | None = None) -> list[tuple[Any, str]]:
    named: list[tuple[Any, str]] = [
        (theme, say("Boards in {theme}", theme=name)) for theme, name in THEMES.items()
    ]
    return named if first is None else [(None, first), *named]


class Declared(BaseModel):
    """Settings of an older or newer program may have other fields: those are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    @classmethod
    def kinds(cls) -> Iterator[tuple[str, Kind]]:
        """Return the name and kind of every setting that has a control, in order."""
        for name, field in cls.model_fields.items():
            for metadata in field.metadata:
                if isinstance(metadata, get_args(Kind)):
                    yield name, metadata

    @classmethod
    def kind(cls, name: str) -> Kind | None:
        """Return the kind of a setting; ``None`` if there is none of that name (any more)."""
        return dict(cls.kinds()).get(name)

    def told(self, name: str, kind: Kind, context: Context) -> str:
        """Return the line of a setting in a summary."""
        if isinstance(kind, Typed):
            return kind.tell(kind.shown(self))
        return kind.told(getattr(self, name), context)


class ServerSettings(Declared):
    """Settings of a server, chosen by its managers."""

    channels: Annotated[
        tuple[int, ...],
        Channels(
            say("Channels where games may be played"),
            where_games_are_played,
            clear=say("Play in all channels"),
        ),
    ] = ()
    """Where challenges may be made; empty allows every channel."""
    threads: Annotated[
        bool,
        Toggle(
            Value(
                True,  # noqa: FBT003 -- the value is the setting
                say("**Place:** each match gets a thread of its own, where I may make one"),
                say("A thread for each match"),
            ),
            Value(
                False,  # noqa: FBT003
                say("**Place:** in the channel itself"),
                say("Play in the channel"),
            ),
        ),
    ] = True
    """Whether each match gets a thread of its own, where the bot may make one."""
    board: Annotated[
        Literal["new", "edit"],
        Toggle(
            Value("new", say("**Boards:** a new message each turn"), say("A new board each turn")),
            Value(
                "edit",
                say("**Boards:** one message that changes, with a short ping beside it"),
                say("One board that changes"),
            ),
        ),
    ] = "new"
    """A new board message each turn, or one that is edited, with a short ping beside it."""
    days: Annotated[
        int,
        Field(ge=1, le=MAX_DAYS),
        OneOf(
            lambda days, _: plural(
                "**Time for a move:** {n} day", "**Time for a move:** {n} days", days
            ),
            lambda days, _: [
                (one, plural("{n} day for each move", "{n} days for each move", one))
                for one in sorted({*_DAYS, days})
            ],
            int,
        ),
    ] = 3
    """Days for each move, unless the challenge says otherwise."""
    forfeit: Annotated[
        Literal["claim", "automatic"],
        Toggle(
            Value(
                "claim",
                say("**Out of time:** the opponent may claim the win"),
                say("Let the opponent claim the win"),
            ),
            Value(
                "automatic",
                say("**Out of time:** the match is lost at once"),
                say("Lose at once when out of time"),
            ),
        ),
    ] = "claim"
    """Whether a player out of time loses when the opponent claims it, or at once."""
    rated: Annotated[
        bool,
        Toggle(
            Value(
                True,  # noqa: FBT003
                say("**Ratings:** matches count, unless their challenge says that they are casual"),
                say("Rate the matches"),
            ),
            Value(
                False,  # noqa: FBT003
                say("**Ratings:** all matches are casual and change none"),
                say("Play without ratings"),
            ),
        ),
    ] = True
    """Whether its matches count for ratings."""
    theme: Annotated[
        Theme,
        OneOf(lambda theme, _: say("**Look:** {theme}", theme=THEMES[theme]), lambda *_: _themes()),
    ] = "wood"
    """The theme of the boards in its channels."""
    language: Annotated[
        str | None,
        OneOf(
            lambda language, context: (
                say("**Language:** the one that Discord tells of this server")
                if language is None
                else say("**Language:** {name}", name=context.languages.get(language, language))
            ),
            lambda _, context: [
                (None, say("The language that Discord tells of this server")),
                *context.languages.items(),
            ],
        ),
    ] = None
    """The language of what everybody sees; ``None`` takes the one that Discord tells."""
    log_channel: Annotated[
        int | None,
        Channels(
            say("Channel for what moderators do"),
            where_moderators_are_followed,
            clear=say("No channel for moderators"),
            most=1,
            forums=False,
        ),
    ] = None
    """Where what moderators do is told as well; ``None`` keeps it in the list only."""


class PlayerSettings(Declared):
    """How one player likes it, in every server."""

    theme: Annotated[
        Theme | None,
        OneOf(
            lambda theme, _: (
                say("**Look** of boards that only you see: the server's")
                if theme is None
                else say("**Look** of boards that only you see: {theme}", theme=THEMES[theme])
            ),
            lambda *_: _themes(say("Boards as the server likes them")),
        ),
    ] = None
    """The theme of boards that only this player sees; ``None`` takes the server's."""
    coordinates: Annotated[
        bool,
        Switch(
            say("Coordinates"),
            say("**Coordinates** on them: shown"),
            say("**Coordinates** on them: left out"),
        ),
    ] = True
    """Whether such boards show the names of files and ranks."""
    turned: Annotated[
        bool,
        Switch(
            say("Turn boards to me"),
            say("**Boards** on your turn: your side below, where the game has sides"),
            say("**Boards** on your turn: as everybody sees them"),
        ),
    ] = False
    """Whether boards are turned so that this player's side is below."""
    confirm: Annotated[
        bool,
        Switch(
            say("Ask before each move"),
            say("**Moves:** you are asked before one is made"),
            say("**Moves:** made at once"),
        ),
    ] = False
    """Whether a move is asked about before it is made."""
    pings: Annotated[
        bool,
        Switch(
            say("Call me on my turn"),
            say("**Your turn:** you are called"),
            say("**Your turn:** the board names you without a ping"),
        ),
    ] = True
    """Whether a turn calls this player; else the board just names them."""
    reminders: Annotated[
        bool,
        Switch(
            say("Remind me"),
            say("**Reminders** before your time is over: yes"),
            say("**Reminders** before your time is over: no"),
        ),
    ] = True
    """Whether a reminder comes before the time for a move is over."""
    clips: Annotated[
        bool,
        Switch(
            say("Show what happened"),
            say("**Since your last turn:** a short film"),
            say("**Since your last turn:** words only"),
        ),
    ] = True
    """Whether a turn brings a short film of what happened since the last one."""
    profile: Annotated[
        bool,
        Switch(
            say("Show my profile"),
            say("**Profile:** everybody may look at it"),
            say("**Profile:** only you see it; leaderboards list you all the same"),
        ),
    ] = True
    """Whether others may look at this player's profile; leaderboards list them in any case."""
    language: Annotated[
        str | None,
        OneOf(
            lambda language, context: (
                say("**Language** of what only you see: that of your Discord")
                if language is None
                else say(
                    "**Language** of what only you see: {name}",
                    name=context.languages.get(language, language),
                )
            ),
            lambda _, context: [
                (None, say("The language of my Discord")),
                *context.languages.items(),
            ],
        ),
    ] = None
    """The language of answers that only this player sees; ``None`` takes Discord's own."""
    zone: Annotated[
        str,
        Typed(
            say("Time zone"),
            say("Your time zone"),
            say("By its city; quiet hours go by it"),
            example="Europe/Stockholm",
            most=60,
            tell=lambda zone: say("**Time zone:** {zone}", zone=zone),
            shown=lambda settings: str(settings.zone),
            parse=lambda typed: {"zone": parsing.zone(typed)},
        ),
    ] = "UTC"
    """The time zone, by its IANA name."""
    quiet_from: Annotated[
        time | None,
        Typed(
            say("Quiet hours"),
            say("When nothing should ping you"),
            say("Pings and reminders wait until these hours are over"),
            example="22:00-07:30",
            most=30,
            tell=lambda hours: (
                say("**Quiet hours:** {hours}", hours=hours)
                if hours
                else say("**Quiet hours:** none")
            ),
            shown=lambda settings: _hours(settings.quiet_from, settings.quiet_to),
            parse=lambda typed: dict(
                zip(("quiet_from", "quiet_to"), parsing.quiet_hours(typed), strict=True)
            ),
            cleared=(say("No quiet hours"), {"quiet_from": None, "quiet_to": None}),
        ),
    ] = None
    """When the quiet hours begin, in the player's time zone; ``None`` has none."""
    quiet_to: time | None = None
    """When they end; earlier than the beginning means the next day."""


def _hours(begin: time | None, end: time | None) -> str:
    return "" if begin is None or end is None else f"{begin:%H:%M}-{end:%H:%M}"

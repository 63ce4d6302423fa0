"""Every setting of servers: its name, type, default, words and control, in one place.

Stored as JSON; unstored ones have their default. To add a setting, add a field: its line in the
summary and its button or menu follow from its kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Final, Literal

from pydantic import Field

from bot.core import move_times
from bot.core.move_times import MAX_DAYS
from bot.core.settings.kinds import (
    BANKS,
    THEME_OPTIONS,
    THEMES,
    Channels,
    Context,
    Declared,
    OneOf,
    Theme,
    Toggle,
    languages,
    switch,
)
from data import time_per_move
from data.time_per_move import DAY
from engine.phrase import listed, plural, say

_TIMES: Final = (
    *(one for one in move_times.OFFERED if one < DAY),
    *(n * DAY for n in (1, 2, 3, 4, 5, 7, 10, MAX_DAYS)),
)


def _channels_line(chosen: Sequence[int], context: Context) -> str:
    if not chosen:
        return say("**Channels:** games may be played in all of them")
    gone = [one for one in chosen if context.is_deleted(one)]
    named = [f"<#{one}>" for one in chosen if one not in gone]
    if gone:
        named.append(
            plural("{n} channel that was deleted", "{n} channels that were deleted", len(gone))
        )
    return say("**Channels:** games may be played in {channels}", channels=listed(named))


def _log_channel_line(channel: int | None, context: Context) -> str:
    if channel is None:
        return say("**Moderator actions:** only in `/server audit`")
    if context.is_deleted(channel):
        return say("**Moderator actions:** their channel was deleted. Pick another one")
    return say("**Moderator actions:** also posted in {channel}", channel=f"<#{channel}>")


def _puzzle_channel_line(channel: int | None, context: Context) -> str:
    if channel is None:
        return say("**Puzzle of the day:** none")
    if context.is_deleted(channel):
        return say("**Puzzle of the day:** its channel was deleted. Pick another one")
    return say("**Puzzle of the day:** in {channel}", channel=f"<#{channel}>")


class ServerSettings(Declared):
    """Settings of a server, chosen by its managers."""

    channels: Annotated[
        tuple[int, ...],
        Channels(
            say("Channels for games"),
            _channels_line,
            clear=say("Play in all channels"),
        ),
    ] = ()
    """Where challenges may be made; empty allows every channel."""
    threads: Annotated[
        bool,
        switch(
            on=(
                say("**Place:** a thread for each match, where I can make one"),
                say("Use threads"),
            ),
            off=(say("**Place:** in the channel itself"), say("Use the channel")),
        ),
    ] = True
    board: Annotated[
        Literal["new", "edit"],
        Toggle(
            {
                "new": (say("**Boards:** a new message each turn"), say("New messages")),
                "edit": (
                    say("**Boards:** one message that changes, with a short ping beside it"),
                    say("One message"),
                ),
            }
        ),
    ] = "new"
    theme: Annotated[
        Theme,
        OneOf(
            lambda theme, _: say("**Look** of boards in channels: {theme}", theme=THEMES[theme]),
            lambda *_: THEME_OPTIONS,
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
            languages(say("This server's language in Discord")),
        ),
    ] = None
    """The language of public messages; ``None`` for the server's language in Discord."""
    rated: Annotated[
        bool,
        switch(
            on=(
                say("**Ratings:** games count, unless their challenge says unrated"),
                say("Rate games"),
            ),
            off=(say("**Ratings:** off, all games are unrated"), say("Don't rate games")),
        ),
    ] = True
    days: Annotated[
        int,
        Field(ge=1, le=MAX_DAYS),
        OneOf(
            lambda time, _: say("**Time per move:** {time}", time=move_times.span(time)),
            lambda time, _: [(one, move_times.words(one)) for one in sorted({*_TIMES, time})],
            shown=lambda settings: settings.per_move,
            changes=lambda value: time_per_move.columns(move_times.read(value)),
        ),
    ] = 3
    """With ``hours`` the time per move, as `data.time_per_move` has it."""
    hours: Annotated[int | None, Field(ge=1, le=23)] = None
    bank: Annotated[
        int | None,
        Field(ge=1, le=MAX_DAYS),
        OneOf(
            lambda bank, _: (
                say("**Time bank:** none, time per move instead")
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
    """Days at the start of a time bank; ``None`` for a time per move."""
    forfeit: Annotated[
        Literal["claim", "automatic"],
        Toggle(
            {
                "claim": (
                    say("**Out of time:** the opponent may claim the win"),
                    say("Let them claim"),
                ),
                "automatic": (
                    say("**Out of time:** the game is lost at once"),
                    say("Lose at once"),
                ),
            }
        ),
    ] = "claim"
    """Whether a player out of time loses when the opponent claims it, or at once."""
    log_channel: Annotated[
        int | None,
        Channels(
            say("Channel for moderator actions"),
            _log_channel_line,
            clear=say("No channel for moderators"),
            one=True,
        ),
    ] = None
    """Where moderator decisions are posted; ``None`` keeps them in the audit log only."""
    puzzle_channel: Annotated[
        int | None,
        Channels(
            say("Channel for the puzzle of the day"),
            _puzzle_channel_line,
            clear=say("No puzzle of the day"),
            one=True,
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
            only_with="puzzle_channel",
        ),
    ] = 8
    """The hour of the puzzle of the day, in UTC."""

    @property
    def per_move(self) -> timedelta:
        """The time per move, unless the challenge says otherwise."""
        return time_per_move.of(self.days, self.hours)

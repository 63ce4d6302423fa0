"""Mentions of people, moments and commands, and links: what Discord shows to each reader in their way.

Players who deleted their data have a negative number instead of a user id: their matches stay whole
for their opponents, and no one can tell who they were.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from datetime import datetime
from functools import cache
from typing import Final

from bot.core.computers import COMPUTERS, level_of, place_of
from engine.phrase import Phrase, concat, lines, listed, plural, say, word


def mention(user_id: int, departed: Container[int] = frozenset()) -> str:
    """Return a person as a mention, a former player, or a computer with its level.

    Those who have ``departed`` are marked as having left the server.
    """
    if user_id in COMPUTERS:
        return computer(level_of(user_id), place_of(user_id))
    person = f"<@{user_id}>" if user_id > 0 else say("a former player")
    # Translators: a player who has left this server.
    return say("{player} (has left)", player=person) if user_id in departed else person


def computer(level: int, place: int = 1) -> Phrase:
    """Return the name of a computer; of several in a match, all but the first are numbered."""
    if place == 1:
        # Translators: the name of a computer player: "Computer, level 3".
        return say("Computer, level {level}", level=level)
    # Translators: one of several computer players in a match: "Computer 2, level 3".
    return say("Computer {number}, level {level}", number=place, level=level)


def mention_all(user_ids: Iterable[int], departed: Container[int] = frozenset()) -> Phrase:
    """Return several people as a list in words."""
    return listed(mention(user_id, departed) for user_id in user_ids)


def timestamp(moment: datetime, style: str = "f") -> str:
    """Return a moment as Discord shows it to each reader, in their zone and language.

    Of the styles, ``f`` is day and time, ``D`` the day, ``R`` how long until or since.
    """
    return f"<t:{int(moment.timestamp())}:{style}>"


def message_link(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """Return the link to a message."""
    return f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}/{message_id}"


def numbered(match_id: int | None, link: str | None) -> str:
    """Return a match's number, such as ``#12``, linked to its board if there is one."""
    return f"#{match_id}" if link is None else f"[#{match_id}]({link})"


_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_FROM: Final = 1.5
"""Units are used from this many on: 80 minutes, but 2 hours."""


def duration(seconds: float) -> Phrase:
    """Return a time, rounded, in the largest unit of which it has at least `_FROM`."""
    if seconds >= _FROM * _DAY:
        return plural("{n} day", "{n} days", round(seconds / _DAY))
    if seconds >= _FROM * _HOUR:
        return plural("{n} hour", "{n} hours", round(seconds / _HOUR))
    if seconds >= _MINUTE:
        return plural("{n} minute", "{n} minutes", round(seconds / _MINUTE))
    return say("less than a minute")


@cache
def slash(*path: str) -> Phrase:
    """Return a command as typed, such as ``/match verify``, from its English names."""
    return concat("/", lines((word("command", name) for name in path), " "))

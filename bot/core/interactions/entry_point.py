"""The command that opens the application's Activity.

Discord makes it when Activities are enabled in the portal, and refuses every update of the commands
that lacks it. So it goes back as it is, or with the bot's own texts, and the bot answers it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import discord

from bot.core.i18n.locales import Locales, is_name
from bot.core.interactions.reply import Reply
from engine.phrase import Phrase, translated, word

ENTRY_POINT: Final = 4
"""The type of this command."""
_NAME: Final = "launch"
"""The name that Discord gives it. One that the owner chose instead stays, in their words."""
_NAMED: Final = word("command", "launch")
_ANSWERED_BY_THE_BOT: Final = 1
_ASSIGNED: Final = frozenset({"application_id", "version", "guild_id"})
"""What Discord says of a registered command, but does not accept with one."""

Opening: TypeAlias = Callable[[Reply], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class EntryPoint:
    """How the bot describes and answers this command."""

    description: Phrase
    answer: Opening


DECLARED: Final[list[EntryPoint]] = []


def entry_point(description: Phrase) -> Callable[[Opening], Opening]:
    """Declare what answers the command that opens the Activity."""

    def declare(answer: Opening) -> Opening:
        DECLARED.append(EntryPoint(description, answer))
        return answer

    return declare


def texts(locales: Locales) -> dict[str, Any]:
    """Return how the bot describes this command, in Discord's format."""
    (declared,) = DECLARED
    names, descriptions = {}, {}
    for locale in discord.Locale:
        language = locales.of_locale(locale.value)
        name = translated(_NAMED, language)
        if name != _NAME and is_name(name):
            names[locale.value] = name
        description = translated(declared.description, language)
        if description != declared.description.english:
            descriptions[locale.value] = description
    return {
        "name": _NAME,
        "name_localizations": names,
        "description": declared.description.english,
        "description_localizations": descriptions,
        "handler": _ANSWERED_BY_THE_BOT,
    }


def answered(there: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether, of the commands that Discord has, the bot answers this one."""
    ours = {"type": ENTRY_POINT, "handler": _ANSWERED_BY_THE_BOT}
    return any(ours.items() <= one.items() for one in there)


def kept(
    there: Iterable[Mapping[str, Any]], ours: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """Return what to send back of the commands that Discord has: with our texts, if there are any."""
    found = []
    for one in there:
        if one["type"] == ENTRY_POINT:
            known = {k: v for k, v in one.items() if k not in _ASSIGNED and v is not None}
            named = () if one["name"] == _NAME else ("name", "name_localizations")
            found.append(known | {k: v for k, v in (ours or {}).items() if k not in named})
    return found

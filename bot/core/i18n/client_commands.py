"""Texts in the language a player chose, with commands named as in their Discord client.

Discord shows command names in the client's language, whatever a player chooses here.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.phrase import Tongue

_COMMAND: Final = re.compile(r"`/[^`\n]+`")
_CONTEXTS: Final = {"command", "option"}


class ClientCommands:
    """A language with the command names of another."""

    def __init__(self, words: Tongue, commands: Tongue) -> None:
        """Speak one language, with the names of commands and options from another."""
        self._words = words
        self._commands = commands

    def gettext(self, message: str, /) -> str:
        """Return a template in the language of the words."""
        return self._renamed(message, self._words.gettext(message))

    def pgettext(self, context: str, message: str, /) -> str:
        """Return a word as used in a context."""
        tongue = self._commands if context in _CONTEXTS else self._words
        return tongue.pgettext(context, message)

    def ngettext(self, one: str, many: str, n: int, /) -> str:
        """Return the template for a number of things."""
        return self._renamed(one, self._words.ngettext(one, many, n))

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return the parts as a list in words."""
        return self._words.listing(parts, either=either)

    def _renamed(self, english: str, translation: str) -> str:
        for line in _COMMAND.findall(english):
            translation = translation.replace(
                _named(line, self._words), _named(line, self._commands)
            )
        return translation


def _named(line: str, tongue: Tongue) -> str:
    """Return a command as typed in a language, from its English names."""
    names = []
    for part in line.strip("`/").split(" "):
        name, colon, value = part.partition(":")
        context = "option" if colon else "command"
        names.append(tongue.pgettext(context, name) + colon + value)
    return f"`/{' '.join(names)}`"

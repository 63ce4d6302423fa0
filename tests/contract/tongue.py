"""A language that shows what is translated: the words of every template are in brackets.

A template's values are outside the brackets, so any word left there did not come from a phrase, and
no translator will ever see it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import Formatter
from typing import Final

_SAID: Final = re.compile("⟦[^⟧]*(?:⟧|$)")
"""Text seen by translators; the last piece may be cut off."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
"""Two letters or more: a single one is a file of the board or a symbol on it."""


class Marked:
    """English, with the words of templates in brackets."""

    def gettext(self, message: str) -> str:
        """Put brackets around everything but placeholders."""
        parts = []
        for words, name, _, _ in Formatter().parse(message):
            if words:
                parts.append(f"⟦{words}⟧")
            if name is not None:
                parts.append(f"{{{name}}}")
        return "".join(parts)

    def pgettext(self, context: str, message: str) -> str:
        """Put brackets around a word."""
        assert context
        return f"⟦{message}⟧"

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Return the singular or plural template."""
        return self.gettext(one if n == 1 else many)

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return a list with its conjunction in brackets."""
        last = " ⟦or⟧ " if either else " ⟦and⟧ "
        return last.join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def untranslatable(text: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the words in a text that no translator sees.

    Args:
        text: a text in the language `Marked`.
        names: words that are the same in all languages: notation, and typed text.

    """
    left = _SAID.sub(" ", text)
    for name in sorted(names, key=len, reverse=True):
        left = left.replace(name, " ")
    return tuple(_WORD.findall(left))

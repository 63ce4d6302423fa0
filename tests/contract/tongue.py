"""A language that shows what is translated: the words of every template stand in brackets.

What a template is filled with stands outside of them, so a word that is left there was said
without a phrase, and no translator will ever see it.
"""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_SAID: Final = re.compile("⟦[^⟧]*(?:⟧|$)")
"""Words that a translator sees; of the last the end may have been cut off."""
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
"""Two letters or more: one alone is a file of a board, or a sign on it."""


class Marked:
    """Says everything in English, the words of templates in brackets."""

    def gettext(self, message: str) -> str:
        """Put brackets round everything that is not a placeholder."""
        parts = []
        for words, name, _, _ in Formatter().parse(message):
            if words:
                parts.append(f"⟦{words}⟧")
            if name is not None:
                parts.append(f"{{{name}}}")
        return "".join(parts)

    def pgettext(self, context: str, message: str) -> str:
        """Put brackets round a word."""
        assert context
        return f"⟦{message}⟧"

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Return the template for one or for several."""
        return self.gettext(one if n == 1 else many)

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return a list whose last word is in brackets."""
        last = " ⟦or⟧ " if either else " ⟦and⟧ "
        return last.join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def untranslatable(said: str, names: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the words in what was said that no translator sees.

    Args:
        said: something in the language `Marked`.
        names: what is the same in all languages: notation, and what somebody typed.

    """
    left = _SAID.sub(" ", said)
    for name in sorted(names, key=len, reverse=True):
        left = left.replace(name, " ")
    return tuple(_WORD.findall(left))

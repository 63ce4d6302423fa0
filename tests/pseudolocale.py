"""A pseudo-locale: English in brackets shows which words came from the catalogue."""

from __future__ import annotations

import re

OPEN, CLOSE = "⟦", "⟧"


class PseudoLocale:
    """Says everything in English, in brackets; values stand outside their sentence's brackets."""

    def gettext(self, message: str) -> str:
        """Return the template in brackets."""
        return _bracketed(message)

    def pgettext(self, context: str, message: str) -> str:
        """Return the word in brackets."""
        assert context
        return f"{OPEN}{message}{CLOSE}"

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Return the singular or plural template in brackets."""
        return _bracketed(one if n == 1 else many)

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return the parts as a list, with its words in brackets."""
        last = "or" if either else "and"
        return f" {OPEN}{last}{CLOSE} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def _bracketed(template: str) -> str:
    return OPEN + re.sub(r"(\{[^{}]*\})", rf"{CLOSE}\1{OPEN}", template) + CLOSE

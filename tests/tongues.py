"""A language that nobody speaks: it shows which words came from the catalogue."""

from __future__ import annotations

OPEN, CLOSE = "⟦", "⟧"


class Bracketed:
    """Says everything in English, in brackets."""

    def gettext(self, message: str) -> str:
        """Return the template in brackets."""
        return f"{OPEN}{message}{CLOSE}"

    def pgettext(self, context: str, message: str) -> str:
        """Return the word in brackets."""
        assert context
        return f"{OPEN}{message}{CLOSE}"

    def ngettext(self, one: str, many: str, n: int) -> str:
        """Return the template for one or for several in brackets."""
        return f"{OPEN}{one if n == 1 else many}{CLOSE}"

    def listing(self, parts: list[str], *, either: bool) -> str:
        """Return the parts as a list, its words in brackets."""
        last = "or" if either else "and"
        return f" {OPEN}{last}{CLOSE} ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))

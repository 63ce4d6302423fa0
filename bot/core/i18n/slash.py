"""Commands in sentences, by their names in the reader's language."""

from __future__ import annotations

from functools import cache

from engine.phrase import Phrase, glued, lines, word


@cache
def slash(*path: str) -> Phrase:
    """Return a command as typed, such as ``/match verify``, from its English names."""
    return glued("/", lines((word("command", name) for name in path), " "))

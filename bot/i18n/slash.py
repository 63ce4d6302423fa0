"""How commands are written in a sentence: by the names that they have in the reader's language."""

from __future__ import annotations

from functools import cache

from engine.phrase import Phrase, glued, lines, word


@cache
def slash(*path: str) -> Phrase:
    """Return a command as it is typed, such as ``/match verify``.

    Args:
        path: its names one after the other, in English; names of games are the same everywhere.

    """
    return glued("/", lines((word("command", name) for name in path), " "))

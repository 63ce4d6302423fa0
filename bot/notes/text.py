"""How notes are shown to their authors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    from engine.phrase import Phrase

_MARKS: Final = re.compile(r"([\\`*_~|<>\[\]()#@:-])")
"""Characters that Discord may turn into mentions, links, times, emojis or Markdown."""
_MAX_LINE: Final = 40
"""Maximum characters of a note shown in a list."""


def plain(typed: str) -> str:
    """Return text escaped so that Discord shows it as typed."""
    return _MARKS.sub(r"\\\1", typed)


def quoted(note: str) -> Phrase:
    """Return a note as a quotation."""
    return lines(glued("> ", plain(line)) for line in note.split("\n"))


def shown(kept: str) -> tuple[Phrase, ...]:
    """Return a player's note as shown with other text; nothing if there is none."""
    return (say("Your note:"), quoted(kept)) if kept else ()


def written(number: int, kept: str) -> Phrase:
    """Return the confirmation that a note was written or removed."""
    if not kept:
        return say("You have no note on match #{number}.", number=number)
    return lines(
        (say("Your note on match #{number}, seen only by you:", number=number), quoted(kept))
    )


def below(entry: str, kept: str) -> str:
    """Return a list entry with the start of the note below it, if any."""
    if not kept:
        return entry
    first = kept.split("\n", 1)[0]
    if len(first) > _MAX_LINE or first != kept:
        first = glued(first[:_MAX_LINE].rstrip(), "…")
    # Translators: the beginning of the reader's own private note.
    return lines((entry, say("-# Note: {note}", note=plain(first))))

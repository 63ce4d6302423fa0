"""How notes are shown to who wrote them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from engine.phrase import glued, lines, say

if TYPE_CHECKING:
    from engine.phrase import Phrase

_MARKS: Final = re.compile(r"([\\`*_~|<>\[\]()#@:-])")
"""What Discord makes mentions, links, times, emojis and Markdown of."""
_MOST_OF_LINE: Final = 40
"""How much of a note is shown in a list."""


def plain(typed: str) -> str:
    """Return text so that Discord shows it as it was typed."""
    return _MARKS.sub(r"\\\1", typed)


def quoted(note: str) -> Phrase:
    """Return a note as a quotation."""
    return lines(glued("> ", plain(line)) for line in note.split("\n"))


def shown(kept: str) -> tuple[Phrase, ...]:
    """Return a player's note as it stands beside other words; nothing where there is none."""
    return (say("Your note:"), quoted(kept)) if kept else ()


def written(number: int, kept: str) -> Phrase:
    """Return the answer to who has written a note, or removed it."""
    if not kept:
        return say("No note is kept on match #{number}.", number=number)
    return lines(
        (say("Your note on match #{number}, seen only by you:", number=number), quoted(kept))
    )


def below(entry: str, kept: str) -> str:
    """Return an entry of a list of matches with the beginning of the note below it, if any."""
    if not kept:
        return entry
    first = kept.split("\n", 1)[0]
    if len(first) > _MOST_OF_LINE or first != kept:
        first = glued(first[:_MOST_OF_LINE].rstrip(), "…")
    # Translators: the beginning of a note that the reader wrote to themselves.
    return lines((entry, say("-# Note: {note}", note=plain(first))))

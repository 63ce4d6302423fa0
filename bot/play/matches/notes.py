"""Private notes on matches: visible only to their author, kept after the match ends."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from typing import Final

from bot.core.errors import Refusal
from bot.play.matches.positions import Position, player_of
from bot.play.matches.service import Matches
from data import locks
from data.matches import watching
from data.store.store import Store
from engine.phrase import Phrase, concat, lines, say
from engine.plain_text import paragraphs

MAX_NOTE: Final = 500
"""Maximum characters in a note."""
_MARKS: Final = re.compile(r"([\\`*_~|<>\[\]()#@:-])")
"""Characters that Discord may turn into mentions, links, times, emojis or Markdown."""
_MAX_LINE: Final = 40
"""Maximum characters of a note shown in a list."""


@dataclass(eq=False, repr=False)
class Notes:
    """The notes of all players."""

    store: Store
    matches: Matches

    async def of(self, position: Position, user_id: int) -> str:
        """Return a player's note on a match; empty if there is none, or the user does not play."""
        if position.player_of(user_id) is None:
            return ""
        async with self.store.read() as tx:
            return await watching.note_of(tx, position.match.id, user_id)

    async def write(self, match_id: int, user_id: int, typed: str, *, seen: str) -> str:
        """Replace a player's note with what they typed, and return it as stored; empty removes it.

        ``seen`` is the `mark` of the note they saw while writing. Raises NoSuchMatch, NotForYou, and
        Refusal if it is too long, or the note has changed since they saw it.
        """
        note = paragraphs(typed)
        if len(note) > MAX_NOTE:
            raise Refusal(
                say(
                    "A note takes up to {most} characters, and this one has {number}.",
                    most=MAX_NOTE,
                    number=len(note),
                )
            )
        async with self.store.write() as tx:
            # A user deleting their data waits for this lock, or has already left the seat.
            await locks.lock_match(tx, match_id)
            player_of(await self.matches.position_in(tx, match_id), user_id)
            present = await watching.note_of(tx, match_id, user_id)
            if mark(present) != seen and present != note:
                raise Refusal(_changed(present, note))
            await watching.put_note(tx, match_id, user_id, note)
        return note


def mark(note: str) -> str:
    """Return a short checksum that tells notes apart; empty for an empty note."""
    return f"{zlib.crc32(note.encode()):08x}" if note else ""


def _changed(present: str, note: str) -> str:
    """Return the refusal for a note changed meanwhile, with the typed text so none is lost."""
    parts = [say("Your note changed while you were writing, so it hasn't been replaced.")]
    parts += note_lines(present)
    if note:
        parts += [say("You typed:"), quoted(note)]
    return lines(parts)


def plain(typed: str) -> str:
    """Return text escaped so that Discord shows it as typed."""
    return _MARKS.sub(r"\\\1", typed)


def quoted(note: str) -> Phrase:
    """Return a note as a quotation."""
    return lines(concat("> ", plain(line)) for line in note.split("\n"))


def note_lines(kept: str) -> tuple[Phrase, ...]:
    """Return the lines that show a player's own note; none without one."""
    return (say("Your note:"), quoted(kept)) if kept else ()


def saved(number: int, kept: str) -> Phrase:
    """Return the confirmation that a note was written or removed."""
    if not kept:
        return say("You have no note on match #{number}.", number=number)
    shown = say("Your note on match #{number}, seen only by you:", number=number)
    return lines((shown, quoted(kept)))


def with_note(entry: str, kept: str) -> str:
    """Return a list entry with the start of the note below it, if any."""
    if not kept:
        return entry
    first = kept.split("\n", 1)[0]
    if len(first) > _MAX_LINE or first != kept:
        first = concat(first[:_MAX_LINE].rstrip(), "…")
    # Translators: the beginning of the reader's own private note.
    return lines((entry, say("-# Note: {note}", note=plain(first))))

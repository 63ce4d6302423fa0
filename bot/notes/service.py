"""Notes to oneself on a match: seen by who wrote them alone, kept after its end."""

from __future__ import annotations

import unicodedata
import zlib
from typing import TYPE_CHECKING, Final

from bot.errors import Refusal
from bot.matches.turns import player_of
from bot.notes import text
from data import matches, notes
from engine.phrase import lines, say

if TYPE_CHECKING:
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from data.store import Store

MAX_NOTE: Final = 500
"""How many characters a note has at most."""
_CONTROL: Final = frozenset({"Cc", "Cs"})
"""The kinds of characters that no text needs, but for the end of a line."""


class Notes:
    """The notes of all players."""

    def __init__(self, store: Store, matches_: Matches) -> None:
        """Work on the matches of a store."""
        self._store = store
        self._matches = matches_

    async def of(self, view: MatchView, user_id: int) -> str:
        """Return a player's note on a match; empty if there is none, and for strangers."""
        if view.player_of(user_id) is None:
            return ""
        async with self._store.read() as tx:
            return await notes.of(tx, view.match.id, user_id)

    async def write(self, match_id: int, user_id: int, typed: str, *, seen: str) -> str:
        """Keep what a player typed in place of their note, and return it as it is kept.

        Args:
            match_id: the match, under way or over.
            user_id: the player.
            typed: the new note; nothing removes it.
            seen: the `mark` of the note that they saw while they wrote.

        Raises:
            NoSuchMatch, NotForYou: as their names say.
            Refusal: it is too long, or the note has changed since they saw it.

        """
        note = _tidy(typed)
        if len(note) > MAX_NOTE:
            raise Refusal(
                say(
                    "A note takes up to {most} characters, and this one has {number}.",
                    most=MAX_NOTE,
                    number=len(note),
                )
            )
        async with self._store.write() as tx:
            # Who deletes their data waits for this, or has left the seat already.
            await matches.lock(tx, match_id)
            player_of(await self._matches.view_in(tx, match_id), user_id)
            present = await notes.of(tx, match_id, user_id)
            if mark(present) != seen and present != note:
                raise Refusal(_changed(present, note))
            await notes.put(tx, match_id, user_id, note)
        return note


def mark(note: str) -> str:
    """Return a few characters that tell a note from others; none for no note."""
    return f"{zlib.crc32(note.encode()):08x}" if note else ""


def _tidy(typed: str) -> str:
    """Return what was typed without characters that no text needs."""
    ends = typed.replace("\r\n", "\n").replace("\r", "\n")
    kept = (one for one in ends if one == "\n" or unicodedata.category(one) not in _CONTROL)
    return "".join(kept).strip()


def _changed(present: str, note: str) -> str:
    """Return what is said when another note was written meanwhile; nothing that was typed is lost."""
    told = [say("Your note was changed while you wrote, so nothing is replaced.")]
    told += text.shown(present)
    if note:
        told += [say("You typed:"), text.quoted(note)]
    return lines(told)

"""What it costs to leave a match: nothing where it has hardly begun, but only so many times a week."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bot.matches.begun import hardly_begun
from bot.matches.computers import is_practice
from data import aborts

if TYPE_CHECKING:
    from datetime import datetime

    from data.match import Match
    from data.store import Transaction

MAX_ABORTS: Final = 3
"""So many matches that have hardly begun may a player leave in seven days; the next count as lost."""


class Leaving(NamedTuple):
    """What it means if a player leaves a match now."""

    hardly_begun: bool
    practice: bool
    before: int
    """How many they have left lately that had hardly begun."""

    @property
    def void(self) -> bool:
        """Whether the match is void, rather than lost for who leaves it."""
        return self.hardly_begun and (self.practice or self.before < MAX_ABORTS)


async def leaving(tx: Transaction, match: Match, user_id: int, now: datetime) -> Leaving:
    """Return what it means if a player leaves a match now."""
    early, practice = await hardly_begun(tx, match), is_practice(match)
    before = await aborts.count(tx, user_id, now) if early and not practice else 0
    return Leaving(early, practice, before)

"""The cost of leaving a match: nothing while it has hardly begun, up to a weekly limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from bot.core.computers import is_practice
from bot.play.matches.begun import hardly_begun
from data.matches import aborts

if TYPE_CHECKING:
    from datetime import datetime

    from data.matches.match import Match
    from data.store.store import Transaction

MAX_ABORTS: Final = 3
"""Early matches a player may leave in seven days; further ones count as lost."""


class Leaving(NamedTuple):
    """The consequences of leaving a match now."""

    hardly_begun: bool
    practice: bool
    before: int
    """The number of such early matches the player has left recently."""

    @property
    def void(self) -> bool:
        """Whether the match becomes void rather than lost for its leaver."""
        return self.hardly_begun and (self.practice or self.before < MAX_ABORTS)


async def leaving(tx: Transaction, match: Match, user_id: int, now: datetime) -> Leaving:
    """Return the consequences for a player of leaving a match now."""
    early, practice = await hardly_begun(tx, match), is_practice(match)
    before = await aborts.count(tx, user_id, now) if early and not practice else 0
    return Leaving(early, practice, before)

"""What computers have to think about, put into the transactions of matches.

`bot.practice` does it; a chore that is in the store is done sooner or later, whatever happens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from bot.matches.computers import is_computer, is_practice
from data import chores
from data.chores import Kind

if TYPE_CHECKING:
    from datetime import datetime

    from data.matches import Match, Player
    from data.store import Transaction


class Minds(Protocol):
    """Is told what there is to think about, once it is committed."""

    def think(self, match_id: int) -> None:
        """Take notice that a computer is to move in a match."""

    def study(self, match_id: int) -> None:
        """Take notice that a match has ended."""


class NoMinds:
    """Thinks about nothing; what is to be thought about waits in the store."""

    def think(self, match_id: int) -> None:
        """Do nothing."""

    def study(self, match_id: int) -> None:
        """Do nothing."""


async def turn(tx: Transaction, match: Match, to_move: Player | None, at: datetime) -> None:
    """Record whether a computer is to move in a match now."""
    if not is_practice(match):
        return
    if to_move is not None and is_computer(to_move.user_id):
        await chores.put(tx, Kind.MOVE, match.id, at)
    else:
        await chores.remove(tx, Kind.MOVE, match.id)


async def ended(tx: Transaction, match: Match, at: datetime) -> None:
    """Record that a match has ended with a result, and is to be looked at."""
    await turn(tx, match, None, at)
    await chores.put(tx, Kind.STUDY, match.id, at)

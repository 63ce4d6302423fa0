"""Puts the work of computers into the transactions of matches.

It is stored, so it is done whatever happens. The commit itself wakes those who do it: they listen
to the store (`data.computer_tasks`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.matches.computers import is_practice
from bot.matches.stand_ins import computer_level
from data import computer_tasks
from data.computer_tasks import Kind

if TYPE_CHECKING:
    from datetime import datetime

    from data.matches import Match, Player
    from data.store import Transaction


async def turn(tx: Transaction, match: Match, to_move: Player | None, at: datetime) -> None:
    """Record whether a computer is to move now."""
    if not is_practice(match) and not match.given_up:
        return
    if to_move is not None and computer_level(to_move) is not None:
        await computer_tasks.put(tx, Kind.MOVE, match.id, at)
    else:
        await computer_tasks.remove(tx, Kind.MOVE, match.id)

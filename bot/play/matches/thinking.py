"""Queues the computers' work in the transactions of matches.

The tasks are stored, so none is lost. The commit itself wakes the workers, which listen to the
store (`data.tasks.computer_tasks`).
"""

from __future__ import annotations

from datetime import datetime

from bot.core.computers import is_person, is_practice
from bot.play.matches.stand_ins import computer_level
from data.matches.matches import Match, Player
from data.store.store import Transaction
from data.tasks import computer_tasks
from data.tasks.computer_tasks import Kind


async def turn(tx: Transaction, match: Match, to_move: Player | None, at: datetime) -> None:
    """Queue or cancel the computer's move, depending on whose turn it is."""
    if not is_practice(match) and not match.given_up:
        return
    if to_move is None or computer_level(to_move) is None:
        await computer_tasks.remove(tx, Kind.MOVE, str(match.id))
        return
    people = [player.user_id for player in match.players if is_person(player.user_id)]
    await computer_tasks.put(
        tx,
        Kind.MOVE,
        str(match.id),
        at,
        match_id=match.id,
        requester=(match.guild_id or 0, people[0] if people else 0),
        restart=True,  # it is another move, so a search for the last one is out of date
    )

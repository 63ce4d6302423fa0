"""Puts the work of computers into the transactions of matches.

It is stored, so it is done sooner or later; waking those who do it only makes it sooner.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.matches.computers import is_computer, is_practice
from data import computer_tasks
from data.computer_tasks import Kind

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from data.matches import Match, Player
    from data.store import Transaction


def _nobody(_: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Wakeups:
    """Called with a match once there is something to compute for it; the tasks are stored anyway."""

    move: Callable[[int], None] = _nobody
    """A computer is to move."""
    analysis: Callable[[int], None] = _nobody
    """The match has ended."""


async def turn(tx: Transaction, match: Match, to_move: Player | None, at: datetime) -> None:
    """Record whether a computer is to move now."""
    if not is_practice(match):
        return
    if to_move is not None and is_computer(to_move.user_id):
        await computer_tasks.put(tx, Kind.MOVE, match.id, at)
    else:
        await computer_tasks.remove(tx, Kind.MOVE, match.id)


async def ended(tx: Transaction, match: Match, at: datetime) -> None:
    """Record that a match has ended with a result and is to be analysed."""
    await turn(tx, match, None, at)
    await computer_tasks.put(tx, Kind.STUDY, match.id, at)

"""Players leave tournaments: one, or all of them as their data is deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.tournaments import jobs
from bot.tournaments.view import read_view
from data import tournament_entrants, tournaments
from data.tournaments import State

if TYPE_CHECKING:
    from datetime import datetime

    from bot.tournaments.view import TournamentView
    from data.store import Transaction


async def leave(tx: Transaction, view: TournamentView, user_id: int, *, reason: str) -> None:
    """Withdraw a player: at once before the start or from the reserves, else after this round."""
    if view.tournament.state is State.SIGN_UP or user_id in view.reserves:
        await tournament_entrants.remove(tx, view.id, user_id)
    else:
        await tournament_entrants.withdraw(
            tx, view.id, user_id, after=view.tournament.round, reason=reason
        )


async def withdraw_everywhere(tx: Transaction, user_id: int, now: datetime) -> None:
    """Withdraw a user from all tournaments, as their data is deleted.

    The announcements of those that they created are redrawn too.
    """
    entered = {one.id for one in await tournaments.of_player(tx, user_id)}
    for number in sorted(entered.union(await tournaments.made_by(tx, user_id))):
        locked = await tournaments.lock(tx, number)
        view = await read_view(tx, number)
        if locked is None or view is None or not locked.state.open:
            continue
        if number in entered:
            await leave(tx, view, user_id, reason="gone")
        changed = await tournaments.change(tx, locked)
        await jobs.show(tx, changed, now)

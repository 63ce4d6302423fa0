"""Voiding finished matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from data import matches, tables

if TYPE_CHECKING:
    from data.matches import Match
    from data.transaction import Transaction


async def void(tx: Transaction, match_id: int, *, reason: str, by: int) -> Match | None:
    """Void the result of a finished match. Ratings are computed elsewhere.

    Returns:
        The updated match; ``None`` if it is ongoing, void already or does not exist.

    """
    t = tables.matches
    finished = (t.c.id == match_id) & t.c.finished_at.is_not(None)
    result = update(t).where(finished, t.c.ending.is_distinct_from("voided"))
    # This locks the match: of two simultaneous calls one finds it done.
    if not await tx.run(result.values(reason=reason, ending="voided", ended_by=by)):
        return None
    players = tables.players
    await tx.run(update(players).where(players.c.match_id == match_id).values(rank=None))
    return await matches.get(tx, match_id)

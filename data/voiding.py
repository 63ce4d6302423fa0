"""Voiding finished matches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, update

from data import matches, tables

if TYPE_CHECKING:
    from data.matches import Match
    from data.transaction import Transaction

_VOID = (
    update(tables.matches)
    .where(
        tables.matches.c.id == bindparam("match"),
        tables.matches.c.finished_at.is_not(None),
        tables.matches.c.ending.is_distinct_from("voided"),
    )
    .values(reason=bindparam("because"), ending="voided", ended_by=bindparam("whose"))
)
_UNRANK = (
    update(tables.players).where(tables.players.c.match_id == bindparam("match")).values(rank=None)
)


async def void(tx: Transaction, match_id: int, *, reason: str, by: int) -> Match | None:
    """Void the result of a finished match. Ratings are computed elsewhere.

    Returns:
        The updated match; ``None`` if it is ongoing, void already or does not exist.

    """
    # This locks the match: of two simultaneous calls one finds it done.
    if not await tx.run(_VOID, {"match": match_id, "because": reason, "whose": by}):
        return None
    await tx.run(_UNRANK, {"match": match_id})
    return await matches.get(tx, match_id)

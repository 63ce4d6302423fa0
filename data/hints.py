"""Hints given in practice matches: at most one a turn; the match counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, insert, select, update

from data.tables import hints, matches

if TYPE_CHECKING:
    from data.transaction import Transaction

_OF = select(hints.c.said).where(
    hints.c.match_id == bindparam("match"), hints.c.version == bindparam("at")
)
_LOCK = select(matches.c.id).where(matches.c.id == bindparam("match")).with_for_update()
_COUNT = update(matches).where(matches.c.id == bindparam("match")).values(hints=matches.c.hints + 1)
_ADD = insert(hints)


async def of(tx: Transaction, match_id: int, version: int) -> dict[str, Any] | None:
    """Return the hint given at a turn of a match, if any."""
    said: dict[str, Any] | None = await tx.scalar(_OF, {"match": match_id, "at": version})
    return said


async def add(tx: Transaction, match_id: int, version: int, said: dict[str, Any]) -> dict[str, Any]:
    """Store and count a hint, unless the turn has one already; return the one that is stored."""
    await tx.row(_LOCK, {"match": match_id})
    before = await of(tx, match_id, version)
    if before is not None:
        return before
    await tx.run(_COUNT, {"match": match_id})
    await tx.run(_ADD, {"match_id": match_id, "version": version, "said": said})
    return said

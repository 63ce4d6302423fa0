"""Players' private notes on matches, at most one per player and match."""

from __future__ import annotations

from collections.abc import Iterable

import sqlalchemy as sa
from sqlalchemy import bindparam, delete, select

from data.sql.columns import Id, reference, table
from data.sql.transaction import Transaction

notes = table(
    "notes",
    sa.Column("user_id", Id, nullable=False),
    reference("match_id", "matches.id"),
    sa.Column("text", sa.Text, nullable=False),
    sa.Index("ix_notes_match_id", "match_id"),
    key=("user_id", "match_id"),
)
"""Players' private notes on a match, kept after its end."""


_THIS = (notes.c.user_id == bindparam("user")) & (notes.c.match_id == bindparam("match"))
_GET = select(notes.c.text).where(_THIS)
_REMOVE = delete(notes).where(_THIS)


async def of(tx: Transaction, match_id: int, user_id: int) -> str:
    """Return a player's note on a match, empty if there is none."""
    found: str | None = await tx.scalar(_GET, {"user": user_id, "match": match_id})
    return found or ""


async def of_matches(tx: Transaction, user_id: int, match_ids: Iterable[int]) -> dict[int, str]:
    """Return a player's notes on some matches; those without one are omitted."""
    these = notes.c.match_id.in_(sorted(match_ids))
    statement = select(notes.c.match_id, notes.c.text).where(notes.c.user_id == user_id, these)
    return {row.match_id: row.text for row in await tx.rows(statement)}


async def put(tx: Transaction, match_id: int, user_id: int, text: str) -> None:
    """Store a note in place of the previous one; an empty note removes it."""
    if text:
        await tx.put(notes, {"user_id": user_id, "match_id": match_id, "text": text})
    else:
        await tx.run(_REMOVE, {"user": user_id, "match": match_id})

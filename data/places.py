"""Where matches are played: the channel or thread, and its parent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import update

from data.tables import matches

if TYPE_CHECKING:
    from data.transaction import Transaction


async def put(
    tx: Transaction, match_id: int, *, place: str, channel_id: int, parent_id: int | None
) -> None:
    """Set where a match is played."""
    values = {"place": place, "channel_id": channel_id, "parent_id": parent_id}
    await tx.run(update(matches).where(matches.c.id == match_id).values(values))

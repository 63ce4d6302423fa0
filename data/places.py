"""Where matches are played: the channel or thread, and its parent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, update

from data.tables import matches

if TYPE_CHECKING:
    from data.transaction import Transaction

_PUT = (
    update(matches)
    .where(matches.c.id == bindparam("match"))
    .values(place=bindparam("kind"), channel_id=bindparam("channel"), parent_id=bindparam("parent"))
)


async def put(
    tx: Transaction, match_id: int, *, place: str, channel_id: int, parent_id: int | None
) -> None:
    """Set where a match is played."""
    await tx.run(
        _PUT, {"match": match_id, "kind": place, "channel": channel_id, "parent": parent_id}
    )

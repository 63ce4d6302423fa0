"""Whom the moderators of a server keep out of rated play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, select

from data.tables import unrated
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from data.transaction import Transaction

_PUT = upsert(unrated, "at", "decided_by")
_IN_SERVER = unrated.c.guild_id == bindparam("guild")
_REMOVE = delete(unrated).where(_IN_SERVER, unrated.c.user_id == bindparam("user"))
_ONE = select(unrated.c.user_id).where(_IN_SERVER, unrated.c.user_id == bindparam("user"))
_OF_SERVER = (
    select(unrated.c.user_id)
    .where(_IN_SERVER)
    .order_by(unrated.c.at, unrated.c.user_id)
    .limit(bindparam("most"))
)
_COUNT = select(func.count()).select_from(unrated).where(_IN_SERVER)


async def keep_out(tx: Transaction, guild_id: int, user_id: int, *, by: int, at: datetime) -> bool:
    """Keep somebody out of rated play in a server; return whether they were in it before."""
    already = await among(tx, guild_id, [user_id])
    if not already:
        values = {"guild_id": guild_id, "user_id": user_id, "at": at, "decided_by": by}
        await tx.run(_PUT[tx.dialect], values)
    return not already


async def let_in(tx: Transaction, guild_id: int, user_id: int) -> bool:
    """Let somebody play rated in a server again; return whether they were kept out before."""
    return bool(await tx.run(_REMOVE, {"guild": guild_id, "user": user_id}))


async def among(tx: Transaction, guild_id: int, user_ids: Iterable[int]) -> tuple[int, ...]:
    """Return which of some people are kept out in a server."""
    # One by one: a list of them could not be asked about in a transaction of one journey.
    return tuple(
        [
            user_id
            for user_id in user_ids
            if await tx.row(_ONE, {"guild": guild_id, "user": user_id}) is not None
        ]
    )


async def of_server(tx: Transaction, guild_id: int, *, most: int) -> tuple[int, ...]:
    """Return the first who are kept out in a server, in the order of keeping out."""
    return tuple(r.user_id for r in await tx.rows(_OF_SERVER, {"guild": guild_id, "most": most}))


async def count(tx: Transaction, guild_id: int) -> int:
    """Return how many people are kept out in a server."""
    row = await tx.row(_COUNT, {"guild": guild_id})
    assert row is not None
    return int(row[0])

"""The players whom the moderators of a server have excluded from rated play."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, func, select

from data.tables import excluded_players
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from data.transaction import Transaction

_PUT = upsert(excluded_players, "at", "decided_by")
_IN_SERVER = excluded_players.c.guild_id == bindparam("guild")
_REMOVE = delete(excluded_players).where(
    _IN_SERVER, excluded_players.c.user_id == bindparam("user")
)
_ONE = select(excluded_players.c.user_id).where(
    _IN_SERVER, excluded_players.c.user_id == bindparam("user")
)
_OF_SERVER = (
    select(excluded_players.c.user_id)
    .where(_IN_SERVER)
    .order_by(excluded_players.c.at, excluded_players.c.user_id)
    .limit(bindparam("most"))
)
_COUNT = select(func.count()).select_from(excluded_players).where(_IN_SERVER)


async def exclude(tx: Transaction, guild_id: int, user_id: int, *, by: int, at: datetime) -> bool:
    """Exclude a player in a server; return whether that is new."""
    already = await among(tx, guild_id, [user_id])
    if not already:
        values = {"guild_id": guild_id, "user_id": user_id, "at": at, "decided_by": by}
        await tx.run(_PUT[tx.dialect], values)
    return not already


async def readmit(tx: Transaction, guild_id: int, user_id: int) -> bool:
    """Readmit a player in a server; return whether they were excluded."""
    return bool(await tx.run(_REMOVE, {"guild": guild_id, "user": user_id}))


async def among(tx: Transaction, guild_id: int, user_ids: Iterable[int]) -> tuple[int, ...]:
    """Return the excluded players of a server among some people."""
    # One by one: a list of them could not be asked about in a transaction of one journey.
    return tuple(
        [
            user_id
            for user_id in user_ids
            if await tx.row(_ONE, {"guild": guild_id, "user": user_id}) is not None
        ]
    )


async def of_server(tx: Transaction, guild_id: int, *, most: int) -> tuple[int, ...]:
    """Return the first players that were excluded in a server, in that order."""
    return tuple(r.user_id for r in await tx.rows(_OF_SERVER, {"guild": guild_id, "most": most}))


async def count(tx: Transaction, guild_id: int) -> int:
    """Return the number of excluded players of a server."""
    row = await tx.row(_COUNT, {"guild": guild_id})
    assert row is not None
    return int(row[0])

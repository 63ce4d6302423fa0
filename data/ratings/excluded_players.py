"""Players excluded from rated play by a server's moderators."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Column, Table, delete, func, select

from data.sql.columns import KEYED, Id, Instant, metadata
from data.sql.statements import upsert
from data.sql.transaction import Transaction

excluded_players = Table(
    "excluded_players",
    metadata,
    Column("guild_id", Id, primary_key=True),
    Column("user_id", Id, primary_key=True),
    Column("at", Instant, nullable=False),
    Column("decided_by", Id, nullable=False),
    **KEYED,
)
"""Players excluded from rated play by a server's moderators."""


_c = excluded_players.c
_PUT = upsert(excluded_players)


async def exclude(tx: Transaction, guild_id: int, user_id: int, *, by: int, at: datetime) -> bool:
    """Exclude a player in a server; return whether that is new."""
    already = await filter_excluded(tx, guild_id, [user_id])
    if not already:
        values = {"guild_id": guild_id, "user_id": user_id, "at": at, "decided_by": by}
        await tx.run(_PUT[tx.dialect], values)
    return not already


async def decided_by(tx: Transaction, guild_id: int, user_id: int) -> int | None:
    """Return who excluded a player in a server; ``None`` if they are not excluded."""
    this = (_c.guild_id == guild_id) & (_c.user_id == user_id)
    who: int | None = await tx.scalar(select(_c.decided_by).where(this))
    return who


async def readmit(tx: Transaction, guild_id: int, user_id: int) -> bool:
    """Readmit a player in a server; return whether they were excluded."""
    this = (_c.guild_id == guild_id) & (_c.user_id == user_id)
    return bool(await tx.run(delete(excluded_players).where(this)))


async def filter_excluded(
    tx: Transaction, guild_id: int, user_ids: Iterable[int], *, by_others: bool = False
) -> tuple[int, ...]:
    """Return the excluded players of a server among some users.

    Args:
        tx: a transaction.
        guild_id: the server.
        user_ids: the users.
        by_others: whether to leave out those whom one of these users has excluded.

    """
    wanted = list(user_ids)
    statement = select(_c.user_id).where(_c.guild_id == guild_id, _c.user_id.in_(wanted))
    if by_others:
        statement = statement.where(_c.decided_by.not_in(wanted))
    return tuple(sorted(await tx.scalars(statement), key=wanted.index))


async def of_server(tx: Transaction, guild_id: int, *, limit: int) -> tuple[int, ...]:
    """Return the players excluded in a server, longest excluded first, up to a limit."""
    here = select(_c.user_id).where(_c.guild_id == guild_id).order_by(_c.at, _c.user_id)
    return await tx.scalars(here.limit(limit))


async def count(tx: Transaction, guild_id: int) -> int:
    """Return the number of excluded players of a server."""
    return int(await tx.scalar(select(func.count()).where(_c.guild_id == guild_id)))

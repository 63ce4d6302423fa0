"""Players' block lists."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import delete, or_, select

from data.sql.columns import table
from data.sql.transaction import Transaction

blocks = table(
    "blocks",
    rows={"user_id": int, "blocked_id": int, "since": datetime},
    key=("user_id", "blocked_id"),
)


async def block(tx: Transaction, user_id: int, blocked_id: int, at: datetime) -> None:
    """Block a player."""
    await tx.put(blocks, {"user_id": user_id, "blocked_id": blocked_id, "since": at})


async def unblock(tx: Transaction, user_id: int, blocked_id: int) -> bool:
    """Unblock a player; return whether they were blocked."""
    this = (blocks.c.user_id == user_id) & (blocks.c.blocked_id == blocked_id)
    return bool(await tx.run(delete(blocks).where(this)))


async def blocked_by(tx: Transaction, user_id: int) -> tuple[int, ...]:
    """Return the players that a user has blocked, oldest block first."""
    mine = select(blocks.c.blocked_id).where(blocks.c.user_id == user_id)
    return await tx.scalars(mine.order_by(blocks.c.since, blocks.c.blocked_id))


async def blocks_between(
    tx: Transaction, user_id: int, others: Iterable[int] | None = None
) -> tuple[tuple[int, int], ...]:
    """Return the blocks between a user and some or all others, as pairs of blocker and blocked."""
    here, there = blocks.c.user_id, blocks.c.blocked_id
    if others is None:
        wanted = or_(here == user_id, there == user_id)
    else:
        named = list(others)
        wanted = ((here == user_id) & there.in_(named)) | ((there == user_id) & here.in_(named))
    rows = await tx.rows(select(here, there).where(wanted).order_by(here, there))
    return tuple((row[0], row[1]) for row in rows)


excluded_players = table(
    "excluded_players",
    rows={"guild_id": int, "user_id": int, "at": datetime, "decided_by": int},
    key=("guild_id", "user_id"),
)
"""Players excluded from rated play by a server's moderators."""

_c = excluded_players.c


async def exclude(tx: Transaction, guild_id: int, user_id: int, *, by: int, at: datetime) -> bool:
    """Exclude a player in a server; return whether that is new."""
    already = await filter_excluded(tx, guild_id, [user_id])
    if not already:
        values = {"guild_id": guild_id, "user_id": user_id, "at": at, "decided_by": by}
        await tx.put(excluded_players, values)
    return not already


async def decided_by(tx: Transaction, guild_id: int, user_id: int) -> int | None:
    """Return who excluded a player in a server; ``None`` if they are not excluded."""
    this = (_c.guild_id == guild_id) & (_c.user_id == user_id)
    return await tx.scalar(select(_c.decided_by).where(this))


async def readmit(tx: Transaction, guild_id: int, user_id: int) -> bool:
    """Readmit a player in a server; return whether they were excluded."""
    this = (_c.guild_id == guild_id) & (_c.user_id == user_id)
    return bool(await tx.run(delete(excluded_players).where(this)))


async def filter_excluded(
    tx: Transaction, guild_id: int, user_ids: Iterable[int], *, by_others: bool = False
) -> tuple[int, ...]:
    """Return the excluded players of a server among some users.

    ``by_others`` leaves out those whom one of these users has excluded.
    """
    wanted = list(user_ids)
    statement = select(_c.user_id).where(_c.guild_id == guild_id, _c.user_id.in_(wanted))
    if by_others:
        statement = statement.where(_c.decided_by.not_in(wanted))
    return tuple(sorted(await tx.scalars(statement), key=wanted.index))


async def excluded_in(tx: Transaction, guild_id: int, *, limit: int) -> tuple[int, ...]:
    """Return the players excluded in a server, longest excluded first, up to a limit."""
    here = select(_c.user_id).where(_c.guild_id == guild_id).order_by(_c.at, _c.user_id)
    return await tx.scalars(here.limit(limit))


async def count_excluded(tx: Transaction, guild_id: int) -> int:
    """Return the number of excluded players of a server."""
    return await tx.count(_c.guild_id == guild_id)

"""Players' block lists."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Column, Table, delete, or_, select

from data.sql.columns import KEYED, Id, Instant, metadata
from data.sql.statements import upsert
from data.sql.transaction import Transaction

blocks = Table(
    "blocks",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("blocked_id", Id, primary_key=True),
    Column("since", Instant, nullable=False),
    **KEYED,
)


_PUT = upsert(blocks)


async def add(tx: Transaction, user_id: int, blocked_id: int, at: datetime) -> None:
    """Block a player."""
    await tx.run(_PUT[tx.dialect], {"user_id": user_id, "blocked_id": blocked_id, "since": at})


async def remove(tx: Transaction, user_id: int, blocked_id: int) -> bool:
    """Unblock a player; return whether they were blocked."""
    this = (blocks.c.user_id == user_id) & (blocks.c.blocked_id == blocked_id)
    return bool(await tx.run(delete(blocks).where(this)))


async def of(tx: Transaction, user_id: int) -> tuple[int, ...]:
    """Return the players that a user has blocked, oldest block first."""
    mine = select(blocks.c.blocked_id).where(blocks.c.user_id == user_id)
    return await tx.scalars(mine.order_by(blocks.c.since, blocks.c.blocked_id))


async def between(
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

"""Matches that players abandoned at the start, which are void."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import (
    Column,
    ForeignKey,
    Index,
    Table,
    delete,
    func,
    insert,
    select,
)

from data.matches.match import matches
from data.sql.columns import KEYED, Id, Instant, metadata
from data.sql.transaction import Transaction

aborts = Table(
    "aborts",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("at", Instant, nullable=False),
    Index("ix_aborts_match_id", "match_id"),
    Index("ix_aborts_at", "at"),
    **KEYED,
)
"""Players who left a match before everyone had had two turns; kept for a week."""


KEPT: Final = timedelta(days=7)
"""How long an abort counts and is stored."""


async def add(tx: Transaction, user_id: int, match_id: int, at: datetime) -> None:
    """Record that a player left a match; delete aborts that no longer count."""
    old = (aborts.c.user_id == user_id) & (aborts.c.at <= at - KEPT)
    await tx.run(delete(aborts).where(old))
    await tx.run(insert(aborts), {"user_id": user_id, "match_id": match_id, "at": at})


async def of_match(tx: Transaction, match_id: int) -> tuple[int, ...]:
    """Return the players who aborted a match."""
    return await tx.scalars(select(aborts.c.user_id).where(aborts.c.match_id == match_id))


async def count(
    tx: Transaction, user_id: int, now: datetime, *, guild_id: int | None = None
) -> int:
    """Return how many matches a player has aborted recently, in one server or everywhere."""
    mine = select(func.count()).where(aborts.c.user_id == user_id, aborts.c.at > now - KEPT)
    if guild_id is not None:
        mine = mine.join_from(aborts, matches).where(matches.c.guild_id == guild_id)
    return int(await tx.scalar(mine))


async def of_server(
    tx: Transaction, guild_id: int, now: datetime, *, limit: int
) -> tuple[tuple[int, int], ...]:
    """Return the players with the most recent aborts in a server, with their numbers."""
    number = func.count().label("number")
    statement = (
        select(aborts.c.user_id, number)
        .join_from(aborts, matches)
        .where(aborts.c.at > now - KEPT, matches.c.guild_id == guild_id)
        .group_by(aborts.c.user_id)
        .order_by(number.desc(), aborts.c.user_id)
    )
    return tuple((row[0], row[1]) for row in await tx.rows(statement.limit(limit)))

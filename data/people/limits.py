"""How much of the challenge limits users had used when they deleted their data.

Deleting it makes their challenges anonymous. Only counts are kept, not the times of single
challenges, and only until they expire.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Column, Index, Integer, Table, Text, delete, func, insert, select

from data import locks
from data.sql import due
from data.sql.columns import KEYED, Id, Instant, metadata
from data.sql.statements import upsert
from data.sql.transaction import Transaction

spent_limits = Table(
    "spent_limits",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("action", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("opponent_id", Id, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Index("ix_spent_limits_ends_at", "ends_at"),
    **KEYED,
)
"""How much of the challenge limits users had used when they deleted their data, until it expires.

``game`` is empty and ``opponent_id`` 0 where a limit applies to all.
"""


_s: Final = spent_limits.c


@dataclass(frozen=True, slots=True)
class Spent:
    """How much of one limit is used up."""

    action: str
    number: int
    ends_at: datetime
    """When it stops counting."""
    game: str = ""
    """The game that the limit applies to; empty for all."""
    opponent_id: int = 0
    """The opponent that the limit applies to; 0 for all."""

    @property
    def limit(self) -> tuple[str, str, int]:
        """The key of the limit."""
        return self.action, self.game, self.opponent_id

    def with_(self, earlier: Spent) -> Spent:
        """Return this added to earlier use of the same limit."""
        ends_at = max(self.ends_at, earlier.ends_at)
        return replace(self, number=self.number + earlier.number, ends_at=ends_at)


_SPENT: Final = select(*(_s[field.name] for field in fields(Spent)))


async def spent_of(tx: Transaction, user_id: int, now: datetime) -> tuple[Spent, ...]:
    """Return a user's entries that still count."""
    rows = await tx.rows(_SPENT.where(_s.user_id == user_id, _s.ends_at > now))
    return tuple(Spent(*row) for row in rows)


async def keep_spent(tx: Transaction, user_id: int, spent: Iterable[Spent]) -> None:
    """Store a user's entries, replacing all earlier ones."""
    await tx.run(delete(spent_limits).where(_s.user_id == user_id))
    rows = [asdict(one) | {"user_id": user_id} for one in spent]
    if rows:
        await tx.run(insert(spent_limits), rows)
        due.announce(tx, min(row["ends_at"] for row in rows))


async def first_end(tx: Transaction) -> datetime | None:
    """Return when the first stored entry expires, if there is one."""
    moment: datetime | None = await tx.scalar(select(func.min(_s.ends_at)))
    return moment


async def forget(tx: Transaction, now: datetime) -> int:
    """Delete expired entries; return their number."""
    return await tx.run(delete(spent_limits).where(_s.ends_at <= now))


hourly_uses = Table(
    "hourly_uses",
    metadata,
    Column("user_id", Id, primary_key=True),
    Column("action", Text, primary_key=True),
    Column("since", Instant, nullable=False),
    Column("number", Integer, nullable=False),
    Index("ix_hourly_uses_since", "since"),
    **KEYED,
)
"""How often a user has done something in the hour that began at ``since``."""


_HOUR: Final = timedelta(hours=1)
_h: Final = hourly_uses.c
_PUT_USE = upsert(hourly_uses)


async def take(
    tx: Transaction, user_id: int, action: str, now: datetime, limit: int
) -> datetime | None:
    """Count one more use, the first of which starts an hour.

    Returns:
        ``None``; or, once the limit is reached, when the next hour begins.
    """
    await locks.lock_id(tx, user_id)
    row = await tx.row(
        select(_h.since, _h.number).where(_h.user_id == user_id, _h.action == action)
    )
    since, number = (now, 0) if row is None or row.since + _HOUR <= now else row
    if number >= limit:
        again: datetime = since + _HOUR
        return again
    values = {"user_id": user_id, "action": action, "since": since, "number": number + 1}
    await tx.run(_PUT_USE[tx.dialect], values)
    if number == 0:
        due.announce(tx, since + _HOUR)
    return None


async def first_hour_end(tx: Transaction) -> datetime | None:
    """Return when the earliest counted hour ends, if there is one."""
    since: datetime | None = await tx.scalar(select(func.min(_h.since)))
    return None if since is None else since + _HOUR


async def forget_hours(tx: Transaction, now: datetime) -> int:
    """Delete the hours that are over; return their number."""
    return await tx.run(delete(hourly_uses).where(_h.since <= now - _HOUR))

"""How much of the challenge limits users had used when they deleted their data.

Deleting it makes their challenges anonymous. Only counts are kept, not the times of single
challenges, and only until they expire.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Column, Index, delete, func, select

from data import locks
from data.sql.columns import Id, table
from data.sql.transaction import Transaction


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


spent_limits = table(
    "spent_limits",
    Column("user_id", Id, nullable=False),
    Index("ix_spent_limits_ends_at", "ends_at"),
    rows=Spent,
    key=("user_id", "action", "game", "opponent_id"),
)

_s: Final = spent_limits.c

_SPENT: Final = select(*(_s[field.name] for field in fields(Spent)))


async def spent_of(tx: Transaction, user_id: int, now: datetime) -> tuple[Spent, ...]:
    """Return a user's entries that still count."""
    return await tx.records(Spent, _SPENT.where(_s.user_id == user_id, _s.ends_at > now))


async def keep_spent(tx: Transaction, user_id: int, spent: Iterable[Spent]) -> None:
    """Store a user's entries, replacing all earlier ones."""
    await tx.run(delete(spent_limits).where(_s.user_id == user_id))
    rows = [asdict(one) | {"user_id": user_id} for one in spent]
    if rows:
        await tx.add(spent_limits, *rows)
        tx.announce_due(min(row["ends_at"] for row in rows))


async def first_end(tx: Transaction) -> datetime | None:
    """Return when the first stored entry expires, if there is one."""
    return await tx.scalar(select(func.min(_s.ends_at)))


async def forget(tx: Transaction, now: datetime) -> int:
    """Delete expired entries; return their number."""
    return await tx.run(delete(spent_limits).where(_s.ends_at <= now))


hourly_uses = table(
    "hourly_uses",
    Index("ix_hourly_uses_since", "since"),
    rows={"user_id": int, "action": str, "since": datetime, "number": int},
    key=("user_id", "action"),
)
"""How often a user has done something in the hour that began at ``since``."""

_HOUR: Final = timedelta(hours=1)
_h: Final = hourly_uses.c


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
    await tx.put(hourly_uses, values)
    if number == 0:
        tx.announce_due(since + _HOUR)
    return None


async def first_hour_end(tx: Transaction) -> datetime | None:
    """Return when the earliest counted hour ends, if there is one."""
    since: datetime | None = await tx.scalar(select(func.min(_h.since)))
    return None if since is None else since + _HOUR


async def forget_hours(tx: Transaction, now: datetime) -> int:
    """Delete the hours that are over; return their number."""
    return await tx.run(delete(hourly_uses).where(_h.since <= now - _HOUR))

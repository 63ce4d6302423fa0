"""How much of the challenge limits users had used when they deleted their data.

Deleting it makes their challenges anonymous. Only counts are kept, not the times of single
challenges, and only until they expire.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, insert, select

from data.people.people_tables import spent_limits
from data.sql import due
from data.sql.transaction import Transaction

_c: Final = spent_limits.c


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


_SPENT: Final = select(*(_c[field.name] for field in fields(Spent)))


async def of(tx: Transaction, user_id: int, now: datetime) -> tuple[Spent, ...]:
    """Return a user's entries that still count."""
    rows = await tx.rows(_SPENT.where(_c.user_id == user_id, _c.ends_at > now))
    return tuple(Spent(*row) for row in rows)


async def keep(tx: Transaction, user_id: int, spent: Iterable[Spent]) -> None:
    """Store a user's entries, replacing all earlier ones."""
    await tx.run(delete(spent_limits).where(_c.user_id == user_id))
    rows = [asdict(one) | {"user_id": user_id} for one in spent]
    if rows:
        await tx.run(insert(spent_limits), rows)
        due.announce(tx, min(row["ends_at"] for row in rows))


async def first_end(tx: Transaction) -> datetime | None:
    """Return when the first stored entry expires, if there is one."""
    moment: datetime | None = await tx.scalar(select(func.min(_c.ends_at)))
    return moment


async def forget(tx: Transaction, now: datetime) -> int:
    """Delete expired entries; return their number."""
    return await tx.run(delete(spent_limits).where(_c.ends_at <= now))

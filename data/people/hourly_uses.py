"""Users' hourly numbers of expensive actions, stored so that all processes share them.

They are deleted when their hour is over and no earlier, even for users who delete their data.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, func, select

from data.challenges.open_challenges import serialize
from data.people.people_tables import hourly_uses
from data.sql import due
from data.sql.transaction import Transaction
from data.sql.upserts import upsert

_HOUR: Final = timedelta(hours=1)
_c: Final = hourly_uses.c
_PUT = upsert(hourly_uses)


async def take(
    tx: Transaction, user_id: int, action: str, now: datetime, limit: int
) -> datetime | None:
    """Count one more use, the first of which starts an hour.

    Returns:
        ``None``; or, once the limit is reached, when the next hour begins.
    """
    await serialize(tx, user_id)
    row = await tx.row(
        select(_c.since, _c.number).where(_c.user_id == user_id, _c.action == action)
    )
    since, number = (now, 0) if row is None or row.since + _HOUR <= now else row
    if number >= limit:
        again: datetime = since + _HOUR
        return again
    values = {"user_id": user_id, "action": action, "since": since, "number": number + 1}
    await tx.run(_PUT[tx.dialect], values)
    if number == 0:
        due.announce(tx, since + _HOUR)
    return None


async def first_end(tx: Transaction) -> datetime | None:
    """Return when the earliest counted hour ends, if there is one."""
    since: datetime | None = await tx.scalar(select(func.min(_c.since)))
    return None if since is None else since + _HOUR


async def forget(tx: Transaction, now: datetime) -> int:
    """Delete the hours that are over; return their number."""
    return await tx.run(delete(hourly_uses).where(_c.since <= now - _HOUR))

"""How often users have done within an hour what costs much. Stored, so every process counts it."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from data.open_challenges import serialize
from data.tables import hourly_uses
from data.upserts import upsert

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Transaction

_HOUR: Final = timedelta(hours=1)
_PUT = upsert(hourly_uses)


async def take(
    tx: Transaction, user_id: int, what: str, now: datetime, most: int
) -> datetime | None:
    """Count one more use, the first of which begins an hour.

    Returns:
        ``None``; or, where there have been as many as may be, when the next hour begins.

    """
    t = hourly_uses.c
    await serialize(tx, user_id)
    row = await tx.row(select(t.since, t.number).where(t.user_id == user_id, t.what == what))
    since, number = (now, 0) if row is None or row.since + _HOUR <= now else row
    if number >= most:
        again: datetime = since + _HOUR
        return again
    values = {"user_id": user_id, "what": what, "since": since, "number": number + 1}
    await tx.run(_PUT[tx.dialect], values)
    return None

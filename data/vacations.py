"""Vacations: while a player is away, the clocks that wait for them stand still."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, delete, func, insert, select, update

from data.tables import vacations

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Vacation:
    """A time when a player is away."""

    id: int
    user_id: int
    starts_at: datetime
    ends_at: datetime
    over: bool
    """Whether its end has been dealt with."""


_INSTANT: Final = vacations.c.ends_at.type
_ADD = insert(vacations).returning(vacations.c.id)
_OF = select(vacations).where(vacations.c.user_id == bindparam("user"))
_PRESENT = (
    _OF.where(~vacations.c.over, vacations.c.ends_at > bindparam("now", type_=_INSTANT))
    .order_by(vacations.c.ends_at.desc())
    .limit(1)
)
_SINCE = _OF.where(vacations.c.ends_at > bindparam("after", type_=_INSTANT)).order_by(
    vacations.c.starts_at
)
_OPEN = select(vacations).where(~vacations.c.over)
_NEXT = select(func.min(vacations.c.ends_at).label("moment")).where(~vacations.c.over)
_DUE = _OPEN.where(vacations.c.ends_at <= bindparam("now", type_=_INSTANT)).order_by(
    vacations.c.ends_at, vacations.c.id
)
_END = (
    update(vacations)
    .where(vacations.c.id == bindparam("vacation"), ~vacations.c.over)
    .values(over=True, ends_at=bindparam("at", type_=_INSTANT))
)
_FORGET = delete(vacations).where(vacations.c.user_id == bindparam("user"))


async def add(tx: Transaction, user_id: int, *, starts_at: datetime, ends_at: datetime) -> int:
    """Record a vacation; return its number."""
    values = {"user_id": user_id, "starts_at": starts_at, "ends_at": ends_at, "over": False}
    number: int = await tx.scalar(_ADD, values)
    return number


async def present(tx: Transaction, user_id: int, now: datetime) -> Vacation | None:
    """Return the vacation that a player is on."""
    row = await tx.row(_PRESENT, {"user": user_id, "now": now})
    return None if row is None else Vacation(*row)


async def since(tx: Transaction, user_id: int, after: datetime) -> tuple[Vacation, ...]:
    """Return the vacations of a player that ended, or are to end, after a moment; oldest first."""
    rows = await tx.rows(_SINCE, {"user": user_id, "after": after})
    return tuple(Vacation(*row) for row in rows)


async def next_moment(tx: Transaction) -> datetime | None:
    """Return when the next vacation of anybody is over."""
    moment: datetime | None = await tx.scalar(_NEXT)
    return moment


async def due(tx: Transaction, now: datetime) -> tuple[Vacation, ...]:
    """Return the vacations that are over and were not dealt with, the oldest first."""
    return tuple(Vacation(*row) for row in await tx.rows(_DUE, {"now": now}))


async def end(tx: Transaction, vacation_id: int, at: datetime) -> bool:
    """Record the end of a vacation; return whether nobody else had."""
    return bool(await tx.run(_END, {"vacation": vacation_id, "at": at}))


async def forget(tx: Transaction, user_id: int) -> None:
    """Delete the vacations of a player."""
    await tx.run(_FORGET, {"user": user_id})

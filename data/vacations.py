"""Vacations, which pause a player's clocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy import bindparam, delete, func, insert, select, update

from data import due as due_topic
from data.tables import vacations

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Vacation:
    """A player's absence."""

    id: int
    user_id: int
    starts_at: datetime
    ends_at: datetime
    over: bool
    """Whether its end was handled."""


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
    """Add a vacation; return its number."""
    values = {"user_id": user_id, "starts_at": starts_at, "ends_at": ends_at, "over": False}
    number: int = await tx.scalar(_ADD, values)
    due_topic.announce(tx, ends_at)
    return number


async def present(tx: Transaction, user_id: int, now: datetime) -> Vacation | None:
    """Return a player's current vacation, if any."""
    row = await tx.row(_PRESENT, {"user": user_id, "now": now})
    return None if row is None else Vacation(*row)


async def since(tx: Transaction, user_id: int, after: datetime) -> tuple[Vacation, ...]:
    """Return a player's vacations that end after a moment, oldest first."""
    rows = await tx.rows(_SINCE, {"user": user_id, "after": after})
    return tuple(Vacation(*row) for row in rows)


async def next_moment(tx: Transaction) -> datetime | None:
    """Return when the next vacation of any player ends."""
    moment: datetime | None = await tx.scalar(_NEXT)
    return moment


async def due(tx: Transaction, now: datetime) -> tuple[Vacation, ...]:
    """Return the vacations whose end is past but not handled, oldest first."""
    return tuple(Vacation(*row) for row in await tx.rows(_DUE, {"now": now}))


async def end(tx: Transaction, vacation_id: int, at: datetime) -> bool:
    """End a vacation; return whether it had not ended before."""
    return bool(await tx.run(_END, {"vacation": vacation_id, "at": at}))


async def forget(tx: Transaction, user_id: int) -> None:
    """Delete a player's vacations."""
    await tx.run(_FORGET, {"user": user_id})

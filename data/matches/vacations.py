"""Vacations, which pause a player's clocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    Column,
    Index,
    Table,
    bindparam,
    func,
    insert,
    select,
    update,
)

from data.sql import due as due_topic
from data.sql.columns import COUNTED, Flag, Id, Instant, metadata
from data.sql.statements import Prepared
from data.sql.transaction import Transaction

vacations = Table(
    "vacations",
    metadata,
    Column("id", Id, primary_key=True),
    Column("user_id", Id, nullable=False),
    Column("starts_at", Instant, nullable=False),
    Column("ends_at", Instant, nullable=False),
    Column("over", Flag, nullable=False),
    Index("ix_vacations_user_id", "user_id", "ends_at"),
    Index("ix_vacations_over_ends_at", "over", "ends_at"),
    **COUNTED,
)


@dataclass(frozen=True, slots=True)
class Vacation:
    """A player's absence."""

    id: int
    user_id: int
    starts_at: datetime
    ends_at: datetime
    over: bool
    """Whether its end has been handled."""


_c = vacations.c
_NEXT_MOMENT = Prepared(select(func.min(_c.ends_at)).where(~_c.over))
_PRESENT = Prepared(  # queried every turn
    select(vacations)
    .where(
        _c.user_id == bindparam("user"),
        ~_c.over,
        _c.ends_at > bindparam("now", type_=_c.ends_at.type),
    )
    .order_by(_c.ends_at.desc())
    .limit(1)
)


async def add(tx: Transaction, user_id: int, *, starts_at: datetime, ends_at: datetime) -> int:
    """Add a vacation; return its number."""
    values = {"user_id": user_id, "starts_at": starts_at, "ends_at": ends_at, "over": False}
    number: int = await tx.scalar(insert(vacations).values(values).returning(vacations.c.id))
    due_topic.announce(tx, ends_at)
    return number


async def present(tx: Transaction, user_id: int, now: datetime) -> Vacation | None:
    """Return a player's current vacation, if any."""
    row = await tx.row(_PRESENT, {"user": user_id, "now": now})
    return None if row is None else Vacation(*row)


async def since(tx: Transaction, user_id: int, after: datetime) -> tuple[Vacation, ...]:
    """Return a player's vacations that end after a given time, oldest first."""
    statement = select(vacations).where(_c.user_id == user_id, _c.ends_at > after)
    return tuple(Vacation(*row) for row in await tx.rows(statement.order_by(_c.starts_at)))


async def of_players(
    tx: Transaction, user_ids: Iterable[int], after: datetime
) -> dict[int, list[Vacation]]:
    """Return the vacations of some players that end after a given time, oldest first."""
    these = select(vacations).where(_c.user_id.in_(list(user_ids)), _c.ends_at > after)
    found: dict[int, list[Vacation]] = {}
    for row in await tx.rows(these.order_by(_c.starts_at)):
        one = Vacation(*row)
        found.setdefault(one.user_id, []).append(one)
    return found


async def next_moment(tx: Transaction) -> datetime | None:
    """Return when the next vacation of any player ends."""
    moment: datetime | None = await tx.scalar(_NEXT_MOMENT)
    return moment


async def due(tx: Transaction, now: datetime) -> tuple[Vacation, ...]:
    """Return the vacations that have ended but are not handled, oldest first."""
    statement = select(vacations).where(~_c.over, _c.ends_at <= now).order_by(_c.ends_at, _c.id)
    return tuple(Vacation(*row) for row in await tx.rows(statement))


async def end(tx: Transaction, vacation_id: int, at: datetime) -> bool:
    """End a vacation; return whether it was still ongoing."""
    statement = update(vacations).where(_c.id == vacation_id, ~_c.over)
    return bool(await tx.run(statement.values(over=True, ends_at=at)))

"""When and where each server gets its puzzle of the day."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, func, select, update

from data.puzzles.analysis_tables import puzzle_schedules
from data.sql import due
from data.sql.prepared import by_scope
from data.sql.scope import Scope, within
from data.sql.transaction import Transaction
from data.sql.upserts import upsert

_s = puzzle_schedules.c
_PUT = upsert(puzzle_schedules)


@dataclass(frozen=True, slots=True)
class Schedule:
    """A server's schedule for daily puzzles."""

    guild_id: int
    channel_id: int
    hour: int
    """Hour of the day, in UTC."""
    next_at: datetime
    notified: bool = False
    """Whether its managers know that it cannot be posted."""


async def get(tx: Transaction, guild_id: int) -> Schedule | None:
    """Return a server's schedule, ``None`` if it wants no puzzles."""
    row = await tx.row(select(puzzle_schedules).where(_s.guild_id == guild_id))
    return None if row is None else Schedule(*row)


async def put(tx: Transaction, wanted: Schedule) -> None:
    """Set a server's schedule."""
    await tx.run(_PUT[tx.dialect], asdict(wanted))
    due.announce(tx, wanted.next_at)


async def set_next_at(tx: Transaction, guild_id: int, moment: datetime) -> None:
    """Set when a server gets its next puzzle, leaving the rest of its schedule."""
    await tx.run(update(puzzle_schedules).where(_s.guild_id == guild_id).values(next_at=moment))
    due.announce(tx, moment)


async def remove(tx: Transaction, guild_id: int) -> None:
    """Stop a server's daily puzzles."""
    await tx.run(delete(puzzle_schedules).where(_s.guild_id == guild_id))


async def mark_notified(tx: Transaction, guild_id: int, *, notified: bool) -> bool:
    """Record whether managers know that a puzzle cannot be posted; return whether that changed."""
    changed = update(puzzle_schedules).where(_s.guild_id == guild_id, _s.notified != notified)
    return bool(await tx.run(changed.values(notified=notified)))


async def next_moment(tx: Transaction, *, scope: Scope | None = None) -> datetime | None:
    """Return when the next puzzle is to be chosen."""
    moment: datetime | None = await tx.scalar(_next_chosen(scope))
    return moment


async def due_now(
    tx: Transaction, now: datetime, *, limit: int, scope: Scope | None = None
) -> tuple[Schedule, ...]:
    """Return the servers whose next puzzle is due, longest wait first."""
    statement = select(puzzle_schedules).where(_s.next_at <= now, *within(_s.guild_id, scope))
    rows = await tx.rows(statement.order_by(_s.next_at, _s.guild_id).limit(limit))
    return tuple(Schedule(*row) for row in rows)


@by_scope
def _next_chosen(scope: Scope | None) -> Select[Any]:
    return select(func.min(_s.next_at)).where(*within(_s.guild_id, scope))

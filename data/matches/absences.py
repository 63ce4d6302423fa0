"""Vacations, which pause a player's clocks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy import bindparam, delete, func, select, update

from data.matches.match import matches
from data.sql.columns import table
from data.sql.statements import Prepared
from data.sql.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Vacation:
    """A player's absence."""

    id: int
    user_id: int
    starts_at: datetime
    ends_at: datetime
    over: bool
    """Whether its end has been handled."""


vacations = table(
    "vacations",
    sa.Index("ix_vacations_user_id", "user_id", "ends_at"),
    sa.Index("ix_vacations_over_ends_at", "over", "ends_at"),
    rows=Vacation,
)

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
    number = await tx.insert(vacations, values)
    tx.announce_due(ends_at)
    return number


async def present(tx: Transaction, user_id: int, now: datetime) -> Vacation | None:
    """Return a player's current vacation, if any."""
    return await tx.record(Vacation, _PRESENT, {"user": user_id, "now": now})


async def since(tx: Transaction, user_id: int, after: datetime) -> tuple[Vacation, ...]:
    """Return a player's vacations that end after a given time, oldest first."""
    statement = select(vacations).where(_c.user_id == user_id, _c.ends_at > after)
    return await tx.records(Vacation, statement.order_by(_c.starts_at))


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
    return await tx.scalar(_NEXT_MOMENT)


async def due(tx: Transaction, now: datetime) -> tuple[Vacation, ...]:
    """Return the vacations that have ended but are not handled, oldest first."""
    statement = select(vacations).where(~_c.over, _c.ends_at <= now).order_by(_c.ends_at, _c.id)
    return await tx.records(Vacation, statement)


async def end(tx: Transaction, vacation_id: int, at: datetime) -> bool:
    """End a vacation; return whether it was still ongoing."""
    statement = update(vacations).where(_c.id == vacation_id, ~_c.over)
    return bool(await tx.run(statement.values(over=True, ends_at=at)))


aborts = table(
    "aborts",
    sa.Index("ix_aborts_match_id", "match_id"),
    sa.Index("ix_aborts_at", "at"),
    rows={"user_id": int, "match_id": "matches.id", "at": datetime},
    key=("user_id", "match_id"),
)
"""Players who left a match before everyone had had two turns; kept for a week."""

ABORTS_KEPT: Final = timedelta(days=7)
"""How long an abort counts and is stored."""


async def add_abort(tx: Transaction, user_id: int, match_id: int, at: datetime) -> None:
    """Record that a player left a match; delete aborts that no longer count."""
    old = (aborts.c.user_id == user_id) & (aborts.c.at <= at - ABORTS_KEPT)
    await tx.run(delete(aborts).where(old))
    await tx.add(aborts, {"user_id": user_id, "match_id": match_id, "at": at})


async def aborted_by(tx: Transaction, match_id: int) -> tuple[int, ...]:
    """Return the players who aborted a match."""
    return await tx.scalars(select(aborts.c.user_id).where(aborts.c.match_id == match_id))


async def count_aborts(
    tx: Transaction, user_id: int, now: datetime, *, guild_id: int | None = None
) -> int:
    """Return how many matches a player has aborted recently, in one server or everywhere."""
    mine = select(func.count()).where(aborts.c.user_id == user_id, aborts.c.at > now - ABORTS_KEPT)
    if guild_id is not None:
        mine = mine.join_from(aborts, matches).where(matches.c.guild_id == guild_id)
    return await tx.number(mine)


async def most_aborts(
    tx: Transaction, guild_id: int, now: datetime, *, limit: int
) -> tuple[tuple[int, int], ...]:
    """Return the players with the most recent aborts in a server, with their numbers."""
    number = func.count().label("number")
    statement = (
        select(aborts.c.user_id, number)
        .join_from(aborts, matches)
        .where(aborts.c.at > now - ABORTS_KEPT, matches.c.guild_id == guild_id)
        .group_by(aborts.c.user_id)
        .order_by(number.desc(), aborts.c.user_id)
    )
    return tuple((row[0], row[1]) for row in await tx.rows(statement.limit(limit)))

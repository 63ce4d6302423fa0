"""Match clocks: the player to move, the deadline, and the next event.

A clock is set in the transaction of the move that starts it. A worker claims its next event with
`take`, which succeeds once, in the transaction that records the consequences.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Select, bindparam, case, delete, func, select, update

from data.matches.match import MatchClock, clocks, matches, players
from data.matches.server_outages import match_played_on
from data.sql import due as due_topic
from data.sql.scope import Scope
from data.sql.statements import Prepared, by_scope, upsert, values_of
from data.sql.transaction import Transaction

_THIS = clocks.c.match_id == bindparam("match")
_GET = select(clocks).where(_THIS)
_REMOVE = delete(clocks).where(_THIS).returning(clocks)


# A player who continues in the same turn stays muted.
_UPSERT = upsert(
    clocks,
    muted=lambda new: case((clocks.c.user_id == new.user_id, clocks.c.muted), else_=new.muted),
)
_PUT = {name: Prepared(one) for name, one in _UPSERT.items()}


async def put(tx: Transaction, clock: MatchClock) -> None:
    """Set the clock of a match; a player who continues in the same turn stays muted."""
    await tx.run(_PUT[tx.dialect], values_of(clock))
    due_topic.announce(tx, clock.next_at)


async def of(tx: Transaction, match_id: int) -> MatchClock | None:
    """Return the clock of a match, ``None`` if it has none."""
    row = await tx.row(_GET, {"match": match_id})
    return None if row is None else MatchClock(*row)


async def of_player(tx: Transaction, user_id: int) -> tuple[MatchClock, ...]:
    """Return the clocks of all matches in which a player is to move."""
    statement = select(clocks).where(clocks.c.user_id == user_id).order_by(clocks.c.match_id)
    return tuple(MatchClock(*row) for row in await tx.rows(statement))


async def remove(tx: Transaction, match_id: int) -> MatchClock | None:
    """Remove the clock of a match; return it, ``None`` if there was none."""
    row = await tx.row(_REMOVE, {"match": match_id})
    return None if row is None else MatchClock(*row)


async def next_moment(tx: Transaction, *, scope: Scope | None = None) -> datetime | None:
    """Return the time of the next event of any clock, but of those in unavailable servers."""
    moment: datetime | None = await tx.scalar(_next_moment(scope))
    return moment


async def due(
    tx: Transaction,
    now: datetime,
    *,
    after: MatchClock | None = None,
    limit: int = 1_000_000,
    scope: Scope | None = None,
) -> tuple[MatchClock, ...]:
    """Return the clocks whose next event is due, oldest first, optionally starting after one.

    Those in servers that are unavailable are held.
    """
    at, number = clocks.c.next_at, clocks.c.match_id
    statement = select(clocks).where(at <= now, match_played_on(number))
    if after is not None:
        later = (at > after.next_at) | ((at == after.next_at) & (number > after.match_id))
        statement = statement.where(later)
    rows = await tx.rows(_within(statement, scope).order_by(at, number).limit(limit))
    return tuple(MatchClock(*row) for row in rows)


async def running_out(
    tx: Transaction,
    before: datetime,
    *,
    limit: int = 1_000_000,
    scope: Scope | None = None,
    guild_id: int | None = None,
) -> tuple[MatchClock, ...]:
    """Return the clocks with an unhandled deadline before a given time, oldest first.

    Args:
        tx: the transaction.
        before: that time.
        limit: the maximum number returned.
        scope: the shards of their servers.
        guild_id: their server; ``None`` for all.

    """
    statement = select(clocks).where(clocks.c.due_at < before, clocks.c.lapsed_at.is_(None))
    if guild_id is not None:
        there = select(matches.c.id).where(
            matches.c.guild_id == guild_id, matches.c.finished_at.is_(None)
        )
        statement = statement.where(clocks.c.match_id.in_(there))
    first = _within(statement, scope).order_by(clocks.c.due_at, clocks.c.match_id).limit(limit)
    rows = await tx.rows(first)
    return tuple(MatchClock(*row) for row in rows)


async def take(tx: Transaction, clock: MatchClock, changed: MatchClock) -> bool:
    """Replace a clock unless it has changed since it was read; return whether it was replaced."""
    statement = update(clocks).where(
        clocks.c.match_id == clock.match_id,
        clocks.c.ply == clock.ply,
        clocks.c.since == clock.since,
        clocks.c.next_at.is_not_distinct_from(clock.next_at),
    )
    due_topic.announce(tx, changed.next_at)
    names = ("remind_at", "due_at", "left", "lapsed_at", "next_at")
    return bool(await tx.run(statement.values({name: getattr(changed, name) for name in names})))


async def mute(tx: Transaction, match_id: int, user_id: int, ply: int) -> bool:
    """Mute a player's reminders for this turn; return whether it is their turn."""
    mine = (clocks.c.match_id == match_id) & (clocks.c.user_id == user_id) & (clocks.c.ply == ply)
    return bool(await tx.run(update(clocks).where(mine).values(muted=True)))


def _within(statement: Select[Any], scope: Scope | None) -> Select[Any]:
    if scope is None:
        return statement
    return statement.join(matches, matches.c.id == clocks.c.match_id).where(
        scope.covers(matches.c.guild_id)
    )


@by_scope
def _next_moment(scope: Scope | None) -> Select[Any]:
    held = match_played_on(clocks.c.match_id)
    return _within(select(func.min(clocks.c.next_at)).where(held), scope)


_PUT_BANK = (
    update(players)
    .where(players.c.match_id == bindparam("match"), players.c.seat == bindparam("at"))
    .values(bank_left=bindparam("left"))
)


async def put_bank(tx: Transaction, match_id: int, seat: int, seconds: int) -> None:
    """Store the seconds left in a player's time bank."""
    await tx.run(_PUT_BANK, {"match": match_id, "at": seat, "left": seconds})

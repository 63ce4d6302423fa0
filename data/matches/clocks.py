"""Match clocks: the player to move, the deadline, and the next event.

A clock is set in the transaction of the move that starts it. A worker claims its next event with
`take`, which succeeds once, in the transaction that records the consequences.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, bindparam, case, delete, select, update

from data.matches.match import MatchClock, clocks, matches, players
from data.sql.columns import table
from data.sql.statements import Prepared, upsert, values_of
from data.sql.transaction import Transaction

_THIS = clocks.c.match_id == bindparam("match")
_GET = select(clocks).where(_THIS)
_REMOVE = delete(clocks).where(_THIS).returning(clocks)


# A player who continues in the same turn stays muted.
_PUT = upsert(
    clocks,
    muted=lambda new: case((clocks.c.user_id == new.user_id, clocks.c.muted), else_=new.muted),
)


async def put(tx: Transaction, clock: MatchClock) -> None:
    """Set the clock of a match; a player who continues in the same turn stays muted."""
    await tx.run(_PUT[tx.dialect], values_of(clock))
    tx.announce_due(clock.next_at)


async def of(tx: Transaction, match_id: int) -> MatchClock | None:
    """Return the clock of a match, ``None`` if it has none."""
    return await tx.record(MatchClock, _GET, {"match": match_id})


async def of_player(tx: Transaction, user_id: int) -> tuple[MatchClock, ...]:
    """Return the clocks of all matches in which a player is to move."""
    statement = select(clocks).where(clocks.c.user_id == user_id).order_by(clocks.c.match_id)
    return await tx.records(MatchClock, statement)


async def remove(tx: Transaction, match_id: int) -> MatchClock | None:
    """Remove the clock of a match; return it, ``None`` if there was none."""
    return await tx.record(MatchClock, _REMOVE, {"match": match_id})


async def next_moment(tx: Transaction) -> datetime | None:
    """Return the time of the next event of any clock, but of those in unavailable servers."""
    return await tx.scalar(_NEXT_MOMENT)


async def due(
    tx: Transaction,
    now: datetime,
    *,
    after: MatchClock | None = None,
    limit: int = 1_000_000,
) -> tuple[MatchClock, ...]:
    """Return the clocks whose next event is due, oldest first, optionally starting after one.

    Those in servers that are unavailable are held.
    """
    at, number = clocks.c.next_at, clocks.c.match_id
    statement = select(clocks).join(matches).where(at <= now, played_on(matches.c.guild_id))
    if after is not None:
        later = (at > after.next_at) | ((at == after.next_at) & (number > after.match_id))
        statement = statement.where(later)
    return await tx.records(
        MatchClock, tx.scoped(statement, matches.c.guild_id).order_by(at, number).limit(limit)
    )


async def servers_due(tx: Transaction, now: datetime) -> tuple[int, ...]:
    """Return the servers of the clocks that `due` returns."""
    here = (clocks.c.next_at <= now) & matches.c.guild_id.is_not(None)
    found = select(matches.c.guild_id).distinct().join(clocks)
    statement = found.where(here, played_on(matches.c.guild_id))
    return await tx.scalars(tx.scoped(statement, matches.c.guild_id))


async def running_out(
    tx: Transaction,
    before: datetime,
    *,
    limit: int = 1_000_000,
    guild_id: int | None = None,
    hours: bool = False,
) -> tuple[MatchClock, ...]:
    """Return the clocks with an unhandled deadline before a given time, oldest first.

    ``hours`` wants only those of matches with hours per move.
    """
    statement = select(clocks).where(clocks.c.due_at < before, clocks.c.lapsed_at.is_(None))
    if guild_id is not None:
        there = select(matches.c.id).where(
            matches.c.guild_id == guild_id, matches.c.finished_at.is_(None)
        )
        statement = statement.where(clocks.c.match_id.in_(there))
    if hours:
        fast = select(matches.c.id).where(matches.c.hours.is_not(None))
        statement = statement.where(clocks.c.match_id.in_(fast))
    first = (
        tx.scoped(statement, matches.c.guild_id)
        .order_by(clocks.c.due_at, clocks.c.match_id)
        .limit(limit)
    )
    return await tx.records(MatchClock, first)


async def take(tx: Transaction, clock: MatchClock, changed: MatchClock) -> bool:
    """Replace a clock unless it has changed since it was read; return whether it was replaced."""
    statement = update(clocks).where(
        clocks.c.match_id == clock.match_id,
        clocks.c.ply == clock.ply,
        clocks.c.since == clock.since,
        clocks.c.next_at.is_not_distinct_from(clock.next_at),
    )
    tx.announce_due(changed.next_at)
    names = ("remind_at", "due_at", "left", "lapsed_at", "next_at")
    return bool(await tx.run(statement.values({name: getattr(changed, name) for name in names})))


async def mute(tx: Transaction, match_id: int, user_id: int, ply: int) -> bool:
    """Mute a player's reminders for this turn; return whether it is their turn."""
    mine = (clocks.c.match_id == match_id) & (clocks.c.user_id == user_id) & (clocks.c.ply == ply)
    return bool(await tx.run(update(clocks).where(mine).values(muted=True)))


_PUT_BANK = (
    update(players)
    .where(players.c.match_id == bindparam("match"), players.c.seat == bindparam("at"))
    .values(bank_left=bindparam("left"))
)


async def put_bank(tx: Transaction, match_id: int, seat: int, seconds: int) -> None:
    """Store the seconds left in a player's time bank."""
    await tx.run(_PUT_BANK, {"match": match_id, "at": seat, "left": seconds})


@dataclass(frozen=True, slots=True)
class ServerOutage:
    """A server where nobody can play: it is unavailable, or has removed the bot.

    Or that was so, and there are clocks to extend.
    """

    guild_id: int
    since: datetime
    """When it became unavailable; an hour earlier if it has removed the bot."""
    grace_until: datetime | None = None
    """The earliest deadline promised to its players; ``None`` while nobody can play."""


server_outages = table("server_outages", rows=ServerOutage, key=("guild_id",))


async def outages(tx: Transaction) -> tuple[ServerOutage, ...]:
    """Return all outages."""
    found = select(server_outages).order_by(server_outages.c.guild_id)
    return await tx.records(ServerOutage, found)


async def is_held(tx: Transaction, guild_id: int | None) -> bool:
    """Return whether the matches of a server are held: nobody can play there."""
    found = select(server_outages.c.guild_id).where(server_outages.c.guild_id == guild_id)
    return await tx.scalar(found) is not None


async def next_promised(tx: Transaction) -> ServerOutage | None:
    """Return an outage that has ended and whose clocks are to be extended, if there is one."""
    ended = server_outages.c.grace_until.is_not(None)
    found = select(server_outages).where(ended, tx.covers(server_outages.c.guild_id))
    return await tx.record(ServerOutage, found.order_by(server_outages.c.guild_id).limit(1))


async def put_outage(tx: Transaction, outage: ServerOutage) -> None:
    """Store an outage, in place of what is known of the same server."""
    await tx.put(server_outages, outage)
    tx.announce_due(outage.grace_until)


async def end_outage(tx: Transaction, outage: ServerOutage, now: datetime) -> None:
    """Release the matches of a server, unless it has become unavailable again since ``outage``."""
    same = server_outages.c.grace_until.is_not_distinct_from(outage.grace_until)
    await tx.run(delete(server_outages).where(server_outages.c.guild_id == outage.guild_id, same))
    tx.announce_due(now)


def played_on(guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that nothing in a server is held."""
    return guild_id.is_(None) | guild_id.not_in(select(server_outages.c.guild_id))


# The first of an index: PostgreSQL would read every clock and match for their minimum.
_NEXT_MOMENT = Prepared(
    select(clocks.c.next_at)
    .join(matches)
    .where(clocks.c.next_at.is_not(None), played_on(matches.c.guild_id))
    .order_by(clocks.c.next_at)
    .limit(1),
    matches.c.guild_id,
)

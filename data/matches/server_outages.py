"""Outages of single servers: Discord says that a server is unavailable, so nobody can play there.

Matches there are held while a row exists. Once the server is back, ``grace_until`` says by when its
clocks run out at the earliest; the row is removed when all of them have been extended.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, ColumnElement, Table, delete, select

from data.matches.match import matches
from data.sql import due as due_topic
from data.sql.columns import KEYED, Id, Instant, metadata
from data.sql.scope import Scope, within
from data.sql.statements import upsert
from data.sql.transaction import Transaction

server_outages = Table(
    "server_outages",
    metadata,
    Column("guild_id", Id, primary_key=True, autoincrement=False),
    Column("since", Instant, nullable=False),
    Column("grace_until", Instant),
    **KEYED,
)
"""Servers that are unavailable, or were and have clocks to extend; see `data.matches.server_outages`."""


@dataclass(frozen=True, slots=True)
class ServerOutage:
    """A server that is unavailable, or was and has clocks to extend."""

    guild_id: int
    since: datetime
    """When it became unavailable."""
    grace_until: datetime | None = None
    """The earliest deadline promised to its players; ``None`` while it is unavailable."""


_PUT = upsert(server_outages)


async def read(tx: Transaction, *, scope: Scope | None = None) -> tuple[ServerOutage, ...]:
    """Return all outages."""
    found = select(server_outages).where(*within(server_outages.c.guild_id, scope))
    rows = await tx.rows(found.order_by(server_outages.c.guild_id))
    return tuple(ServerOutage(*row) for row in rows)


async def is_held(tx: Transaction, guild_id: int | None) -> bool:
    """Return whether the matches of a server are held."""
    found = select(server_outages.c.guild_id).where(server_outages.c.guild_id == guild_id)
    return await tx.scalar(found) is not None


async def next_promised(tx: Transaction, *, scope: Scope | None = None) -> ServerOutage | None:
    """Return an outage that has ended and whose clocks are to be extended, if there is one."""
    ended = server_outages.c.grace_until.is_not(None)
    found = select(server_outages).where(ended, *within(server_outages.c.guild_id, scope))
    row = await tx.row(found.order_by(server_outages.c.guild_id).limit(1))
    return None if row is None else ServerOutage(*row)


async def put(tx: Transaction, outage: ServerOutage) -> None:
    """Store an outage, in place of what is known of the same server."""
    await tx.run(
        _PUT[tx.dialect],
        {
            "guild_id": outage.guild_id,
            "since": outage.since,
            "grace_until": outage.grace_until,
        },
    )
    due_topic.announce(tx, outage.grace_until)


async def remove(tx: Transaction, outage: ServerOutage, now: datetime) -> None:
    """Release the matches of a server, unless it has become unavailable again since ``outage``."""
    same = server_outages.c.grace_until.is_not_distinct_from(outage.grace_until)
    await tx.run(delete(server_outages).where(server_outages.c.guild_id == outage.guild_id, same))
    due_topic.announce(tx, now)


def played_on(guild_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that nothing in a server is held."""
    return guild_id.is_(None) | guild_id.not_in(select(server_outages.c.guild_id))


def match_played_on(match_id: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a match is not held."""
    held = select(matches.c.id).where(
        matches.c.guild_id.in_(select(server_outages.c.guild_id)), matches.c.finished_at.is_(None)
    )
    return match_id.not_in(held)

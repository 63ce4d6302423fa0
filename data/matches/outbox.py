"""The transactional outbox: messages and edits about matches to send to Discord.

A job is added in the transaction it reports, and done once Discord has answered. Pending jobs are
sent after a restart, so a crash in between loses nothing; a job's nonce, by which Discord
recognises it, prevents duplicates.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import bindparam, delete, func, select, update

from data.matches.match import matches
from data.sql.columns import Id, Instant, partial_index, table
from data.sql.statements import Prepared
from data.sql.transaction import Transaction

TOPIC: Final = "outbox"
"""Announced with the match of each new job."""


@dataclass(frozen=True, slots=True)
class Job:
    """A message or edit to send to Discord."""

    id: int
    match_id: int | None
    kind: str
    payload: dict[str, Any]
    nonce: str
    """1 to 25 characters, unique."""
    created_at: datetime
    attempts: int
    """The number of failed attempts."""
    blocked: str | None
    """Why it is blocked, if an immediate retry would not help."""
    not_before: datetime | None = None
    """When it is due, if not at once."""

    @property
    def mark(self) -> int:
        """The number that identifies the message this posts."""
        return 2 * self.id

    @property
    def call_mark(self) -> int:
        """The number that identifies the message that calls a player to an edited board."""
        return 2 * self.id + 1

    def due(self, now: datetime) -> bool:
        """Return whether it is due."""
        return self.not_before is None or self.not_before <= now


outbox = table(
    "outbox",
    sa.Column("match_id", Id, sa.ForeignKey("matches.id", ondelete="CASCADE")),
    sa.Column("done_at", Instant),
    sa.UniqueConstraint("nonce"),
    sa.CheckConstraint("length(nonce) BETWEEN 1 AND 25", name="nonce"),
    rows=Job,
)
partial_index("ix_outbox_pending", outbox.c.match_id, outbox.c.id, where=outbox.c.done_at.is_(None))

partial_index(
    "ix_outbox_not_before",
    outbox.c.not_before,
    where=outbox.c.done_at.is_(None) & outbox.c.not_before.is_not(None),
)

partial_index("ix_outbox_done_at", outbox.c.done_at, where=outbox.c.done_at.is_not(None))

_OPEN = outbox.c.done_at.is_(None)
_PENDING = (
    select(*(outbox.c[field.name] for field in fields(Job))).where(_OPEN).order_by(outbox.c.id)
)
PENDING_OF: Final = Prepared(_PENDING.where(outbox.c.match_id == bindparam("match")))
"""Reads a match's pending jobs."""
_DONE = Prepared(
    update(outbox)
    .where(outbox.c.id == bindparam("job"), _OPEN)
    .values(done_at=bindparam("at", type_=outbox.c.done_at.type), blocked=None)
)


async def put(
    tx: Transaction,
    *,
    match_id: int | None,
    kind: str,
    payload: Mapping[str, Any],
    nonce: str,
    at: datetime,
    not_before: datetime | None = None,
) -> Job:
    """Add a job at the end of the queue. A job not yet due does not hold up the others."""
    job = Job(0, match_id, kind, dict(payload), nonce, at, 0, None, not_before)
    job = replace(job, id=await tx.insert(outbox, job))
    tx.announce(TOPIC, match_id or 0)
    tx.announce_due(not_before)
    return job


async def pending(tx: Transaction, match_id: int | None = None) -> tuple[Job, ...]:
    """Return the pending jobs, of one match or all, in order."""
    if match_id is None:
        return await tx.records(Job, _PENDING)
    return await tx.records(Job, PENDING_OF, {"match": match_id})


async def waiting_matches(
    tx: Transaction, now: datetime, *, after: int = 0, limit: int
) -> tuple[int, ...]:
    """Return the matches with a due job, in order, starting after a given one."""
    return await _matches(tx, outbox.c.match_id > after, _due(now), limit=limit)


async def added_since(tx: Transaction, since: datetime, now: datetime) -> tuple[int, ...]:
    """Return the matches with an unblocked, due job added since a given time."""
    new = (outbox.c.created_at >= since) & outbox.c.blocked.is_(None)
    return await _matches(tx, new, _due(now))


async def next_due(tx: Transaction, after: datetime) -> datetime | None:
    """Return when the next job after a given time falls due."""
    return await tx.scalar(_NEXT_DUE, {"now": after})


async def due_between(tx: Transaction, after: datetime, now: datetime) -> tuple[int, ...]:
    """Return the matches with a job that fell due between two times."""
    return await _matches(tx, outbox.c.not_before > after, outbox.c.not_before <= now)


async def _matches(
    tx: Transaction, *wanted: sa.ColumnElement[bool], limit: int | None = None
) -> tuple[int, ...]:
    """Return the matches with such a pending job, in order."""
    statement = select(outbox.c.match_id).where(_OPEN, *wanted, outbox.c.match_id.is_not(None))
    found = tx.scoped(statement, matches.c.guild_id).distinct()
    return await tx.scalars(found.order_by(outbox.c.match_id).limit(limit))


def _due(now: datetime) -> sa.ColumnElement[bool]:
    return outbox.c.not_before.is_(None) | (outbox.c.not_before <= now)


_NEXT_DUE: Final = Prepared(
    select(func.min(outbox.c.not_before)).where(
        _OPEN, outbox.c.not_before > bindparam("now", type_=outbox.c.created_at.type)
    ),
    matches.c.guild_id,
)
_OLDEST_DONE: Final = Prepared(
    select(func.min(outbox.c.done_at)).where(outbox.c.done_at.is_not(None))
)


async def newest(tx: Transaction) -> int:
    """Return the number of the newest job, done or not; 0 if there is none."""
    return await tx.number(select(func.max(outbox.c.id)))


async def blocked_in(tx: Transaction, guild_id: int) -> tuple[tuple[int, int, int | None], ...]:
    """Return a server's matches with a blocked job: number, channel, and the thread's parent."""
    blocked = (
        select(outbox.c.match_id, matches.c.channel_id, matches.c.parent_id)
        .join(matches, matches.c.id == outbox.c.match_id)
        .where(_OPEN, outbox.c.blocked.is_not(None), matches.c.guild_id == guild_id)
        .distinct()
        .order_by(outbox.c.match_id)
    )
    return tuple((match, channel, parent) for match, channel, parent in await tx.rows(blocked))


async def waiting_in(tx: Transaction, guild_id: int, now: datetime) -> bool:
    """Return whether jobs of a server are due that Discord does not refuse."""
    waiting = (
        select(outbox.c.id)
        .join(matches, matches.c.id == outbox.c.match_id)
        .where(_OPEN, outbox.c.blocked.is_(None), _due(now), matches.c.guild_id == guild_id)
    )
    return await tx.row(waiting.limit(1)) is not None


async def amend(tx: Transaction, job: Job, **payload: object) -> None:
    """Change what the payload of a job says."""
    changed = update(outbox).where(outbox.c.id == job.id)
    await tx.run(changed.values(payload=job.payload | payload))


async def mark_done(tx: Transaction, job_id: int, at: datetime) -> None:
    """Mark a job as done."""
    await tx.run(_DONE, {"job": job_id, "at": at})


async def mark_failed(
    tx: Transaction, job_id: int, reason: str | None, *, again: datetime | None = None
) -> None:
    """Count a failed attempt: why it is blocked, if so, and when it is due again, if not now."""
    values: dict[str, Any] = {"attempts": outbox.c.attempts + 1, "blocked": reason}
    if again is not None:
        values["not_before"] = again
    await tx.run(update(outbox).where(outbox.c.id == job_id).values(values))
    tx.announce_due(again)


async def unblock_match(tx: Transaction, match_id: int, at: datetime) -> None:
    """Make the blocked jobs about a match due."""
    blocked = (_OPEN, outbox.c.blocked.is_not(None), outbox.c.match_id == match_id)
    await tx.run(update(outbox).where(*blocked).values(not_before=at))


async def unblock_matches(tx: Transaction, guild_id: int | None, at: datetime) -> None:
    """Make the blocked jobs about matches due, of a server or of all in scope."""
    mine = tx.covers(matches.c.guild_id) if guild_id is None else matches.c.guild_id == guild_id
    here = select(matches.c.id).where(mine)
    blocked = (_OPEN, outbox.c.blocked.is_not(None), outbox.c.match_id.in_(here))
    await tx.run(update(outbox).where(*blocked).values(not_before=at))


async def oldest_done(tx: Transaction) -> datetime | None:
    """Return when the earliest completed job was completed."""
    return await tx.scalar(_OLDEST_DONE)


async def prune(
    tx: Transaction, before: datetime, *, limit: int = 1_000_000
) -> tuple[int | None, ...]:
    """Delete jobs done before a given time, oldest first; return the match of each."""
    old = select(outbox.c.id).where(outbox.c.done_at < before).order_by(outbox.c.done_at)
    gone = delete(outbox).where(outbox.c.id.in_(old.limit(limit))).returning(outbox.c.match_id)
    return tuple(await tx.scalars(gone))

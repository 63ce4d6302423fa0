"""The transactional outbox: what is to be sent to Discord.

A job is added in the transaction that it reports, and done once Discord has answered. Pending jobs
are sent after a restart, so a crash in between loses nothing; the nonce of a job, by which Discord
recognizes it, prevents duplicates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, delete, insert, select, update

from data import due
from data.tables import matches, outbox

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from data.transaction import Transaction


TOPIC: Final = "outbox"
"""Announced with the match of each new job, or 0 for a job without a match."""


@dataclass(frozen=True, slots=True)
class Job:
    """A message or edit to be sent to Discord."""

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
        """The number by which the message that this posts is found again."""
        return 2 * self.id

    @property
    def call_mark(self) -> int:
        """The number by which the message that calls a player to an edited board is found again."""
        return 2 * self.id + 1

    def due(self, now: datetime) -> bool:
        """Return whether it is due."""
        return self.not_before is None or self.not_before <= now


_PUT = insert(outbox).returning(outbox.c.id)
_PENDING = (
    select(
        outbox.c.id,
        outbox.c.match_id,
        outbox.c.kind,
        outbox.c.payload,
        outbox.c.nonce,
        outbox.c.created_at,
        outbox.c.attempts,
        outbox.c.blocked,
        outbox.c.not_before,
    )
    .where(outbox.c.done_at.is_(None))
    .order_by(outbox.c.id)
)
_PENDING_OF = _PENDING.where(outbox.c.match_id == bindparam("match"))
_LATER = select(outbox.c.not_before, outbox.c.match_id).where(
    outbox.c.done_at.is_(None),
    outbox.c.not_before > bindparam("after", type_=outbox.c.not_before.type),
)
_NEXT = _LATER.order_by(outbox.c.not_before).limit(1)
_COME = _LATER.where(outbox.c.not_before <= bindparam("now", type_=outbox.c.not_before.type))
_DIRECT_MESSAGES = _PENDING.where(outbox.c.match_id.is_(None))
_LAST = select(outbox.c.created_at).order_by(outbox.c.id.desc()).limit(1)
_BLOCKED = (
    select(outbox.c.match_id, matches.c.channel_id, matches.c.parent_id)
    .join(matches, matches.c.id == outbox.c.match_id)
    .where(
        outbox.c.done_at.is_(None),
        outbox.c.blocked.is_not(None),
        matches.c.guild_id == bindparam("guild"),
    )
    .distinct()
    .order_by(outbox.c.match_id)
)
_THIS = outbox.c.id == bindparam("job")
_DONE = (
    update(outbox)
    .where(_THIS, outbox.c.done_at.is_(None))
    .values(done_at=bindparam("at", type_=outbox.c.done_at.type), blocked=None)
)
_FAILED = (
    update(outbox).where(_THIS).values(attempts=outbox.c.attempts + 1, blocked=bindparam("why"))
)
_PRUNE = delete(outbox).where(outbox.c.done_at < bindparam("before", type_=outbox.c.done_at.type))


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
    """Add a job at the end of the queue. One that is not due yet does not hold up the others."""
    values = {
        "match_id": match_id,
        "kind": kind,
        "payload": dict(payload),
        "nonce": nonce,
        "created_at": at,
        "attempts": 0,
        "not_before": not_before,
    }
    number: int = await tx.scalar(_PUT, values)
    tx.announce(TOPIC, match_id or 0)
    due.announce(tx, not_before)
    return Job(number, match_id, kind, dict(payload), nonce, at, 0, None, not_before)


async def pending(tx: Transaction, match_id: int | None = None) -> tuple[Job, ...]:
    """Return the pending jobs, of one match or all, in order."""
    if match_id is None:
        rows = await tx.rows(_PENDING)
    else:
        rows = await tx.rows(_PENDING_OF, {"match": match_id})
    return tuple(Job(*row) for row in rows)


async def next_due(tx: Transaction, after: datetime) -> datetime | None:
    """Return when the next job becomes due after a moment."""
    moment: datetime | None = await tx.scalar(_NEXT, {"after": after})
    return moment


async def came_due(tx: Transaction, after: datetime, now: datetime) -> tuple[int, ...]:
    """Return the matches with a job that became due after one moment, up to another."""
    rows = await tx.rows(_COME, {"after": after, "now": now})
    return tuple(sorted({row.match_id for row in rows if row.match_id is not None}))


async def direct_messages(tx: Transaction) -> tuple[Job, ...]:
    """Return the pending jobs without a match, in order."""
    return tuple(Job(*row) for row in await tx.rows(_DIRECT_MESSAGES))


async def last_put(tx: Transaction) -> datetime | None:
    """Return when the newest job was added, done or not; ``None`` if there is none."""
    moment: datetime | None = await tx.scalar(_LAST)
    return moment


async def blocked_in(tx: Transaction, guild_id: int) -> tuple[tuple[int, int, int | None], ...]:
    """Return a server's matches with a blocked job.

    Returns:
        For each match its number, its channel and the parent channel of its thread.

    """
    rows = await tx.rows(_BLOCKED, {"guild": guild_id})
    return tuple((row.match_id, row.channel_id, row.parent_id) for row in rows)


async def done(tx: Transaction, job_id: int, at: datetime) -> None:
    """Mark a job as done."""
    await tx.run(_DONE, {"job": job_id, "at": at})


async def failed(tx: Transaction, job_id: int, why: str | None) -> None:
    """Count a failed attempt; ``why`` is the reason if the job is now blocked."""
    await tx.run(_FAILED, {"job": job_id, "why": why})


async def prune(tx: Transaction, before: datetime) -> int:
    """Delete the jobs done before a moment; return how many."""
    return await tx.run(_PRUNE, {"before": before})

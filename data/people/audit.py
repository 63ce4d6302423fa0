"""The audit log of moderators' actions. A line outlives the match or challenge it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Index, Table, Text, func, insert, select

from data.sql.columns import COUNTED, Document, Id, Instant, metadata
from data.sql.transaction import Transaction

audit = Table(
    "audit",
    metadata,
    Column("id", Id, primary_key=True),
    Column("guild_id", Id, nullable=False),
    Column("at", Instant, nullable=False),
    Column("user_id", Id, nullable=False),
    Column("action", Text, nullable=False),
    Column("match_id", Id),
    Column("challenge_id", Id),
    Column("detail", Document, nullable=False),
    Index("ix_audit_guild_id", "guild_id", "id"),
    **COUNTED,
)
"""The audit log; a line outlives the match or challenge it is about."""


@dataclass(frozen=True, slots=True)
class Line:
    """A moderator's action."""

    id: int
    guild_id: int
    at: datetime
    user_id: int
    """The moderator; negative if their data was deleted."""
    action: str
    """One of voided, ended, cleared, barred, admitted."""
    match_id: int | None
    challenge_id: int | None
    detail: dict[str, Any]


async def add(
    tx: Transaction,
    *,
    guild_id: int,
    at: datetime,
    user_id: int,
    action: str,
    match_id: int | None = None,
    challenge_id: int | None = None,
    detail: Mapping[str, Any],
) -> Line:
    """Add a line, in the transaction of the action."""
    values: dict[str, Any] = {
        "guild_id": guild_id,
        "at": at,
        "user_id": user_id,
        "action": action,
        "match_id": match_id,
        "challenge_id": challenge_id,
        "detail": dict(detail),
    }
    return Line(id=await tx.scalar(insert(audit).values(values).returning(audit.c.id)), **values)


async def get(tx: Transaction, line_id: int) -> Line | None:
    """Return a line; ``None`` if it does not exist."""
    row = await tx.row(select(audit).where(audit.c.id == line_id))
    return None if row is None else Line(*row)


async def page(tx: Transaction, guild_id: int, *, limit: int, offset: int) -> tuple[Line, ...]:
    """Return a page of a server's lines, newest first."""
    lines = select(audit).where(audit.c.guild_id == guild_id).order_by(audit.c.id.desc())
    return tuple(Line(*row) for row in await tx.rows(lines.limit(limit).offset(offset)))


async def count(tx: Transaction, guild_id: int) -> int:
    """Return the number of a server's lines."""
    return int(await tx.scalar(select(func.count()).where(audit.c.guild_id == guild_id)))

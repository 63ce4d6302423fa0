"""The audit log of moderators' actions. A line outlives the match or challenge it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Index, select

from data.sql.columns import table
from data.sql.transaction import Transaction


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


audit = table("audit", Index("ix_audit_guild_id", "guild_id", "id"), rows=Line)


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
    line = Line(0, guild_id, at, user_id, action, match_id, challenge_id, dict(detail))
    return replace(line, id=await tx.insert(audit, line))


async def get(tx: Transaction, line_id: int) -> Line | None:
    """Return a line; ``None`` if it does not exist."""
    return await tx.record(Line, select(audit).where(audit.c.id == line_id))


async def page(tx: Transaction, guild_id: int, *, limit: int, offset: int) -> tuple[Line, ...]:
    """Return a page of a server's lines, newest first."""
    lines = select(audit).where(audit.c.guild_id == guild_id).order_by(audit.c.id.desc())
    return await tx.records(Line, lines.limit(limit).offset(offset))


async def count(tx: Transaction, guild_id: int) -> int:
    """Return the number of a server's lines."""
    return await tx.count(audit.c.guild_id == guild_id)

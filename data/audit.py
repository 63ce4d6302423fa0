"""The audit log: what moderators did. A line outlives the match or challenge it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, select

from data.tables import audit

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Line:
    """A moderator's action."""

    id: int
    guild_id: int
    at: datetime
    user_id: int
    """The moderator; negative if their data was deleted."""
    action: str
    """voided, ended, cleared, barred or admitted."""
    match_id: int | None
    challenge_id: int | None
    detail: dict[str, Any]


_ADD = insert(audit).returning(audit.c.id)
_OF_SERVER = audit.c.guild_id == bindparam("guild")
_PAGE = (
    select(audit)
    .where(_OF_SERVER)
    .order_by(audit.c.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("skipped"))
)
_COUNT = select(func.count()).select_from(audit).where(_OF_SERVER)


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
    return Line(id=await tx.scalar(_ADD, values), **values)


async def page(tx: Transaction, guild_id: int, *, limit: int, offset: int) -> tuple[Line, ...]:
    """Return a page of a server's lines, newest first."""
    rows = await tx.rows(_PAGE, {"guild": guild_id, "most": limit, "skipped": offset})
    return tuple(Line(*row) for row in rows)


async def count(tx: Transaction, guild_id: int) -> int:
    """Return the number of a server's lines."""
    return int(await tx.scalar(_COUNT, {"guild": guild_id}))

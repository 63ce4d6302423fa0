"""The clocks of matches: who must move by when, and what is to happen next.

A clock is set in the transaction of the move that starts it. Whatever happens by itself is taken
with `take`, which only one of several can do, in the transaction that records what comes of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, case, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from data.tables import clocks

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Insert

    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Clock:
    """How long the player to move of a match has."""

    match_id: int
    user_id: int
    ply: int
    """How many entries the log has at this turn."""
    since: datetime
    """When the turn began."""
    remind_at: datetime | None
    """When a reminder is due; ``None`` once it is given."""
    due_at: datetime | None
    """When the time is over; ``None`` while the clock stands still."""
    left: int | None = None
    """The seconds that are left, while the clock stands still."""
    lapsed_at: datetime | None = None
    """When the time was found to be over."""
    muted: bool = False
    """Whether the player wants no more reminders in this turn."""
    next_at: datetime | None = None
    """When there is something to do: a reminder, the end of the time, or of the standstill."""

    @property
    def stands(self) -> bool:
        """Whether it stands still; ``next_at`` tells until when."""
        return self.left is not None


_INSTANT: Final = clocks.c.next_at.type
_CHANGED: Final = tuple(c.name for c in clocks.c if c.name not in {"match_id", "muted"})
_THIS = clocks.c.match_id == bindparam("match")
_GET = select(clocks).where(_THIS)
_OF_PLAYER = select(clocks).where(clocks.c.user_id == bindparam("user"))
_REMOVE = delete(clocks).where(_THIS).returning(clocks)
_NEXT = select(func.min(clocks.c.next_at).label("moment"))
_DUE = (
    select(clocks)
    .where(clocks.c.next_at <= bindparam("now", type_=_INSTANT))
    .order_by(clocks.c.next_at, clocks.c.match_id)
)
_RUNNING_OUT = (
    select(clocks)
    .where(clocks.c.due_at < bindparam("before", type_=_INSTANT), clocks.c.lapsed_at.is_(None))
    .order_by(clocks.c.due_at, clocks.c.match_id)
)
_TAKE = (
    update(clocks)
    .where(
        _THIS,
        clocks.c.ply == bindparam("seen_ply"),
        clocks.c.since == bindparam("seen_since", type_=_INSTANT),
        clocks.c.next_at.is_not_distinct_from(bindparam("seen_next", type_=_INSTANT)),
    )
    .values(
        remind_at=bindparam("remind", type_=_INSTANT),
        due_at=bindparam("due", type_=_INSTANT),
        left=bindparam("standing"),
        lapsed_at=bindparam("lapsed", type_=_INSTANT),
        next_at=bindparam("following", type_=_INSTANT),
    )
)
_MUTE = (
    update(clocks)
    .where(_THIS, clocks.c.user_id == bindparam("user"), clocks.c.ply == bindparam("at_ply"))
    .values(muted=True)
)


def _put() -> Mapping[str, Insert]:
    lite, post = sqlite.insert(clocks), postgresql.insert(clocks)

    def changes(excluded: Any) -> dict[str, Any]:
        # Whoever wants no reminders in this turn wants none after a part of it either.
        same = clocks.c.user_id == excluded.user_id
        kept = case((same, clocks.c.muted), else_=excluded.muted)
        return {**{name: excluded[name] for name in _CHANGED}, "muted": kept}

    key = [clocks.c.match_id]
    return {
        "sqlite": lite.on_conflict_do_update(index_elements=key, set_=changes(lite.excluded)),
        "postgresql": post.on_conflict_do_update(index_elements=key, set_=changes(post.excluded)),
    }


_PUT = _put()


async def put(tx: Transaction, clock: Clock) -> None:
    """Set the clock of a match; a player who goes on in the same turn stays muted."""
    values = {name: getattr(clock, name) for name in (*_CHANGED, "match_id", "muted")}
    await tx.run(_PUT[tx.dialect], values)


async def of(tx: Transaction, match_id: int) -> Clock | None:
    """Return the clock of a match, ``None`` where none runs."""
    row = await tx.row(_GET, {"match": match_id})
    return None if row is None else Clock(*row)


async def of_player(tx: Transaction, user_id: int) -> tuple[Clock, ...]:
    """Return the clocks of all matches that wait for a player."""
    return tuple(Clock(*row) for row in await tx.rows(_OF_PLAYER, {"user": user_id}))


async def remove(tx: Transaction, match_id: int) -> Clock | None:
    """Stop the clock of a match for good; return it as it was, ``None`` where none ran."""
    row = await tx.row(_REMOVE, {"match": match_id})
    return None if row is None else Clock(*row)


async def next_moment(tx: Transaction) -> datetime | None:
    """Return when there is something to do for any clock."""
    moment: datetime | None = await tx.scalar(_NEXT)
    return moment


async def due(tx: Transaction, now: datetime) -> tuple[Clock, ...]:
    """Return the clocks for which there is something to do, the oldest first."""
    return tuple(Clock(*row) for row in await tx.rows(_DUE, {"now": now}))


async def running_out(tx: Transaction, before: datetime) -> tuple[Clock, ...]:
    """Return the clocks whose time is over before a moment and was not found to be over yet."""
    return tuple(Clock(*row) for row in await tx.rows(_RUNNING_OUT, {"before": before}))


async def take(tx: Transaction, seen: Clock, changed: Clock) -> bool:
    """Change a clock unless somebody else has since it was seen; return whether it was changed."""
    values = {
        "match": seen.match_id,
        "seen_ply": seen.ply,
        "seen_since": seen.since,
        "seen_next": seen.next_at,
        "remind": changed.remind_at,
        "due": changed.due_at,
        "standing": changed.left,
        "lapsed": changed.lapsed_at,
        "following": changed.next_at,
    }
    return bool(await tx.run(_TAKE, values))


async def mute(tx: Transaction, match_id: int, user_id: int, ply: int) -> bool:
    """Give a player no more reminders in this turn; return whether it is their turn."""
    values = {"match": match_id, "user": user_id, "at_ply": ply}
    return bool(await tx.run(_MUTE, values))

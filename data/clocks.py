"""Match clocks: the player to move, the deadline, and the next event.

A clock is set in the transaction of the move that starts it. A worker claims its next event with
`take`, which succeeds once, in the transaction that records the consequences.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, case, delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from data import due as due_topic
from data.tables import clocks, matches, players

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sqlalchemy import Insert

    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class MatchClock:
    """The time of the player to move in a match."""

    match_id: int
    user_id: int
    ply: int
    """The length of the log at this turn."""
    since: datetime
    """When the turn began."""
    remind_at: datetime | None
    """When a reminder is due; ``None`` once it was sent."""
    due_at: datetime | None
    """The deadline; ``None`` while the clock is paused."""
    left: int | None = None
    """The seconds left while the clock is paused."""
    lapsed_at: datetime | None = None
    """When the deadline was found to have passed."""
    muted: bool = False
    """Whether the player has muted reminders for this turn."""
    next_at: datetime | None = None
    """The next event: a reminder, the deadline, or the end of a pause."""

    @property
    def stands(self) -> bool:
        """Whether it is paused, until ``next_at``."""
        return self.left is not None


_INSTANT: Final = clocks.c.next_at.type
_CHANGED: Final = tuple(c.name for c in clocks.c if c.name not in {"match_id", "muted"})
_THIS = clocks.c.match_id == bindparam("match")
_GET = select(clocks).where(_THIS)
_OF_PLAYER = select(clocks).where(clocks.c.user_id == bindparam("user"))
_DEADLINES = (
    select(clocks.c.match_id, clocks.c.due_at)
    .join(players, players.c.match_id == clocks.c.match_id)
    .join(matches, matches.c.id == clocks.c.match_id)
    .where(
        players.c.user_id == bindparam("user"),
        clocks.c.due_at.is_not(None),
        matches.c.finished_at.is_(None),
    )
)
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
        # A player who goes on in the same turn stays muted.
        same = clocks.c.user_id == excluded.user_id
        kept = case((same, clocks.c.muted), else_=excluded.muted)
        return {**{name: excluded[name] for name in _CHANGED}, "muted": kept}

    key = [clocks.c.match_id]
    return {
        "sqlite": lite.on_conflict_do_update(index_elements=key, set_=changes(lite.excluded)),
        "postgresql": post.on_conflict_do_update(index_elements=key, set_=changes(post.excluded)),
    }


_PUT = _put()


async def put(tx: Transaction, clock: MatchClock) -> None:
    """Set the clock of a match; a player who goes on in the same turn stays muted."""
    values = {name: getattr(clock, name) for name in (*_CHANGED, "match_id", "muted")}
    await tx.run(_PUT[tx.dialect], values)
    due_topic.announce(tx, clock.next_at)


async def of(tx: Transaction, match_id: int) -> MatchClock | None:
    """Return the clock of a match, ``None`` if it has none."""
    row = await tx.row(_GET, {"match": match_id})
    return None if row is None else MatchClock(*row)


async def of_player(tx: Transaction, user_id: int) -> tuple[MatchClock, ...]:
    """Return the clocks of all matches in which a player is to move."""
    return tuple(MatchClock(*row) for row in await tx.rows(_OF_PLAYER, {"user": user_id}))


async def deadlines(tx: Transaction, user_id: int) -> dict[int, datetime]:
    """Return the deadlines of a player's ongoing matches, whoever is to move.

    Matches without a running clock are omitted.
    """
    return {row.match_id: row.due_at for row in await tx.rows(_DEADLINES, {"user": user_id})}


async def remove(tx: Transaction, match_id: int) -> MatchClock | None:
    """Remove the clock of a match; return it, ``None`` if there was none."""
    row = await tx.row(_REMOVE, {"match": match_id})
    return None if row is None else MatchClock(*row)


async def next_moment(tx: Transaction) -> datetime | None:
    """Return the time of the next event of any clock."""
    moment: datetime | None = await tx.scalar(_NEXT)
    return moment


async def due(tx: Transaction, now: datetime) -> tuple[MatchClock, ...]:
    """Return the clocks whose next event is due, oldest first."""
    return tuple(MatchClock(*row) for row in await tx.rows(_DUE, {"now": now}))


async def running_out(tx: Transaction, before: datetime) -> tuple[MatchClock, ...]:
    """Return the clocks with a deadline before a moment that nobody has handled yet."""
    return tuple(MatchClock(*row) for row in await tx.rows(_RUNNING_OUT, {"before": before}))


async def take(tx: Transaction, seen: MatchClock, changed: MatchClock) -> bool:
    """Replace a clock unless it has changed since it was read; return whether it was replaced."""
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
    due_topic.announce(tx, changed.next_at)
    return bool(await tx.run(_TAKE, values))


async def mute(tx: Transaction, match_id: int, user_id: int, ply: int) -> bool:
    """Mute a player's reminders for this turn; return whether it is their turn."""
    values = {"match": match_id, "user": user_id, "at_ply": ply}
    return bool(await tx.run(_MUTE, values))

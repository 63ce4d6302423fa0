"""Each server's puzzles of the day."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from data import due, puzzle_schedules
from data.positions_in_play import in_play
from data.prepared import by_scope
from data.puzzles import GET as PUZZLE
from data.puzzles import Puzzle
from data.scope import within
from data.tables import daily_answers, daily_puzzles, puzzles

if TYPE_CHECKING:
    from datetime import date, datetime

    from sqlalchemy import Select

    from data.scope import Scope
    from data.transaction import Transaction

KEPT: Final = timedelta(days=30)
"""How long answers to a puzzle are kept."""

_d = daily_puzzles.c


@dataclass(frozen=True, slots=True)
class Daily:
    """The puzzle of a day in a server."""

    id: int
    guild_id: int
    day: str
    """An ISO date, in UTC."""
    puzzle_id: int
    channel_id: int
    message_id: int | None
    """``None`` until it is posted."""
    try_at: datetime | None
    """When to post it; ``None`` once posted."""
    closed_at: datetime | None
    """When answers stopped counting."""


_DAILY: Final = select(*(daily_puzzles.c[field.name] for field in fields(Daily)))
_KEY: Final = ["guild_id", "day"]
_ADD = {
    "sqlite": sqlite.insert(daily_puzzles).on_conflict_do_nothing(index_elements=_KEY),
    "postgresql": postgresql.insert(daily_puzzles).on_conflict_do_nothing(index_elements=_KEY),
}


async def next_moment(tx: Transaction, *, scope: Scope | None = None) -> datetime | None:
    """Return when to choose or post the next puzzle."""
    chosen = await puzzle_schedules.next_moment(tx, scope=scope)
    posted = await tx.scalar(_next_posted(scope))
    return min((one for one in (chosen, posted) if one is not None), default=None)


async def to_post(
    tx: Transaction, now: datetime, *, limit: int, scope: Scope | None = None
) -> tuple[Daily, ...]:
    """Return the puzzles to post now."""
    statement = _DAILY.where(_d.try_at <= now, *within(_d.guild_id, scope))
    rows = await tx.rows(statement.order_by(_d.try_at, _d.id).limit(limit))
    return tuple(Daily(*row) for row in rows)


async def pick(tx: Transaction, guild_id: int, game: str) -> tuple[Puzzle, bool] | None:
    """Return the next puzzle of a game for a server, and whether it was posed there before.

    Puzzles with a position in play are left out. Puzzles never posed there come first; among these,
    those found in matches, then the least tried.
    """
    posed = (
        select(_d.puzzle_id, func.max(_d.day).label("day"))
        .where(_d.guild_id == guild_id)
        .group_by(_d.puzzle_id)
        .subquery()
    )
    wanted = (
        PUZZLE.add_columns(posed.c.day)
        .outerjoin(posed, posed.c.puzzle_id == puzzles.c.id)
        .where(puzzles.c.game == game, ~in_play(puzzles.c.fingerprint))
        .order_by(
            posed.c.day.nulls_first(),
            puzzles.c.level.is_not(None),
            puzzles.c.tried,
            puzzles.c.id,
        )
    )
    row = await tx.row(wanted.limit(1))
    return None if row is None else (Puzzle(*row[:-1]), row[-1] is not None)


async def add(
    tx: Transaction, guild_id: int, day: date, *, puzzle_id: int, channel_id: int, at: datetime
) -> None:
    """Set a day's puzzle, to be posted at once, unless the day has one."""
    values = {
        "guild_id": guild_id,
        "day": day.isoformat(),
        "puzzle_id": puzzle_id,
        "channel_id": channel_id,
        "try_at": at,
    }
    await tx.run(_ADD[tx.dialect], values)
    due.announce(tx, at)


async def get(tx: Transaction, daily_id: int) -> Daily | None:
    """Return a daily puzzle, ``None`` if it does not exist."""
    row = await tx.row(_DAILY.where(_d.id == daily_id))
    return None if row is None else Daily(*row)


async def of_day(tx: Transaction, guild_id: int, day: date) -> Daily | None:
    """Return the puzzle of a day in a server, posted or not, ``None`` if there is none."""
    row = await tx.row(_DAILY.where(_d.guild_id == guild_id, _d.day == day.isoformat()))
    return None if row is None else Daily(*row)


async def previous(tx: Transaction, daily: Daily) -> Daily | None:
    """Return the last puzzle posted before another one in the same server, if any."""
    earlier = _DAILY.where(
        _d.guild_id == daily.guild_id, _d.day < daily.day, _d.message_id.is_not(None)
    )
    row = await tx.row(earlier.order_by(_d.day.desc()).limit(1))
    return None if row is None else Daily(*row)


async def mark_posted(tx: Transaction, daily_id: int, message_id: int) -> None:
    """Record that a puzzle was posted."""
    values = {"message_id": message_id, "try_at": None}
    await tx.run(update(daily_puzzles).where(_d.id == daily_id).values(values))


async def postpone(
    tx: Transaction, daily_id: int, at: datetime, *, channel_id: int | None = None
) -> None:
    """Schedule another attempt to post a puzzle, optionally in another channel."""
    values: dict[str, object] = {"try_at": at}
    if channel_id is not None:
        values["channel_id"] = channel_id
    unposted = (_d.id == daily_id) & _d.message_id.is_(None)
    await tx.run(update(daily_puzzles).where(unposted).values(values))
    due.announce(tx, at)


async def forget(tx: Transaction, daily_id: int) -> None:
    """Delete a puzzle unless it was posted."""
    unposted = (_d.id == daily_id) & _d.message_id.is_(None)
    await tx.run(delete(daily_puzzles).where(unposted))


async def close(tx: Transaction, guild_id: int, at: datetime) -> None:
    """Stop counting answers to a server's puzzles; delete unposted puzzles and old answers."""
    mine = _d.guild_id == guild_id
    await tx.run(delete(daily_puzzles).where(mine, _d.message_id.is_(None)))
    await tx.run(update(daily_puzzles).where(mine, _d.closed_at.is_(None)).values(closed_at=at))
    old = select(_d.id).where(mine, _d.day < (at - KEPT).date().isoformat())
    await tx.run(delete(daily_answers).where(daily_answers.c.daily_id.in_(old)))


async def reopen(tx: Transaction, daily_id: int) -> None:
    """Count answers to a puzzle again."""
    await tx.run(update(daily_puzzles).where(_d.id == daily_id).values(closed_at=None))


async def counting(tx: Transaction, guild_id: int, puzzle_id: int) -> Daily | None:
    """Return a server's daily puzzle for which answers to a puzzle count, if any.

    It stays open until the end of the transaction.
    """
    mine = (_d.guild_id == guild_id) & (_d.puzzle_id == puzzle_id) & _d.closed_at.is_(None)
    row = await tx.row(_DAILY.where(mine).with_for_update())
    return None if row is None else Daily(*row)


@by_scope
def _next_posted(scope: Scope | None) -> Select[Any]:
    return select(func.min(_d.try_at)).where(*within(_d.guild_id, scope))

"""Each server's puzzles of the day."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from typing import Final

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from data.posts import posts
from data.puzzles.analysis_tables import daily_answers, daily_puzzles, puzzles
from data.puzzles.positions_in_play import in_play
from data.puzzles.puzzles import GET as PUZZLE
from data.puzzles.puzzles import Puzzle
from data.sql.transaction import Transaction

POST: Final = "daily_puzzle"
"""The kind of post that poses a puzzle."""
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
    closed_at: datetime | None
    """When answers stopped counting."""


_DAILY: Final = select(*(daily_puzzles.c[field.name] for field in fields(Daily)))
_KEY: Final = ["guild_id", "day"]
_ADD = {
    "sqlite": sqlite.insert(daily_puzzles).on_conflict_do_nothing(index_elements=_KEY),
    "postgresql": postgresql.insert(daily_puzzles).on_conflict_do_nothing(index_elements=_KEY),
}


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
    """Set a day's puzzle and ask for its post, unless the day has one."""
    values = {
        "guild_id": guild_id,
        "day": day.isoformat(),
        "puzzle_id": puzzle_id,
        "channel_id": channel_id,
    }
    if await tx.run(_ADD[tx.dialect], values):
        daily = await of_day(tx, guild_id, day)
        assert daily is not None, "it was just added"
        await posts.want(tx, POST, daily.id, at=at, guild_id=guild_id)


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
    await tx.run(update(daily_puzzles).where(_d.id == daily_id).values(message_id=message_id))


async def move(tx: Transaction, daily: Daily, channel_id: int, at: datetime) -> None:
    """Post a puzzle in another channel, unless it was posted."""
    if daily.message_id is None:
        here = update(daily_puzzles).where(_d.id == daily.id)
        await tx.run(here.values(channel_id=channel_id))
        await posts.want(tx, POST, daily.id, at=at, guild_id=daily.guild_id)


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

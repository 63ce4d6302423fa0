"""Each server's puzzles of the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

import sqlalchemy as sa
from sqlalchemy import and_, delete, func, select, update

from data import posts
from data.puzzles.puzzles import GET as PUZZLE
from data.puzzles.puzzles import Daily, Puzzle, daily_puzzles, in_play, puzzles
from data.sql.columns import Id, Instant, reference, table
from data.sql.statements import Prepared, values_of
from data.sql.transaction import Transaction

POST: Final = "daily_puzzle"
"""The kind of post that poses a puzzle."""
KEPT: Final = timedelta(days=30)
"""How long answers to a puzzle are kept."""

_d = daily_puzzles.c

_DAILY: Final = select(daily_puzzles)


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
            posed.c.day.nulls_first(), puzzles.c.level.is_not(None), puzzles.c.tried, puzzles.c.id
        )
    )
    row = await tx.row(wanted.limit(1))
    return None if row is None else (Puzzle(*row[:-1]), row[-1] is not None)


async def add(
    tx: Transaction, guild_id: int, day: date, *, puzzle_id: int, channel_id: int, at: datetime
) -> None:
    """Set a day's puzzle and ask for its post, unless the day has one."""
    values = {"guild_id": guild_id, "day": day.isoformat()}
    values |= {"puzzle_id": puzzle_id, "channel_id": channel_id}
    if await tx.insert_new(daily_puzzles, values, "guild_id", "day"):
        daily = await of_day(tx, guild_id, day)
        assert daily is not None, "it was just added"
        await posts.want(tx, POST, daily.id, at=at, guild_id=guild_id)


async def get(tx: Transaction, daily_id: int) -> Daily | None:
    """Return a daily puzzle, ``None`` if it does not exist."""
    return await tx.record(Daily, _DAILY.where(_d.id == daily_id))


async def of_day(tx: Transaction, guild_id: int, day: date) -> Daily | None:
    """Return the puzzle of a day in a server, posted or not, ``None`` if there is none."""
    return await tx.record(Daily, _DAILY.where(_d.guild_id == guild_id, _d.day == day.isoformat()))


async def previous(tx: Transaction, daily: Daily) -> Daily | None:
    """Return the last puzzle posted before another one in the same server, if any."""
    earlier = _DAILY.where(
        _d.guild_id == daily.guild_id, _d.day < daily.day, _d.message_id.is_not(None)
    )
    return await tx.record(Daily, earlier.order_by(_d.day.desc()).limit(1))


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
    return await tx.record(Daily, _DAILY.where(mine).with_for_update())


@dataclass(frozen=True, slots=True)
class DailyAnswer:
    """A user's result in a daily puzzle."""

    solved: bool
    first_try: bool
    """Whether their first answer was right."""
    streak: int
    """The server's puzzles solved in a row, this one included; 0 until it is solved."""


daily_answers = table(
    "daily_answers",
    reference("daily_id", "daily_puzzles.id"),
    sa.Column("user_id", Id, nullable=False),
    sa.Column("at", Instant, nullable=False),
    sa.Index("ix_daily_answers_user_id", "user_id"),
    rows=DailyAnswer,
    key=("daily_id", "user_id"),
)
"""The users who tried a daily puzzle."""
_a = daily_answers.c


@dataclass(frozen=True, slots=True)
class Tally:
    """How many players have tried and solved a daily puzzle."""

    tried: int = 0
    solved: int = 0
    first_try: int = 0
    """Players whose first answer was right."""


async def answer_of(tx: Transaction, daily_id: int, user_id: int) -> DailyAnswer | None:
    """Return a user's result in a daily puzzle, ``None`` if they have not tried it."""
    this = (_a.daily_id == daily_id) & (_a.user_id == user_id)
    return await tx.record(DailyAnswer, select(_a.solved, _a.first_try, _a.streak).where(this))


async def record_answer(
    tx: Transaction, daily: Daily, user_id: int, *, right: bool, first: bool, at: datetime
) -> DailyAnswer:
    """Record an answer in the transaction of `counting`; once a puzzle is solved, nothing changes.

    ``first`` is whether it is the user's first answer to this puzzle anywhere.
    """
    known = await answer_of(tx, daily.id, user_id)
    if known is not None and (known.solved or not right):
        return known
    streak = 0
    if right:
        earlier = await previous(tx, daily)
        last = None if earlier is None else await answer_of(tx, earlier.id, user_id)
        streak = 1 + (last.streak if last is not None and last.solved else 0)
    answer = DailyAnswer(right, right and first and known is None, streak)
    values = {"daily_id": daily.id, "user_id": user_id, "at": at}
    await tx.put(daily_answers, values | values_of(answer))
    return answer


async def tally(tx: Transaction, daily_id: int) -> Tally:
    """Return how many players have tried and solved a daily puzzle."""
    flags = (func.count().filter(flag) for flag in (_a.solved, _a.first_try))
    counted = select(func.count(), *flags).where(_a.daily_id == daily_id)
    return await tx.record(Tally, counted) or Tally()


async def longest_streaks(
    tx: Transaction, daily_id: int, *, minimum: int, limit: int
) -> Sequence[tuple[int, int]]:
    """Return the longest streaks up to a daily puzzle, as pairs of user and length."""
    lasting = and_(_a.daily_id == daily_id, _a.solved, _a.streak >= minimum)
    statement = select(_a.user_id, _a.streak).where(lasting)
    rows = await tx.rows(statement.order_by(_a.streak.desc(), _a.at, _a.user_id).limit(limit))
    return [(row[0], row[1]) for row in rows]


@dataclass(frozen=True, slots=True)
class Schedule:
    """A server's schedule for daily puzzles."""

    guild_id: int
    channel_id: int
    hour: int
    """Hour of the day, in UTC."""
    next_at: datetime
    notified: bool = False
    """Whether its managers know that it cannot be posted."""


puzzle_schedules = table(
    "puzzle_schedules",
    sa.Index("ix_puzzle_schedules_next_at", "next_at"),
    rows=Schedule,
    key=("guild_id",),
)
"""It is derived from the server's settings."""

_s = puzzle_schedules.c


async def schedule_of(tx: Transaction, guild_id: int) -> Schedule | None:
    """Return a server's schedule, ``None`` if it wants no puzzles."""
    return await tx.record(Schedule, select(puzzle_schedules).where(_s.guild_id == guild_id))


async def set_schedule(tx: Transaction, wanted: Schedule) -> None:
    """Set a server's schedule."""
    await tx.put(puzzle_schedules, wanted)
    tx.announce_due(wanted.next_at)


async def set_next_at(tx: Transaction, guild_id: int, moment: datetime) -> None:
    """Set when a server gets its next puzzle, leaving the rest of its schedule."""
    await tx.run(update(puzzle_schedules).where(_s.guild_id == guild_id).values(next_at=moment))
    tx.announce_due(moment)


async def remove_schedule(tx: Transaction, guild_id: int) -> None:
    """Stop a server's daily puzzles."""
    await tx.run(delete(puzzle_schedules).where(_s.guild_id == guild_id))


async def mark_notified(tx: Transaction, guild_id: int, *, notified: bool) -> bool:
    """Record whether managers know that a puzzle cannot be posted; return whether that changed."""
    changed = update(puzzle_schedules).where(_s.guild_id == guild_id, _s.notified != notified)
    return bool(await tx.run(changed.values(notified=notified)))


_NEXT_MOMENT: Final = Prepared(select(func.min(_s.next_at)), _s.guild_id)


async def next_moment(tx: Transaction) -> datetime | None:
    """Return when the next puzzle is to be chosen."""
    return await tx.scalar(_NEXT_MOMENT)


async def due_now(tx: Transaction, now: datetime, *, limit: int) -> tuple[Schedule, ...]:
    """Return the servers whose next puzzle is due, longest wait first."""
    statement = select(puzzle_schedules).where(_s.next_at <= now, tx.covers(_s.guild_id))
    return await tx.records(Schedule, statement.order_by(_s.next_at, _s.guild_id).limit(limit))

"""Users' answers to the puzzles of the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, and_, case, func, select

from data.puzzles.analysis_tables import daily_answers
from data.puzzles.daily_puzzles import Daily, previous
from data.sql.transaction import Transaction
from data.sql.upserts import upsert

_a = daily_answers.c
_PUT = upsert(daily_answers)


@dataclass(frozen=True, slots=True)
class Tally:
    """How many players have tried and solved a daily puzzle."""

    tried: int = 0
    solved: int = 0
    first_try: int = 0
    """Players whose first answer was right."""


@dataclass(frozen=True, slots=True)
class DailyAnswer:
    """A user's result in a daily puzzle."""

    solved: bool
    first_try: bool
    """Whether their first answer was right."""
    streak: int
    """The server's puzzles solved in a row, this one included; 0 until it is solved."""


async def get(tx: Transaction, daily_id: int, user_id: int) -> DailyAnswer | None:
    """Return a user's result in a daily puzzle, ``None`` if they have not tried it."""
    this = (_a.daily_id == daily_id) & (_a.user_id == user_id)
    row = await tx.row(select(_a.solved, _a.first_try, _a.streak).where(this))
    return None if row is None else DailyAnswer(*row)


async def record(
    tx: Transaction, daily: Daily, user_id: int, *, right: bool, first: bool, at: datetime
) -> DailyAnswer:
    """Record an answer to a daily puzzle; once it is solved, nothing changes.

    Args:
        tx: the transaction in which `daily_puzzles.counting` found the puzzle.
        daily: the puzzle.
        user_id: the user who answered.
        right: whether the answer solves it.
        first: whether it is their first answer to this puzzle anywhere.
        at: the current time.
    """
    known = await get(tx, daily.id, user_id)
    if known is not None and (known.solved or not right):
        return known
    streak = 0
    if right:
        earlier = await previous(tx, daily)
        last = None if earlier is None else await get(tx, earlier.id, user_id)
        streak = 1 + (last.streak if last is not None and last.solved else 0)
    answer = DailyAnswer(right, right and first and known is None, streak)
    values = {
        "daily_id": daily.id,
        "user_id": user_id,
        "at": at,
        "solved": answer.solved,
        "first_try": answer.first_try,
        "streak": answer.streak,
    }
    await tx.run(_PUT[tx.dialect], values)
    return answer


async def tally(tx: Transaction, daily_id: int) -> Tally:
    """Return how many players have tried and solved a daily puzzle."""

    def number(flag: ColumnElement[bool]) -> ColumnElement[int]:
        return func.coalesce(func.sum(case((flag, 1), else_=0)), 0)

    counted = select(func.count(), number(_a.solved), number(_a.first_try))
    row = await tx.row(counted.where(_a.daily_id == daily_id))
    assert row is not None, "a count has a row"
    return Tally(*map(int, row))


async def longest_streaks(
    tx: Transaction, daily_id: int, *, minimum: int, limit: int
) -> Sequence[tuple[int, int]]:
    """Return the longest streaks up to a daily puzzle, as pairs of user and length."""
    lasting = and_(_a.daily_id == daily_id, _a.solved, _a.streak >= minimum)
    statement = select(_a.user_id, _a.streak).where(lasting)
    rows = await tx.rows(statement.order_by(_a.streak.desc(), _a.at, _a.user_id).limit(limit))
    return [(row[0], row[1]) for row in rows]

"""How many settled players have their mean where, by the day of their last game.

It is kept beside the ratings, in the same transactions, so that nobody who wants a place or a page
ever counts players one by one. Whose data was deleted is not in it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC
from math import floor
from typing import TYPE_CHECKING, Final

from sqlalchemy import and_, bindparam, delete, func, select

from data.tables import crowd, ratings
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from data.transaction import Transaction

WIDTH: Final = 0.25
"""How much of the mean falls into one bucket; a power of 2, so that its bounds are exact."""

_c = crowd.c
_ADD = upsert(crowd, "players", adding=True)
_EMPTY = delete(crowd).where(
    _c.scope == bindparam("at_scope"),
    _c.game == bindparam("of_game"),
    _c.day == bindparam("on"),
    _c.bucket == bindparam("within"),
    _c.players == 0,
)
_READ = (
    select(_c.bucket, func.sum(_c.players).label("players"))
    .where(
        and_(_c.scope == bindparam("at_scope"), _c.game == bindparam("of_game")),
        _c.day >= bindparam("since_day"),
    )
    .group_by(_c.bucket)
    .order_by(_c.bucket.desc())
)
_SETTLED = select(ratings.c.scope, ratings.c.user_id, ratings.c.mu, ratings.c.last_at).where(
    ratings.c.game == bindparam("of_game"), ratings.c.settled
)


@dataclass(frozen=True, slots=True)
class Crowd:
    """How many are listed, bucket by bucket, the best first."""

    buckets: tuple[tuple[int, int], ...]

    @property
    def number(self) -> int:
        """How many there are."""
        return sum(players for _, players in self.buckets)

    def above(self, mu: float) -> int:
        """Return how many are in better buckets than a mean."""
        mine = bucket(mu)
        return sum(players for number, players in self.buckets if number > mine)

    def starting(self, skipped: int) -> tuple[float, int]:
        """Return below which mean the bucket of a place begins, and how many come before there.

        Args:
            skipped: how many are better; fewer than there are.

        """
        for number, players in self.buckets:
            if skipped < players:
                return (number + 1) * WIDTH, skipped
            skipped -= players
        raise IndexError("there are not so many players")


def bucket(mu: float) -> int:
    """Return the bucket of a mean."""
    return floor(mu / WIDTH)


def day(moment: datetime) -> int:
    """Return the day of a moment, by its number."""
    return moment.astimezone(UTC).toordinal()


async def read(tx: Transaction, scope: int, game: str, since_day: int) -> Crowd:
    """Return who is listed: who has played since a day."""
    values = {"at_scope": scope, "of_game": game, "since_day": since_day}
    rows = await tx.rows(_READ, values)
    return Crowd(tuple((row.bucket, int(row.players)) for row in rows))


async def move(tx: Transaction, game: str, moved: Mapping[tuple[int, int, int], int]) -> None:
    """Add to how many there are, by scope, day and bucket."""
    changed = [(place, times) for place, times in sorted(moved.items()) if times]
    rows = [
        {"scope": scope, "game": game, "day": on, "bucket": within, "players": times}
        for (scope, on, within), times in changed
    ]
    if rows:
        await tx.run(_ADD[tx.dialect], rows)
    left = [
        {"at_scope": scope, "of_game": game, "on": on, "within": within}
        for (scope, on, within), times in changed
        if times < 0
    ]
    if left:
        await tx.run(_EMPTY, left)


async def counted(tx: Transaction, game: str) -> Counter[tuple[int, int, int]]:
    """Return how many there are by scope, day and bucket, counted one by one."""
    rows = await tx.rows(_SETTLED, {"of_game": game})
    return Counter((row.scope, day(row.last_at), bucket(row.mu)) for row in rows if row.user_id > 0)

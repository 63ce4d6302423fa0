"""The number of established players by mean rating and day of last game.

It is updated together with the ratings, in the same transactions, so a rank or a page of a
leaderboard never requires counting players one by one. Players whose data was deleted are left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from math import floor
from typing import Final, NamedTuple

from sqlalchemy import (
    Column,
    Integer,
    Table,
    Text,
    bindparam,
    delete,
    func,
    select,
)

from data.ratings.rating import Rating
from data.sql.columns import KEYED, Id, metadata
from data.sql.statements import upsert
from data.sql.transaction import Transaction

rating_histogram = Table(
    "rating_histogram",
    metadata,
    Column("scope", Id, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("day", Integer, primary_key=True),
    Column("bucket", Integer, primary_key=True),
    Column("players", Integer, nullable=False),
    **KEYED,
)
"""The number of established players by day of last game and bucket of the mean."""


WIDTH: Final = 0.25
"""The width of a bucket; a power of 2, so its bounds are exact."""

_c = rating_histogram.c
_ADD = upsert(rating_histogram, "players", adding=True)
_REMOVE_EMPTY = delete(rating_histogram).where(
    _c.scope == bindparam("at_scope"),
    _c.game == bindparam("of_game"),
    _c.day == bindparam("on"),
    _c.bucket == bindparam("within"),
    _c.players == 0,
)


class Cell(NamedTuple):
    """One count of the histogram."""

    scope: int
    day: int
    bucket: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """The number of ranked players in each bucket, best first."""

    buckets: tuple[tuple[int, int], ...]

    @property
    def total(self) -> int:
        """The number of ranked players."""
        return sum(players for _, players in self.buckets)

    def above(self, mu: float) -> int:
        """Return the number of players in buckets above that of a mean."""
        mine = bucket(mu)
        return sum(players for number, players in self.buckets if number > mine)

    def seek(self, offset: int) -> tuple[float, int]:
        """Return the upper bound of the bucket that a page begins in, and the offset within it.

        ``offset`` is the number of better players, less than `total`.
        """
        for number, players in self.buckets:
            if offset < players:
                return (number + 1) * WIDTH, offset
            offset -= players
        raise IndexError("the offset is beyond the last player")


def bucket(mu: float) -> int:
    """Return the bucket of a mean."""
    return floor(mu / WIDTH)


def day(moment: datetime) -> int:
    """Return the day of a datetime, as a number."""
    return moment.astimezone(UTC).toordinal()


def cell(rating: Rating) -> Cell | None:
    """Return the cell that counts a rating, ``None`` if it is not counted."""
    if not rating.established or rating.user_id <= 0:
        return None
    return Cell(rating.scope, day(rating.last_at), bucket(rating.mu))


async def read(tx: Transaction, scope: int, game: str, since_day: int) -> Histogram:
    """Return the histogram of the players whose last game was on a day or later."""
    statement = (
        select(_c.bucket, func.sum(_c.players))
        .where(_c.scope == scope, _c.game == game, _c.day >= since_day)
        .group_by(_c.bucket)
        .order_by(_c.bucket.desc())
    )
    return Histogram(tuple((number, int(players)) for number, players in await tx.rows(statement)))


async def add(tx: Transaction, game: str, counts: Mapping[Cell, int]) -> None:
    """Add numbers of players, possibly negative, to cells."""
    changed = [(cell, number) for cell, number in sorted(counts.items()) if number]
    rows = [cell._asdict() | {"game": game, "players": number} for cell, number in changed]
    if rows:
        await tx.run(_ADD[tx.dialect], rows)
    emptied = [
        {"at_scope": cell.scope, "of_game": game, "on": cell.day, "within": cell.bucket}
        for cell, number in changed
        if number < 0
    ]
    if emptied:
        await tx.run(_REMOVE_EMPTY, emptied)

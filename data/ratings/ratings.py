"""The current ratings of players and sides, and the histogram kept with them.

It counts established players by mean rating and day of last game, so that a rank or a page of a
leaderboard never requires counting players one by one. Players whose data was deleted are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import floor
from typing import Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    select,
    text,
    update,
)

from data import computer_tasks
from data.computer_tasks import Kind
from data.ratings.rating import Key, Rating, SideRating, rating_changes, ratings, side_ratings
from data.ratings.season_ratings import season_ratings
from data.sql.columns import table
from data.sql.transaction import Transaction

rating_histogram = table(
    "rating_histogram",
    rows={"scope": int, "game": str, "day": int, "bucket": int, "players": int},
    key=("scope", "game", "day", "bucket"),
)
"""The number of established players by day of last game and bucket of the mean."""

WIDTH: Final = 0.25
"""The width of a bucket; a power of 2, so its bounds are exact."""

_h = rating_histogram.c
_REMOVE_EMPTY = delete(rating_histogram).where(
    _h.scope == bindparam("at_scope"),
    _h.game == bindparam("of_game"),
    _h.day == bindparam("on"),
    _h.bucket == bindparam("within"),
    _h.players == 0,
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


RATING: Final = select(ratings)
"""Reads ratings; a row has `Rating`'s fields in order."""
_SIDE: Final = select(side_ratings)
_COMPUTED = (rating_changes, ratings, rating_histogram, side_ratings, season_ratings)


async def get(tx: Transaction, game: str, scope: int, user_id: int) -> Rating | None:
    """Return a player's rating, ``None`` without a rated game."""
    return await tx.record(Rating, RATING.where(_this(ratings, game, scope, user_id)))


async def of_players(tx: Transaction, game: str, user_ids: Iterable[int]) -> dict[Key, Rating]:
    """Return the ratings of players in all their scopes."""
    theirs = ratings.c.user_id.in_(sorted(user_ids)) & (ratings.c.game == game)
    found = await tx.records(Rating, RATING.where(theirs))
    return {(one.scope, one.user_id): one for one in found}


async def put(tx: Transaction, game: str, new: Mapping[Key, Rating | None]) -> None:
    """Set ratings, or remove those that are ``None``, and update the histogram.

    Unchanged ratings are not rewritten. The game's lock must be held.
    """
    known = await of_players(tx, game, {user_id for _, user_id in new})
    counts = Counter[Cell]()
    changed = []
    for key, rating in sorted(new.items()):
        old = known.get(key)
        if rating == old:
            continue
        if old is not None and (counted := cell(old)) is not None:
            counts[counted] -= 1
        if rating is None:
            await tx.run(delete(ratings).where(_this(ratings, game, *key)))
            continue
        if (counted := cell(rating)) is not None:
            counts[counted] += 1
        changed.append(rating)
    await tx.put(ratings, *changed)
    await _count(tx, game, counts)


async def read_histogram(tx: Transaction, scope: int, game: str, since_day: int) -> Histogram:
    """Return the histogram of the players whose last game was on a day or later."""
    statement = (
        select(_h.bucket, func.sum(_h.players))
        .where(_h.scope == scope, _h.game == game, _h.day >= since_day)
        .group_by(_h.bucket)
        .order_by(_h.bucket.desc())
    )
    return Histogram(tuple((number, int(players)) for number, players in await tx.rows(statement)))


async def _count(tx: Transaction, game: str, counts: Mapping[Cell, int]) -> None:
    """Add numbers of players, possibly negative, to cells."""
    changed = [(cell, number) for cell, number in sorted(counts.items()) if number]
    rows = [cell._asdict() | {"game": game, "players": number} for cell, number in changed]
    await tx.put(rating_histogram, *rows, adding=True)
    emptied = [
        {"at_scope": cell.scope, "of_game": game, "on": cell.day, "within": cell.bucket}
        for cell, number in changed
        if number < 0
    ]
    if emptied:
        await tx.run(_REMOVE_EMPTY, emptied)


async def remove_unfounded(tx: Transaction, game: str, keys: Iterable[Key]) -> None:
    """Remove those of some ratings that no longer have a result behind them."""
    removed: dict[Key, None] = {}
    for scope, user_id in keys:
        founded = exists().where(_this(rating_changes, game, scope, user_id))
        if not await tx.scalar(select(founded)):
            removed[scope, user_id] = None
    await put(tx, game, removed)


async def sides(tx: Transaction, game: str, scope: int) -> tuple[SideRating, ...]:
    """Return the ratings of the sides of a game, in seat order; empty without a rated game."""
    here = (side_ratings.c.scope == scope) & (side_ratings.c.game == game)
    return await tx.records(SideRating, _SIDE.where(here).order_by(side_ratings.c.seat))


async def put_sides(tx: Transaction, new: Sequence[SideRating]) -> None:
    """Set the ratings of sides."""
    await tx.put(side_ratings, *new)


async def replace_sides(tx: Transaction, game: str, new: Sequence[SideRating]) -> None:
    """Set the ratings of all sides of a game in all scopes."""
    await tx.run(delete(side_ratings).where(side_ratings.c.game == game))
    await put_sides(tx, new)


async def clear(tx: Transaction) -> None:
    """Remove all ratings; results and scores stay."""
    for one in _COMPUTED:
        if tx.dialect == "postgresql":
            await tx.run(text(f"TRUNCATE {one.name}"))
        else:
            await tx.run(delete(one))


def _this(table: Table, game: str, scope: int, user_id: int) -> ColumnElement[bool]:
    return and_(table.c.user_id == user_id, table.c.scope == scope, table.c.game == game)


class Outdated(NamedTuple):
    """A game whose ratings need recomputing."""

    game: str
    since_id: int
    """The first result whose rating changes may be wrong."""
    version: int
    """Grows when a running recomputation must start over."""


outdated_ratings = table("outdated_ratings", rows=Outdated, key=("game",))

_o = outdated_ratings.c
_OUTDATED = select(_o.game, _o.since_id, _o.version).order_by(_o.game)


async def all_outdated(tx: Transaction) -> tuple[Outdated, ...]:
    """Return all games whose ratings need recomputing."""
    return await tx.records(Outdated, _OUTDATED)


async def get_outdated(tx: Transaction, game: str) -> Outdated | None:
    """Return a game's pending recomputation, ``None`` if its ratings are up to date."""
    return await tx.record(Outdated, _OUTDATED.where(_o.game == game))


async def outdate(tx: Transaction, game: str, result_id: int) -> None:
    """Request a recomputation of a game's ratings from a result on."""
    known = await get_outdated(tx, game) or Outdated(game, result_id, 0)
    values = Outdated(game, min(known.since_id, result_id), known.version + 1)
    await tx.put(outdated_ratings, values)
    await computer_tasks.put(tx, Kind.RATINGS, game, urgent=False)


async def restart_recomputation(tx: Transaction, game: str) -> None:
    """Make a game's running recomputation, if any, start over."""
    statement = update(outdated_ratings).where(_o.game == game)
    await tx.run(statement.values(version=_o.version + 1))


async def mark_recomputed(tx: Transaction, game: str) -> None:
    """Record that a game's ratings are up to date."""
    await tx.run(delete(outdated_ratings).where(_o.game == game))

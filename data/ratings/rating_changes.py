"""The rating of each player after each rated result."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, exists, or_, select

from data.matches.match import players
from data.ratings.rating import EVERYWHERE, RatingChange, rating_changes, ratings, results
from data.sql.transaction import Transaction


class MatchChange(NamedTuple):
    """A match's effect on the rating of one of its players."""

    after: RatingChange
    before: RatingChange | None
    """The change before it, ``None`` for the first rated game."""
    established: bool
    """Whether the current rating is no longer provisional."""


_c = rating_changes.c
_READ: Final = select(rating_changes)
_OF_MATCH = (
    _READ.add_columns(ratings.c.established.label("established"))
    .join(results, results.c.id == _c.result_id)
    .join(players, and_(players.c.match_id == results.c.match_id, players.c.user_id == _c.user_id))
    .outerjoin(
        ratings,
        and_(
            ratings.c.user_id == _c.user_id, ratings.c.scope == _c.scope, ratings.c.game == _c.game
        ),
    )
    .where(results.c.match_id == bindparam("match"))
    .order_by(_c.scope, players.c.seat)
)


async def put(tx: Transaction, changes: Sequence[RatingChange]) -> None:
    """Store rating changes, replacing earlier ones for the same results."""
    await tx.put(rating_changes, *changes)


async def of_match(tx: Transaction, match_id: int) -> tuple[MatchChange, ...]:
    """Return the rating changes of a match, all servers together first, in seat order.

    It is empty for an unrated match.
    """
    found = []
    for *row, established in await tx.rows(_OF_MATCH, {"match": match_id}):
        after = RatingChange(*row)
        earlier = _READ.where(
            _of(after.scope, after.game, after.user_id), _c.result_id < after.result_id
        )
        last = await tx.row(earlier.order_by(_c.result_id.desc()).limit(1))
        before = None if last is None or not last.games else RatingChange(*last)
        found.append(MatchChange(after, before, bool(established)))
    return tuple(found)


async def meetings(
    tx: Transaction, game: str, pair: tuple[int, int], *, since: datetime, before: int
) -> tuple[datetime, ...]:
    """Return the times of games between two players since a given time, before a result.

    Only games that counted between these two are included, whatever their effect on others.
    """
    other = players.c
    theirs = and_(other.user_id == pair[1], other.result_id == _c.result_id)
    counted = _c.skipped.bitwise_rshift(other.seat).bitwise_and(1) == 0
    statement = select(_c.at).where(
        _of(EVERYWHERE, game, pair[0]),
        _c.result_id < before,
        _c.at > since,
        _c.rated,
        exists().where(theirs, counted),
    )
    return await tx.scalars(statement.order_by(_c.result_id))


async def history(
    tx: Transaction, scope: int, game: str, user_id: int, limit: int
) -> tuple[RatingChange, ...]:
    """Return a player's rated changes in order, thinned out to at most ``limit``.

    The first, last, highest and lowest are always included. ``limit`` is at least 5.
    """
    rated = and_(_of(scope, game, user_id), _c.rated)
    total = await tx.count(rated)
    chosen = rated
    if total > limit:
        kept = limit - 3
        lowest = select(_c.result_id).where(rated).order_by(_c.mu, _c.result_id).limit(1)
        highest = select(_c.result_id).where(rated).order_by(_c.mu.desc(), _c.result_id).limit(1)
        chosen &= or_(
            _c.games == 1,
            # One from each of ``kept`` parts of equal length: where the part's number grows.
            _c.games * kept // total != (_c.games - 1) * kept // total,
            _c.result_id == lowest.scalar_subquery(),
            _c.result_id == highest.scalar_subquery(),
        )
    return await tx.records(RatingChange, _READ.where(chosen).order_by(_c.result_id))


def _of(scope: int, game: str, user_id: int) -> ColumnElement[bool]:
    return and_(_c.user_id == user_id, _c.scope == scope, _c.game == game)

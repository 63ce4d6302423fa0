"""Leaderboards: pages of ratings and a player's rank, in one server or across all.

Established players who have played recently are ranked, by mean rating. The unranked follow:
provisional players, most games first, then inactive ones, latest game first. Players whose data was
deleted have negative ids and are never shown.

The histogram gives the bucket a page begins in and the number of players in better buckets; from
there the index is read only as far as the page goes. So the last page costs no more than the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, false, func, select, true, tuple_

from data.ratings.rating import Rating, ratings
from data.ratings.ratings import RATING, WIDTH, Histogram, bucket
from data.sql.transaction import Transaction

MAX_UNRANKED: Final = 1_000
"""Maximum provisional players, and inactive ones, shown."""

_r = ratings.c
_BEST: Final = (_r.mu.desc(), _r.games.desc(), _r.user_id.desc())
_MOST_GAMES: Final = (_r.games.desc(), _r.mu.desc(), _r.user_id.desc())
_LATEST: Final = (_r.last_at.desc(), _r.user_id.desc())


async def ranked(
    tx: Transaction,
    scope: int,
    game: str,
    histogram: Histogram,
    *,
    since: datetime,
    limit: int,
    offset: int,
) -> tuple[Rating, ...]:
    """Return a slice of the ranked players, best first.

    ``histogram`` counts the ranked players in the same transaction; ``since``, the earliest last
    game, is the start of a day.
    """
    if offset >= histogram.total:
        return ()
    await tx.use_custom_plans()
    below, skipped = histogram.seek(offset)
    chosen = and_(_established(scope, game), _r.last_at >= since, _r.mu < below)
    return await _read(tx, scope, game, await _find(tx, chosen, _BEST, limit, skipped))


async def unranked(
    tx: Transaction, scope: int, game: str, *, since: datetime, limit: int, offset: int
) -> tuple[Rating, ...]:
    """Return a slice of the unranked players, at most `MAX_UNRANKED` of each kind."""
    await tx.use_custom_plans()
    provisional = await _count_provisional(tx, scope, game)
    found: list[int] = []
    if offset < provisional:
        some = min(limit, provisional - offset)
        found += await _find(tx, _provisional(scope, game), _MOST_GAMES, some, offset)
    skipped = max(0, offset - provisional)
    room = min(limit - len(found), MAX_UNRANKED - skipped)
    if room > 0:
        found += await _find(tx, _inactive(scope, game, since), _LATEST, room, skipped)
    return await _read(tx, scope, game, found)


async def unranked_before(tx: Transaction, rating: Rating, *, since: datetime) -> int | None:
    """Return how many unranked players come before one, ``None`` if that player is not shown."""
    await tx.use_custom_plans()
    scope, game = rating.scope, rating.game
    if rating.established:
        before = await _count_provisional(tx, scope, game)
        found = await _find(tx, _inactive(scope, game, since), _LATEST, MAX_UNRANKED)
    else:
        before = 0
        found = await _find(tx, _provisional(scope, game), _MOST_GAMES, MAX_UNRANKED)
    return before + found.index(rating.user_id) if rating.user_id in found else None


async def rank(
    tx: Transaction, rating: Rating, histogram: Histogram, *, since: datetime
) -> int | None:
    """Return the rank of a player, ``None`` if they have none; see `ranked`."""
    if not rating.established or rating.last_at < since or rating.user_id <= 0:
        return None
    await tx.use_custom_plans()
    ahead = select(func.count()).where(
        _established(rating.scope, rating.game),
        _r.last_at >= since,
        _r.mu < (bucket(rating.mu) + 1) * WIDTH,
        _r.mu >= rating.mu,  # redundant, but it limits how much of the index is read
        tuple_(_r.mu, _r.games, _r.user_id) > (rating.mu, rating.games, rating.user_id),
    )
    return histogram.above(rating.mu) + await tx.number(ahead) + 1


def _shown(scope: int, game: str) -> ColumnElement[bool]:
    # Written so that no database is tempted to search by the order of ids.
    return and_(_r.scope == scope, _r.game == game, _r.user_id + 0 > 0)


def _established(scope: int, game: str) -> ColumnElement[bool]:
    return and_(_shown(scope, game), _r.established == true())


def _inactive(scope: int, game: str, since: datetime) -> ColumnElement[bool]:
    return and_(_established(scope, game), _r.last_at < since)


def _provisional(scope: int, game: str) -> ColumnElement[bool]:
    return and_(_shown(scope, game), _r.established == false())


async def _count_provisional(tx: Transaction, scope: int, game: str) -> int:
    some = select(_r.user_id).where(_provisional(scope, game)).limit(MAX_UNRANKED)
    return await tx.number(select(func.count()).select_from(some.subquery()))


async def _find(
    tx: Transaction,
    chosen: ColumnElement[bool],
    order: tuple[ColumnElement[Any], ...],
    limit: int,
    offset: int = 0,
) -> tuple[int, ...]:
    """Return the players of a page, from an index alone."""
    statement = select(_r.user_id).where(chosen).order_by(*order)
    return await tx.scalars(statement.limit(limit).offset(offset))


async def _read(tx: Transaction, scope: int, game: str, found: Sequence[int]) -> tuple[Rating, ...]:
    if not found:
        return ()
    here = and_(_r.scope == scope, _r.game == game, _r.user_id.in_(found))
    known = {one.user_id: one for one in await tx.records(Rating, RATING.where(here))}
    return tuple(known[user_id] for user_id in found)

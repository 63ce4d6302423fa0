"""Season ratings and the resulting places.

Players with enough games and opponents have a place, by points; equal points share it. The others
follow. A player excluded from rated play before a season's end has none while the exclusion lasts.
Players whose data was deleted keep their places: the others do not move up.

A season is only a number here; see `bot.play.ratings.seasons`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy import ColumnElement, and_, delete, func, not_, select, tuple_

from data.matches.match import players
from data.people.exclusions import excluded_players
from data.ratings.rating import SeasonKey, SeasonRating, results
from data.sql.columns import table
from data.sql.transaction import Transaction

season_ratings = table(
    "season_ratings",
    sa.Index(
        "ix_season_ratings_points",
        "scope",
        "game",
        "season",
        "ranked",
        "points",
        "games",
        "user_id",
    ),
    rows=SeasonRating,
    key=("user_id", "scope", "game", "season"),
)

_c = season_ratings.c
_READ: Final = select(season_ratings)
_ORDER = (_c.ranked.desc(), _c.points.desc(), _c.games.desc(), _c.user_id.desc())
_mine, _theirs = players.alias("mine"), players.alias("theirs")


class Board(NamedTuple):
    """A season's table for a game in a server."""

    guild_id: int
    game: str
    season: int
    end: datetime
    """When the season ends."""


class Part(NamedTuple):
    """A slice of a season's table."""

    rows: tuple[SeasonRating, ...]
    total: int
    """The number of players in the table."""
    ranked: int
    """The number of players with a place."""


async def of_players(
    tx: Transaction, game: str, season: int, scope: int, user_ids: Iterable[int]
) -> dict[SeasonKey, SeasonRating]:
    """Return players' ratings in one season."""
    people = _c.user_id.in_(sorted(user_ids))
    here = _READ.where(people, _c.scope == scope, _c.game == game, _c.season == season)
    return _by_key(await tx.records(SeasonRating, here))


async def met(
    tx: Transaction,
    game: str,
    scope: int,
    user_id: int,
    *,
    since: datetime,
    until: datetime,
    limit: int,
) -> tuple[int, ...]:
    """Return a player's opponents in a server's rated matches of a period, up to a limit."""
    statement = (
        select(_theirs.c.user_id)
        .distinct()
        .select_from(_mine)
        .join(results, results.c.id == _mine.c.result_id)
        .join(
            _theirs,
            and_(_theirs.c.match_id == _mine.c.match_id, _theirs.c.user_id != _mine.c.user_id),
        )
        .where(
            _mine.c.user_id == user_id,
            _mine.c.guild_id == scope,
            results.c.game == game,
            results.c.rated,
            results.c.at >= since,
            results.c.at < until,
        )
    )
    return await tx.scalars(statement.limit(limit))


async def put(tx: Transaction, game: str, new: dict[SeasonKey, SeasonRating | None]) -> None:
    """Set season ratings, or remove those that are ``None``.

    Unchanged ratings are not rewritten. The game's lock must be held.
    """
    if not new:
        return
    people = _c.user_id.in_({user_id for _, _, user_id in new})
    here = and_(people, _c.game == game, _c.season.in_({season for season, _, _ in new}))
    known = _by_key(await tx.records(SeasonRating, _READ.where(here)))
    changed = []
    for key, rating in sorted(new.items()):
        if rating == known.get(key):
            continue
        season, scope, user_id = key
        if rating is not None:
            changed.append(rating)
            continue
        await tx.run(
            delete(season_ratings).where(
                _c.user_id == user_id, _c.scope == scope, _c.game == game, _c.season == season
            )
        )
    await tx.put(season_ratings, *changed)


def _by_key(found: Iterable[SeasonRating]) -> dict[SeasonKey, SeasonRating]:
    return {(one.season, one.scope, one.user_id): one for one in found}


async def part(tx: Transaction, board: Board, *, limit: int, offset: int) -> Part:
    """Return a slice of a season's table."""
    await tx.use_custom_plans()
    shown = _shown(board)
    counts = select(func.count(), func.count().filter(_c.ranked)).where(shown)
    row = await tx.row(counts)
    total, ranked = row or (0, 0)
    these = _READ.where(shown).order_by(*_ORDER).limit(limit).offset(offset)
    return Part(await tx.records(SeasonRating, these), total, ranked)


async def get(tx: Transaction, board: Board, user_id: int) -> SeasonRating | None:
    """Return a player's rating in a season's table, ``None`` if they are not in it."""
    return await tx.record(SeasonRating, _READ.where(_shown(board), _c.user_id == user_id))


async def before(tx: Transaction, board: Board, rating: SeasonRating) -> int:
    """Return how many players come before a given one in a season's table."""
    await tx.use_custom_plans()
    mine = (rating.ranked, rating.points, rating.games, rating.user_id)
    ahead = tuple_(_c.ranked, _c.points, _c.games, _c.user_id) > tuple_(*mine)
    return await tx.count(_shown(board), ahead)


async def better(tx: Transaction, board: Board, points: int) -> int:
    """Return how many players with a place in a season have more points."""
    more = and_(_shown(board), _c.ranked, _c.points > points)
    return await tx.count(more)


async def first(tx: Transaction, board: Board, *, limit: int) -> tuple[int, ...]:
    """Return the players who share first place in a season, up to a limit."""
    here = and_(_shown(board), _c.ranked)
    best = select(func.max(_c.points)).where(here).scalar_subquery()
    statement = select(_c.user_id).where(here, _c.points == best).order_by(_c.user_id)
    return await tx.scalars(statement.limit(limit))


async def of_game(tx: Transaction, scope: int, game: str, *, limit: int) -> tuple[int, ...]:
    """Return the seasons in which a game was rated in a server, latest first."""
    here = and_(_c.scope == scope, _c.game == game)
    statement = select(_c.season).where(here).distinct().order_by(_c.season.desc())
    return await tx.scalars(statement.limit(limit))


async def first_places(
    tx: Transaction,
    guild_id: int | None,
    user_id: int,
    *,
    before: int,
    minimum: int,
    end: Callable[[int], datetime],
    limit: int,
) -> tuple[Board, ...]:
    """Return the seasons before one in which a player came first, latest first.

    A season counts in which at least ``minimum`` players have a place. ``end`` returns when one ends.
    """
    wanted = [_c.user_id == user_id, _c.ranked, _c.season < before]
    if guild_id is not None:
        wanted.append(_c.scope == guild_id)
    boards: list[Board] = []
    these = _READ.where(*wanted).order_by(_c.season.desc(), _c.game, _c.scope)
    for own in await tx.records(SeasonRating, these):
        board = Board(own.scope, own.game, own.season, end(own.season))
        counts = await tx.row(
            select(
                func.count(),
                func.count().filter(_c.points > own.points),
                func.count().filter(_c.user_id == user_id),
            ).where(_shown(board), _c.ranked)
        )
        assert counts is not None
        players_ranked, ahead, shown = counts
        if players_ranked >= minimum and not ahead and shown:
            boards.append(board)
        if len(boards) == limit:
            break
    return tuple(boards)


def _shown(board: Board) -> ColumnElement[bool]:
    out = select(excluded_players.c.user_id).where(
        excluded_players.c.guild_id == board.guild_id, excluded_players.c.at < board.end
    )
    return and_(
        _c.scope == board.guild_id,
        _c.game == board.game,
        _c.season == board.season,
        not_(_c.user_id.in_(out)),
    )

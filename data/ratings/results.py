"""The results of matches, in the order in which the matches ended.

A transaction that adds or removes a result holds its game's lock, so results are rated one after
another and their ids grow in that order. SQLite has a single writer anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Select, and_, bindparam, delete, select, update

from data.matches.match import Match, matches, players
from data.ratings.rating import Placing, Result, results
from data.sql.transaction import Record, Transaction

_SEAT = (
    update(players)
    .where(players.c.match_id == bindparam("match"), players.c.seat == bindparam("at_seat"))
    .values(
        result_id=bindparam("number"),
        guild_id=bindparam("server"),
        moves=bindparam("made"),
        seconds=bindparam("spent"),
    )
)
_READ = (
    select(
        results.c.id,
        results.c.match_id,
        results.c.game,
        results.c.guild_id,
        results.c.at,
        results.c.rated,
        matches.c.options,
        players.c.seat,
        players.c.user_id,
        players.c.rank,
        players.c.moves,
        players.c.seconds,
    )
    .join(matches, matches.c.id == results.c.match_id)
    .join(players, players.c.match_id == results.c.match_id)
    .order_by(results.c.id, players.c.seat)
)
_mine, _theirs = players.alias("mine"), players.alias("theirs")


async def add(
    tx: Transaction,
    match: Match,
    *,
    at: datetime,
    rated: bool,
    times: Mapping[int, tuple[int, int]],
) -> Result:
    """Add the result of a match with ranked players after all others, and return it.

    ``times`` has, by seat, the number of turns and the seconds they took.
    """
    values = {"game": match.game, "guild_id": match.guild_id, "at": at, "rated": rated}
    number = await tx.insert(results, {"match_id": match.id, **values})
    placings = tuple(
        Placing(player.seat, player.user_id, player.rank or 0, *times.get(player.seat, (0, 0)))
        for player in match.players
    )
    seats = [
        {
            "match": match.id,
            "at_seat": placing.seat,
            "number": number,
            "server": match.guild_id,
            "made": placing.moves,
            "spent": placing.seconds,
        }
        for placing in placings
    ]
    await tx.run(_SEAT, seats)
    return Result(number, match.id, match.game, match.guild_id, at, rated, match.options, placings)


async def remove(tx: Transaction, match_id: int) -> None:
    """Remove the result of a match; its rating changes are deleted with it."""
    of_match = update(players).where(players.c.match_id == match_id)
    await tx.run(of_match.values(result_id=None, guild_id=None, moves=None, seconds=None))
    await tx.run(delete(results).where(results.c.match_id == match_id))


async def of_match(tx: Transaction, match_id: int) -> Result | None:
    """Return the result of a match, ``None`` if it has none."""
    found = _results(await tx.rows(_READ.where(results.c.match_id == match_id)))
    return found[0] if found else None


async def match_of(tx: Transaction, result_id: int) -> int | None:
    """Return a result's match, ``None`` if there is no such result."""
    return await tx.scalar(select(results.c.match_id).where(results.c.id == result_id))


async def rated_after(tx: Transaction, game: str, result_id: int, limit: int) -> tuple[Result, ...]:
    """Return the next results of a game to rate, in order."""
    next_ones = select(results.c.id).where(
        results.c.game == game, results.c.id > result_id, results.c.rated
    )
    return await _read(tx, next_ones.order_by(results.c.id).limit(limit))


async def latest(tx: Transaction, scope: int, user_id: int, limit: int) -> tuple[Result, ...]:
    """Return a player's latest results, unrated matches included, newest first."""
    return (await _read(tx, _latest(scope, user_id, limit)))[::-1]


async def meetings(
    tx: Transaction, scope: int, one: int, other: int, limit: int, *, game: str | None = None
) -> tuple[Result, ...]:
    """Return the latest results between two players, unrated matches included, newest first."""
    both = and_(_theirs.c.match_id == _mine.c.match_id, _theirs.c.user_id == other)
    statement = _latest(scope, one, limit).join(_theirs, both)
    if game is not None:
        of_game = and_(results.c.id == _mine.c.result_id, results.c.game == game)
        statement = statement.join(results, of_game)
    return (await _read(tx, statement))[::-1]


async def games(tx: Transaction) -> tuple[str, ...]:
    """Return the games that have results."""
    return await tx.scalars(select(results.c.game).distinct().order_by(results.c.game))


async def count_rated(tx: Transaction) -> int:
    """Return the number of results to be rated."""
    return await tx.count(results.c.rated)


def _latest(scope: int, user_id: int, limit: int) -> Select[Any]:
    """Return a statement for the ids of a player's latest results, newest first."""
    mine = and_(_mine.c.user_id == user_id, _mine.c.result_id.is_not(None))
    if scope:
        mine &= _mine.c.guild_id == scope
    return select(_mine.c.result_id).where(mine).order_by(_mine.c.result_id.desc()).limit(limit)


async def _read(tx: Transaction, wanted: Select[Any]) -> tuple[Result, ...]:
    numbers = await tx.scalars(wanted)
    return _results(await tx.rows(_READ.where(results.c.id.in_(numbers)))) if numbers else ()


def _results(rows: Iterable[Record]) -> tuple[Result, ...]:
    found = []
    for _, group in groupby(rows, key=lambda row: row.id):
        lines: list[Any] = [tuple(row) for row in group]
        head = len(Result._fields) - 1
        placings = tuple(
            Placing(seat, user_id, rank or 0, moves or 0, seconds or 0)
            for seat, user_id, rank, moves, seconds in (line[head:] for line in lines)
        )
        found.append(Result._make((*lines[0][:head], placings)))
    return tuple(found)

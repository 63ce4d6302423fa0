"""The results of matches, in the order in which the matches ended.

A transaction that adds or removes a result holds the lock of its game, so that results are rated
one after another and their ids grow in that order. SQLite has a single writer anyway.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, delete, func, insert, select, text, update

from data.rating import Placing, Result
from data.tables import matches, players, results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from data.match import Match
    from data.transaction import Record, Transaction

_LOCK = text("SELECT pg_advisory_xact_lock(20571, hashtext(:game))")
_ADD = insert(results).returning(results.c.id)
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
_UNSEAT = (
    update(players)
    .where(players.c.match_id == bindparam("match"))
    .values(result_id=None, guild_id=None, moves=None, seconds=None)
)
_REMOVE = delete(results).where(results.c.match_id == bindparam("match"))
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
_OF_MATCH = _READ.where(results.c.match_id == bindparam("match"))
_SOME = _READ.where(results.c.id.in_(bindparam("wanted", expanding=True)))
_NEXT = (
    select(results.c.id.label("result_id"))
    .where(
        results.c.game == bindparam("of_game"), results.c.id > bindparam("after"), results.c.rated
    )
    .order_by(results.c.id)
    .limit(bindparam("most"))
)
_GAMES = select(results.c.game).distinct().order_by(results.c.game)
_RATED = select(func.count().label("number")).where(results.c.rated)
_mine, _theirs = players.alias("mine"), players.alias("theirs")
_LATEST = (
    select(_mine.c.result_id)
    .where(_mine.c.user_id == bindparam("who"), _mine.c.result_id.is_not(None))
    .order_by(_mine.c.result_id.desc())
    .limit(bindparam("most"))
)
_HERE = _mine.c.guild_id == bindparam("at_scope")
_BOTH = and_(_theirs.c.match_id == _mine.c.match_id, _theirs.c.user_id == bindparam("other"))
_OF_GAME = and_(results.c.id == _mine.c.result_id, results.c.game == bindparam("of_game"))


async def lock(tx: Transaction, game: str) -> None:
    """Wait for the lock of a game, and hold it until the transaction ends."""
    if tx.dialect == "postgresql":
        await tx.run(_LOCK, {"game": game})


async def add(
    tx: Transaction,
    match: Match,
    *,
    at: datetime,
    rated: bool,
    times: Mapping[int, tuple[int, int]],
) -> Result:
    """Add the result of a match after all others and return it.

    Args:
        tx: the transaction.
        match: a match whose players have ranks.
        at: when it ended.
        rated: whether it is to be rated.
        times: for each seat the number of turns, and the seconds they took.

    """
    values = {
        "match_id": match.id,
        "game": match.game,
        "guild_id": match.guild_id,
        "at": at,
        "rated": rated,
    }
    row = await tx.row(_ADD, values)
    assert row is not None
    placings = tuple(
        Placing(player.seat, player.user_id, player.rank or 0, *times.get(player.seat, (0, 0)))
        for player in match.players
    )
    seats = [
        {
            "match": match.id,
            "at_seat": placing.seat,
            "number": row.id,
            "server": match.guild_id,
            "made": placing.moves,
            "spent": placing.seconds,
        }
        for placing in placings
    ]
    await tx.run(_SEAT, seats)
    return Result(row.id, match.id, match.game, match.guild_id, at, rated, match.options, placings)


async def remove(tx: Transaction, match_id: int) -> None:
    """Remove the result of a match; its rating changes go with it."""
    await tx.run(_UNSEAT, {"match": match_id})
    await tx.run(_REMOVE, {"match": match_id})


async def of_match(tx: Transaction, match_id: int) -> Result | None:
    """Return the result of a match, ``None`` if it has none."""
    found = _results(await tx.rows(_OF_MATCH, {"match": match_id}))
    return found[0] if found else None


async def rated_after(tx: Transaction, game: str, result_id: int, limit: int) -> tuple[Result, ...]:
    """Return the next results of a game that are to be rated, in order."""
    values = {"of_game": game, "after": result_id, "most": limit}
    return await _read(tx, await tx.rows(_NEXT, values))


async def latest(tx: Transaction, scope: int, user_id: int, limit: int) -> tuple[Result, ...]:
    """Return the latest results of a player, casual matches included, newest first."""
    statement = _LATEST.where(_HERE) if scope else _LATEST
    values = {"who": user_id, "most": limit} | ({"at_scope": scope} if scope else {})
    return (await _read(tx, await tx.rows(statement, values)))[::-1]


async def meetings(
    tx: Transaction, scope: int, one: int, other: int, limit: int, *, game: str | None = None
) -> tuple[Result, ...]:
    """Return the latest results of two players, casual matches included, newest first."""
    statement = _LATEST.join(_theirs, _BOTH)
    values: dict[str, Any] = {"who": one, "other": other, "most": limit}
    if scope:
        statement = statement.where(_HERE)
        values["at_scope"] = scope
    if game is not None:
        statement = statement.join(results, _OF_GAME)
        values["of_game"] = game
    return (await _read(tx, await tx.rows(statement, values)))[::-1]


async def games(tx: Transaction) -> tuple[str, ...]:
    """Return the games that have results."""
    return tuple(row.game for row in await tx.rows(_GAMES))


async def count_rated(tx: Transaction) -> int:
    """Return the number of results that are to be rated."""
    row = await tx.row(_RATED)
    assert row is not None
    return int(row.number)


async def _read(tx: Transaction, found: Iterable[Record]) -> tuple[Result, ...]:
    wanted = [row.result_id for row in found]
    return _results(await tx.rows(_SOME, {"wanted": wanted})) if wanted else ()


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

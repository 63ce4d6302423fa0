"""The matches that count for ratings, in the order in which they are rated.

One who rates the results of a game holds its lock, so that they are rated one after the other and
the numbers of results grow in that order. SQLite has only one writer at a time anyway.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, delete, false, func, insert, select, text

from data.tables import changes, matches, players, results

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from data.transaction import Record, Transaction


class Place(NamedTuple):
    """One of those who played, and how they ended."""

    seat: int
    user_id: int
    rank: int


class Stored(NamedTuple):
    """A match that counts."""

    id: int
    game: str
    guild_id: int | None
    at: datetime
    options: dict[str, str]
    players: tuple[Place, ...]
    """In the order of their seats."""


_LOCK = text("SELECT pg_advisory_xact_lock(20571, hashtext(:game))")
_ADD = insert(results).returning(results.c.id)
_READ = (
    select(
        results.c.id,
        results.c.game,
        results.c.guild_id,
        results.c.at,
        matches.c.options,
        players.c.seat,
        players.c.user_id,
        players.c.rank,
    )
    .join(matches, matches.c.id == results.c.match_id)
    .join(players, players.c.match_id == results.c.match_id)
    .order_by(results.c.id, players.c.seat)
)
_SOME = _READ.where(results.c.id.in_(bindparam("wanted", expanding=True)))
_ONE = _READ.where(results.c.id == bindparam("wanted"))
_OF_MATCH = _READ.where(results.c.match_id == bindparam("match"))
_PART = (
    select(results.c.id)
    .where(results.c.game == bindparam("of_game"), results.c.id > bindparam("known"))
    .order_by(results.c.id)
    .limit(bindparam("most"))
)
_LATER = (
    select(changes.c.result_id)
    .where(
        changes.c.scope == 0,
        changes.c.game == bindparam("of_game"),
        changes.c.user_id == bindparam("who"),
        changes.c.result_id > bindparam("known"),
    )
    .order_by(changes.c.result_id)
)
_MISSING = (
    select(matches.c.id)
    .outerjoin(results, results.c.match_id == matches.c.id)
    .where(
        results.c.id.is_(None),
        matches.c.finished_at.is_not(None),
        matches.c.casual == false(),
        matches.c.id.in_(select(players.c.match_id).where(players.c.rank.is_not(None))),
    )
    .order_by(matches.c.finished_at, matches.c.id)
)
_GAMES = select(results.c.game).distinct().order_by(results.c.game)


async def lock(tx: Transaction, game: str) -> None:
    """Wait until nobody else rates results of a game, and keep others from it."""
    if tx.dialect == "postgresql":
        await tx.run(_LOCK, {"game": game})


async def add(
    tx: Transaction, match_id: int, *, game: str, guild_id: int | None, at: datetime
) -> int:
    """Record that a match counts, after all that counted before; return the result's number."""
    values = {"match_id": match_id, "game": game, "guild_id": guild_id, "at": at}
    row = await tx.row(_ADD, values)
    assert row is not None
    number: int = row.id
    return number


async def remove(tx: Transaction, result_id: int) -> None:
    """Let a result count no more; what it changed is forgotten with it."""
    await tx.run(delete(results).where(results.c.id == result_id))


async def of_match(tx: Transaction, match_id: int) -> Stored | None:
    """Return the result of a match, ``None`` where it does not count."""
    found = _stored(await tx.rows(_OF_MATCH, {"match": match_id}))
    return found[0] if found else None


async def get(tx: Transaction, result_id: int) -> Stored:
    """Return a result by its number."""
    (found,) = _stored(await tx.rows(_ONE, {"wanted": result_id}))
    return found


async def part(tx: Transaction, game: str, *, after: int, most: int) -> tuple[Stored, ...]:
    """Return the first results of a game that follow a number."""
    rows = await tx.rows(_PART, {"of_game": game, "known": after, "most": most})
    if not rows:
        return ()
    return _stored(await tx.rows(_SOME, {"wanted": [row.id for row in rows]}))


async def later(tx: Transaction, game: str, user_id: int, after: int) -> tuple[int, ...]:
    """Return the numbers of the results of a player that follow a number."""
    values = {"of_game": game, "who": user_id, "known": after}
    return tuple(row.result_id for row in await tx.rows(_LATER, values))


async def missing(tx: Transaction) -> tuple[int, ...]:
    """Return the matches that have ended with a result and are not among those that count."""
    return tuple(row.id for row in await tx.rows(_MISSING))


async def remove_void(tx: Transaction) -> None:
    """Remove the results of matches that have none any more."""
    void = select(players.c.match_id).where(players.c.rank.is_(None))
    await tx.run(delete(results).where(results.c.match_id.in_(void)))


async def games(tx: Transaction) -> tuple[str, ...]:
    """Return the games that have results, in the order in which their locks are to be taken."""
    return tuple(row.game for row in await tx.rows(_GAMES))


async def count(tx: Transaction) -> int:
    """Return how many results count."""
    row = await tx.row(select(func.count()).select_from(results))
    assert row is not None
    return int(row[0])


def _stored(rows: Iterable[Record]) -> tuple[Stored, ...]:
    found = []
    for _, group in groupby(rows, key=lambda row: row.id):
        lines: list[Any] = list(group)
        first = lines[0]
        places = tuple(Place(row.seat, row.user_id, row.rank) for row in lines)
        found.append(Stored(first.id, first.game, first.guild_id, first.at, first.options, places))
    return tuple(found)

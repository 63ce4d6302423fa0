"""The matches that ended with ranks, in the order in which they did.

One who enters a result, or takes one back, holds the lock of its game, so that results are rated
one after the other and their numbers grow in that order. SQLite has only one writer at a time
anyway.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import bindparam, delete, func, insert, select, text, update

from data.tables import matches, players, results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from data.match import Match
    from data.transaction import Record, Transaction


class Place(NamedTuple):
    """One of those who played, how they ended, and how long they took to move."""

    seat: int
    user_id: int
    rank: int
    moves: int
    seconds: int


class Stored(NamedTuple):
    """A match that has a result."""

    id: int
    game: str
    guild_id: int | None
    at: datetime
    rated: bool
    """Whether it is to be rated."""
    options: dict[str, str]
    players: tuple[Place, ...]
    """In the order of their seats."""

    @property
    def scopes(self) -> tuple[int, ...]:
        """Where it counts: in all servers together, which is 0, and in its own."""
        return (0,) if self.guild_id is None else (0, self.guild_id)


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
_SOME = _READ.where(results.c.id.in_(bindparam("wanted", expanding=True)))
_OF_MATCH = _READ.where(results.c.match_id == bindparam("match"))
_PART = (
    select(results.c.id)
    .where(
        results.c.game == bindparam("of_game"),
        results.c.id >= bindparam("first"),
        results.c.rated,
    )
    .order_by(results.c.id)
    .limit(bindparam("most"))
)
_MISSING = (
    select(matches.c.id)
    .outerjoin(results, results.c.match_id == matches.c.id)
    .where(
        results.c.id.is_(None),
        matches.c.finished_at.is_not(None),
        matches.c.id.in_(select(players.c.match_id).where(players.c.rank.is_not(None))),
    )
    .order_by(matches.c.finished_at, matches.c.id)
)
_GAMES = select(results.c.game).distinct().order_by(results.c.game)


async def lock(tx: Transaction, game: str) -> None:
    """Wait until nobody else enters results of a game, and keep others from it."""
    if tx.dialect == "postgresql":
        await tx.run(_LOCK, {"game": game})


async def add(
    tx: Transaction,
    match: Match,
    *,
    at: datetime,
    rated: bool,
    pace: Mapping[int, tuple[int, int]],
) -> Stored:
    """Record the result of a match after all others; return it.

    Args:
        tx: the transaction.
        match: a match whose players have ranks.
        at: when it ended.
        rated: whether it is to be rated.
        pace: for each seat how often it was to move and did, and how many seconds that took.

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
    places = tuple(
        Place(player.seat, player.user_id, player.rank or 0, *pace.get(player.seat, (0, 0)))
        for player in match.players
    )
    seated = [
        {
            "match": match.id,
            "at_seat": place.seat,
            "number": row.id,
            "server": match.guild_id,
            "made": place.moves,
            "spent": place.seconds,
        }
        for place in places
    ]
    await tx.run(_SEAT, seated)
    return Stored(row.id, match.game, match.guild_id, at, rated, match.options, places)


async def remove(tx: Transaction, match_id: int) -> None:
    """Let a match have no result; what it changed for ratings is forgotten with it."""
    await tx.run(_UNSEAT, {"match": match_id})
    await tx.run(_REMOVE, {"match": match_id})


async def of_match(tx: Transaction, match_id: int) -> Stored | None:
    """Return the result of a match, ``None`` where it has none."""
    found = _stored(await tx.rows(_OF_MATCH, {"match": match_id}))
    return found[0] if found else None


async def part(tx: Transaction, game: str, *, first: int, most: int) -> tuple[Stored, ...]:
    """Return the results of a game that are to be rated, from a number on."""
    rows = await tx.rows(_PART, {"of_game": game, "first": first, "most": most})
    if not rows:
        return ()
    return _stored(await tx.rows(_SOME, {"wanted": [row.id for row in rows]}))


async def missing(tx: Transaction) -> tuple[int, ...]:
    """Return the matches that ended with ranks and have no result here, in that order."""
    return tuple(row.id for row in await tx.rows(_MISSING))


async def games(tx: Transaction) -> tuple[str, ...]:
    """Return the games that have results."""
    return tuple(row.game for row in await tx.rows(_GAMES))


async def count(tx: Transaction) -> int:
    """Return how many results are to be rated."""
    row = await tx.row(select(func.count()).where(results.c.rated))
    assert row is not None
    return int(row[0])


def _stored(rows: Iterable[Record]) -> tuple[Stored, ...]:
    found = []
    for _, group in groupby(rows, key=lambda row: row.id):
        lines: list[Any] = list(group)
        one = lines[0]
        places = tuple(
            Place(row.seat, row.user_id, row.rank, row.moves or 0, row.seconds or 0)
            for row in lines
        )
        found.append(Stored(one.id, one.game, one.guild_id, one.at, one.rated, one.options, places))
    return tuple(found)

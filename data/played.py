"""Matches that have a result, and what each of them changed for ratings."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, select

from data import tables as t

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from data.transaction import Record as Row
    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Place:
    """One of those who played, and how they ended."""

    seat: int
    user_id: int
    rank: int


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has a result."""

    result_id: int
    match_id: int
    game: str
    guild_id: int | None
    at: datetime
    rated: bool
    """Whether it was to be rated; one between two who meet too often is not all the same."""
    players: tuple[Place, ...]
    """In the order of their seats."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a player's strength."""

    mu: float
    sigma: float
    games: int
    """How many rated games that comes from."""


@dataclass(frozen=True, slots=True)
class Change:
    """What the result of a match has changed for a player in one scope."""

    scope: int
    user_id: int
    rated: bool
    """Whether it was rated; if not, two of the players had met too often in a week."""
    before: Known | None
    """``None`` for who had no rated game."""
    after: Known
    settled: bool
    """Whether the player has had enough games and opponents by now."""


_changes, _results, _ratings, _players = t.changes.c, t.results.c, t.ratings.c, t.players.c
_HERE: Any = bindparam("at_scope")
_ME: Any = bindparam("who")
_GAME: Any = bindparam("of_game")
_MOST: Any = bindparam("most")
_mine, _theirs = t.players.alias("mine"), t.players.alias("theirs")
_LATEST = (
    select(_mine.c.result_id)
    .where(_mine.c.user_id == _ME, _mine.c.result_id.is_not(None))
    .order_by(_mine.c.result_id.desc())
    .limit(_MOST)
)
_LATEST_HERE = _LATEST.where(_mine.c.guild_id == _HERE)
_BOTH = and_(_theirs.c.match_id == _mine.c.match_id, _theirs.c.user_id == bindparam("other"))
_MEETINGS = _LATEST.join(_theirs, _BOTH)
_MEETINGS_HERE = _LATEST_HERE.join(_theirs, _BOTH)
_OF_GAME = and_(_results.id == _mine.c.result_id, _results.game == _GAME)
_WHOLE = (
    select(
        _results.id,
        _results.match_id,
        _results.game,
        _results.guild_id,
        _results.at,
        _results.rated,
        _players.seat,
        _players.user_id,
        _players.rank,
    )
    .join(t.players, _players.match_id == _results.match_id)
    .where(_results.id.in_(bindparam("wanted", expanding=True)))
    .order_by(_results.id.desc(), _players.seat)
)
_OF_MATCH = (
    select(
        _changes.scope,
        _changes.user_id,
        _changes.result_id,
        _changes.game,
        _changes.rated,
        _changes.mu,
        _changes.sigma,
        _changes.games,
        _ratings.settled,
    )
    .join(t.results, _results.id == _changes.result_id)
    .join(
        t.players,
        and_(_players.match_id == _results.match_id, _players.user_id == _changes.user_id),
    )
    .outerjoin(
        t.ratings,
        and_(
            _ratings.user_id == _changes.user_id,
            _ratings.scope == _changes.scope,
            _ratings.game == _changes.game,
        ),
    )
    .where(_results.match_id == bindparam("match"))
    .order_by(_changes.scope, _players.seat)
)
_BEFORE = (
    select(_changes.mu, _changes.sigma, _changes.games)
    .where(
        _changes.user_id == _ME,
        _changes.scope == _HERE,
        _changes.game == _GAME,
        _changes.result_id < bindparam("until"),
    )
    .order_by(_changes.result_id.desc())
    .limit(1)
)


async def latest(tx: Transaction, scope: int, user_id: int, most: int) -> tuple[Played, ...]:
    """Return the last matches of a player that have a result, casual ones too, newest first."""
    statement = _LATEST_HERE if scope else _LATEST
    values = {"who": user_id, "most": most} | ({"at_scope": scope} if scope else {})
    return await _whole(tx, await tx.rows(statement, values))


async def meetings(
    tx: Transaction, scope: int, one: int, other: int, most: int, *, game: str | None = None
) -> tuple[Played, ...]:
    """Return the last matches of two players with a result, casual ones too, newest first."""
    statement = _MEETINGS_HERE if scope else _MEETINGS
    values: dict[str, Any] = {"who": one, "other": other, "most": most}
    if scope:
        values["at_scope"] = scope
    if game is not None:
        statement = statement.join(t.results, _OF_GAME)
        values["of_game"] = game
    return await _whole(tx, await tx.rows(statement, values))


async def of_match(tx: Transaction, match_id: int) -> tuple[Change, ...]:
    """Return what a match has changed, in all servers together first, in the order of seats.

    It is empty for a match that is not to be rated.
    """
    found = []
    for row in await tx.rows(_OF_MATCH, {"match": match_id}):
        values = {
            "who": row.user_id,
            "at_scope": row.scope,
            "of_game": row.game,
            "until": row.result_id,
        }
        before = await tx.row(_BEFORE, values)
        known = None if before is None or not before.games else Known(*before)
        after = Known(row.mu, row.sigma, row.games)
        found.append(
            Change(row.scope, row.user_id, row.rated, known, after, settled=bool(row.settled))
        )
    return tuple(found)


async def _whole(tx: Transaction, found: Sequence[Row]) -> tuple[Played, ...]:
    if not found:
        return ()
    rows = await tx.rows(_WHOLE, {"wanted": [row.result_id for row in found]})
    whole = []
    for _, group in groupby(rows, key=lambda row: row.id):
        lines: list[Any] = list(group)
        first = lines[0]
        places = tuple(Place(line.seat, line.user_id, line.rank) for line in lines)
        at = (first.id, first.match_id, first.game, first.guild_id, first.at, first.rated)
        whole.append(Played(*at, places))
    return tuple(whole)

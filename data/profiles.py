"""What is known of one player, and of two who have met. The scope is a server, or 0 for all.

Each of these reads an index where it lies and as little of it as it returns; only `history` looks
at all rated games of one player in one game.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Integer, and_, bindparam, func, or_, select

from data import tables as t

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from data.transaction import Record as Row
    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Record:
    """What came of all matches of a player in one game on one side, casual ones too."""

    game: str
    seat: int
    won: int
    drawn: int
    lost: int
    moves: int
    """How often the player was to move and did."""
    seconds: int
    """How long that took, all together."""


@dataclass(frozen=True, slots=True)
class Rival:
    """What came of all matches in one game against one opponent, from the player's view."""

    user_id: int
    """The opponent; negative for somebody whose data was deleted."""
    game: str
    games: int
    rated: int
    """How many of them were to be rated."""
    won: int
    """How often the player had the better rank of the two."""
    drawn: int

    @property
    def lost(self) -> int:
        """How often the opponent had the better rank."""
        return self.games - self.won - self.drawn


@dataclass(frozen=True, slots=True)
class Point:
    """Where a player stood after a rated result."""

    at: datetime
    mu: float
    sigma: float
    games: int
    """The number of rated games with this one."""


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


_records, _rivals, _changes, _results = t.records.c, t.rivals.c, t.changes.c, t.results.c
_ratings, _players = t.ratings.c, t.players.c
_HERE: Any = bindparam("at_scope")
_ME: Any = bindparam("who")
_GAME: Any = bindparam("of_game")
_MOST: Any = bindparam("most")
_RECORDS = (
    select(
        _records.game,
        _records.seat,
        _records.won,
        _records.drawn,
        _records.lost,
        _records.moves,
        _records.seconds,
    )
    .where(_records.user_id == _ME, _records.scope == _HERE)
    .order_by(_records.game, _records.seat)
)
_RIVALS = select(
    _rivals.rival_id, _rivals.game, _rivals.games, _rivals.rated, _rivals.won, _rivals.drawn
).where(_rivals.user_id == _ME, _rivals.scope == _HERE)
_MOST_MET = (
    select(_rivals.rival_id)
    .where(_rivals.user_id == _ME, _rivals.scope == _HERE)
    .order_by(_rivals.games.desc())
    .limit(_MOST)
)
_HEAD_TO_HEAD = _RIVALS.where(_rivals.rival_id == bindparam("other")).order_by(_rivals.game)
_AGAINST = _RIVALS.where(_rivals.rival_id.in_(bindparam("others", expanding=True)))
_MINE = and_(
    _changes.user_id == _ME, _changes.scope == _HERE, _changes.game == _GAME, _changes.rated
)
_NUMBER = select(func.count()).where(_MINE)
_KEPT, _TOTAL = bindparam("kept", type_=Integer), bindparam("total", type_=Integer)
_LOWEST = select(_changes.result_id).where(_MINE).order_by(_changes.mu, _changes.result_id)
_HIGHEST = select(_changes.result_id).where(_MINE).order_by(_changes.mu.desc(), _changes.result_id)
_HISTORY = (
    select(_changes.at, _changes.mu, _changes.sigma, _changes.games)
    .where(
        _MINE,
        or_(
            _changes.games == 1,
            # One of each of so many parts of the same length: where the number of the part grows.
            _changes.games * _KEPT // _TOTAL != (_changes.games - 1) * _KEPT // _TOTAL,
            _changes.result_id == _LOWEST.limit(1).scalar_subquery(),
            _changes.result_id == _HIGHEST.limit(1).scalar_subquery(),
        ),
    )
    .order_by(_changes.result_id)
)
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
_GAMES_OF_A_PAIR: Final = 8
"""In how many games one opponent is looked for among those most met."""


async def records(tx: Transaction, scope: int, user_id: int) -> tuple[Record, ...]:
    """Return what came of the matches of a player, by game and side."""
    rows = await tx.rows(_RECORDS, {"who": user_id, "at_scope": scope})
    return tuple(Record(*row) for row in rows)


async def rivals(tx: Transaction, scope: int, user_id: int, most: int) -> tuple[Rival, ...]:
    """Return whom a player has met most often in any one game, with a line for each game.

    All lines of an opponent follow each other; who was met most often over all games comes first.
    """
    here = {"who": user_id, "at_scope": scope}
    met = await tx.rows(_MOST_MET, here | {"most": most * _GAMES_OF_A_PAIR})
    others = list(dict.fromkeys(row.rival_id for row in met))[:most]
    if not others:
        return ()
    found = [Rival(*row) for row in await tx.rows(_AGAINST, here | {"others": others})]
    together = Counter[int]()
    for one in found:
        together[one.user_id] += one.games
    found.sort(key=lambda one: (-together[one.user_id], one.user_id, one.game))
    return tuple(found)


async def head_to_head(tx: Transaction, scope: int, one: int, other: int) -> tuple[Rival, ...]:
    """Return what came of the matches of two players, by game, from the first one's view."""
    values = {"who": one, "at_scope": scope, "other": other}
    return tuple(Rival(*row) for row in await tx.rows(_HEAD_TO_HEAD, values))


async def history(
    tx: Transaction, scope: int, game: str, user_id: int, most: int
) -> tuple[Point, ...]:
    """Return where a player stood after rated results, in order, at most so many of them.

    The first, the last, the highest and the lowest are always among them.

    Args:
        tx: the transaction.
        scope: a server, or 0.
        game: which game.
        user_id: who.
        most: how many; at least 5.

    """
    mine = {"who": user_id, "at_scope": scope, "of_game": game}
    counted = await tx.row(_NUMBER, mine)
    total = 0 if counted is None else int(counted[0])
    if not total:
        return ()
    kept = total if total <= most else most - 3
    rows = await tx.rows(_HISTORY, mine | {"kept": kept, "total": total})
    return tuple(Point(*row) for row in rows)


async def latest(tx: Transaction, scope: int, user_id: int, most: int) -> tuple[Played, ...]:
    """Return the last matches of a player that have a result, casual ones too, newest first."""
    statement = _LATEST_HERE if scope else _LATEST
    values = {"who": user_id, "most": most} | ({"at_scope": scope} if scope else {})
    return await _whole(tx, await tx.rows(statement, values))


async def meetings(
    tx: Transaction, scope: int, one: int, other: int, most: int
) -> tuple[Played, ...]:
    """Return the last matches of two players with a result, casual ones too, newest first."""
    statement = _MEETINGS_HERE if scope else _MEETINGS
    values = {"who": one, "other": other, "most": most} | ({"at_scope": scope} if scope else {})
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

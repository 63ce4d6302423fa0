"""What is known of one player, and of two who have met. The scope is a server, or 0 for all.

Each of these reads an index where it lies and as little of it as it returns; only `history` looks
at all rated games of one player in one game.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Integer, and_, bindparam, func, or_, select

from data import tables as t
from data.played import Change, Known, Place, Played, latest, meetings, of_match

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Transaction


__all__ = [
    "Change",
    "Known",
    "Place",
    "Played",
    "Point",
    "Record",
    "Rival",
    "head_to_head",
    "history",
    "latest",
    "meetings",
    "of_match",
    "records",
    "rivals",
]


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


_records, _rivals, _changes = t.records.c, t.rivals.c, t.changes.c
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

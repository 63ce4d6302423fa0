"""Who leads in a game, in one server or in all: pages, places, and one player's own row.

Listed is who has settled and played lately, ordered by the mean. The others follow: who has not
settled, those with most games first, then who has not played for long. Players whose data was deleted have negative numbers and are never shown.
Everything here reads an index from its beginning; nothing is counted that need not be.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, false, func, or_, select, true

from data.tables import ratings

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Record, Transaction


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands in one game and scope."""

    user_id: int
    mu: float
    sigma: float
    games: int
    won: int
    drawn: int
    lost: int
    last_at: datetime
    opponents: int
    settled: bool
    """Whether they have had enough games against enough opponents."""


MOST_WAITING: Final = 50
"""How many are shown of those who are not listed yet, and of those who are no more."""

_r = ratings.c
_ROW = select(
    _r.user_id,
    _r.mu,
    _r.sigma,
    _r.games,
    _r.won,
    _r.drawn,
    _r.lost,
    _r.last_at,
    _r.opponents,
    _r.settled,
)
_SINCE = bindparam("since", type_=_r.last_at.type)
_HERE = and_(_r.scope == bindparam("at_scope"), _r.game == bindparam("of_game"))
# Written so that no database thinks of looking for players in the order of their numbers.
_SHOWN = and_(_HERE, _r.user_id + 0 > 0)
_SETTLED = and_(_SHOWN, _r.settled == true())
_LISTED = and_(_SETTLED, _r.last_at >= _SINCE)
_NEW = and_(_SHOWN, _r.settled == false())
_IDLE = and_(_SETTLED, _r.last_at < _SINCE)


def _page(chosen: Any, *order: Any) -> Any:
    """Return a statement that finds the players of a page in an index alone."""
    found = select(_r.user_id).where(chosen).order_by(*order)
    return found.limit(bindparam("most")).offset(bindparam("skipped"))


_BY_MEAN = (_r.mu.desc(), _r.games.desc(), _r.user_id.desc())
_BY_GAMES = (_r.games.desc(), _r.mu.desc(), _r.user_id.desc())
_LISTED_PAGE = _page(_LISTED, *_BY_MEAN)
_NEW_PAGE = _page(_NEW, *_BY_GAMES)
_IDLE_PAGE = _page(_IDLE, *_BY_MEAN)
_NUMBER = select(func.count()).where(_LISTED)
_AHEAD = select(func.count()).where(
    _LISTED,
    or_(
        _r.mu > bindparam("mine_mu"),
        and_(
            _r.mu == bindparam("mine_mu"),
            or_(
                _r.games > bindparam("mine_games"),
                and_(_r.games == bindparam("mine_games"), _r.user_id > bindparam("mine")),
            ),
        ),
    ),
)
_ROWS = _ROW.where(_HERE, _r.user_id.in_(bindparam("found", expanding=True)))
_OWN = _ROW.where(_HERE, _r.user_id == bindparam("mine"))


async def listed(
    tx: Transaction, scope: int, game: str, *, since: datetime, limit: int, offset: int
) -> tuple[Standing, ...]:
    """Return a part of those who have settled and have played since a moment, the best first."""
    values = _values(scope, game, since) | {"most": limit, "skipped": offset}
    found = [row.user_id for row in await tx.rows(_LISTED_PAGE, values)]
    return await _read(tx, scope, game, found)


async def waiting(
    tx: Transaction, scope: int, game: str, *, since: datetime, limit: int, offset: int
) -> tuple[Standing, ...]:
    """Return a part of the others: who has not settled, then who has not played since a moment.

    Of each kind there are at most `MOST_WAITING`, so that nothing is read to the end in vain.
    """
    values = _values(scope, game, since) | {"most": MOST_WAITING, "skipped": 0}
    found: list[int] = []
    for page in (_NEW_PAGE, _IDLE_PAGE):
        found += [row.user_id for row in await tx.rows(page, values)]
    return await _read(tx, scope, game, found[offset : offset + limit])


async def number(tx: Transaction, scope: int, game: str, *, since: datetime) -> int:
    """Return how many are listed."""
    row = await tx.row(_NUMBER, _values(scope, game, since))
    assert row is not None
    return int(row[0])


async def own(tx: Transaction, scope: int, game: str, user_id: int) -> Standing | None:
    """Return where a player stands, ``None`` for who has no rated game."""
    row = await tx.row(_OWN, {"at_scope": scope, "of_game": game, "mine": user_id})
    return None if row is None else _standing(row)


async def place(
    tx: Transaction, scope: int, game: str, standing: Standing, *, since: datetime
) -> int | None:
    """Return the place of a player among those who are listed, ``None`` for who is not."""
    if not standing.settled or standing.last_at < since:
        return None
    mine = {
        "mine": standing.user_id,
        "mine_mu": standing.mu,
        "mine_games": standing.games,
    }
    row = await tx.row(_AHEAD, _values(scope, game, since) | mine)
    assert row is not None
    return int(row[0]) + 1


async def _read(tx: Transaction, scope: int, game: str, found: list[int]) -> tuple[Standing, ...]:
    if not found:
        return ()
    here = {"at_scope": scope, "of_game": game, "found": found}
    rows = {row.user_id: _standing(row) for row in await tx.rows(_ROWS, here)}
    return tuple(rows[user_id] for user_id in found)


def _values(scope: int, game: str, since: datetime) -> dict[str, Any]:
    return {"at_scope": scope, "of_game": game, "since": since}


def _standing(row: Record) -> Standing:
    return Standing(*row)

"""Who leads in a game, in one server or in all: pages, places, and one player's own row.

Listed is who has settled and played lately, ordered by the mean. Below them is who has not settled,
those with most games first, then who has not played for long, the last to go first. Players whose
data was deleted have negative numbers and are never shown.

The crowd tells in which bucket of means a page begins and how many are in the better ones; from
there an index is read for as long as the page is. So the last page costs what the first one does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, false, func, or_, select, true

from data import crowd
from data.tables import ratings

if TYPE_CHECKING:
    from datetime import datetime

    from data.crowd import Crowd
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
    streak: int
    """How many were won in a row up to now; below 0: how many were lost."""
    best: int
    """How many were ever won in a row."""
    form: str
    """A letter for each of the last ten games, the newest last: w, d or l."""
    last_at: datetime
    opponents: int
    settled: bool
    """Whether they have had enough games against enough opponents."""


MOST_WAITING: Final = 1_000
"""How many are shown of those who have not settled, and of those who have not played for long."""

_r = ratings.c
_ROW = select(
    _r.user_id,
    _r.mu,
    _r.sigma,
    _r.games,
    _r.won,
    _r.drawn,
    _r.lost,
    _r.streak,
    _r.best,
    _r.form,
    _r.last_at,
    _r.opponents,
    _r.settled,
)
_SINCE: Any = bindparam("since", type_=_r.last_at.type)
_HERE = and_(_r.scope == bindparam("at_scope"), _r.game == bindparam("of_game"))
# Written so that no database thinks of looking for players in the order of their numbers.
_SHOWN = and_(_HERE, _r.user_id + 0 > 0)
_SETTLED = and_(_SHOWN, _r.settled == true())
_LISTED = and_(_SETTLED, _r.last_at >= _SINCE, _r.mu < bindparam("below"))
_NEW = and_(_SHOWN, _r.settled == false())
_IDLE = and_(_SETTLED, _r.last_at < _SINCE)
_BY_MEAN = (_r.mu.desc(), _r.games.desc(), _r.user_id.desc())
_BY_GAMES = (_r.games.desc(), _r.mu.desc(), _r.user_id.desc())
_BY_TIME = (_r.last_at.desc(), _r.user_id.desc())


def _page(chosen: Any, *order: Any) -> Any:
    """Return a statement that finds the players of a page in an index alone."""
    found = select(_r.user_id).where(chosen).order_by(*order)
    return found.limit(bindparam("most")).offset(bindparam("skipped"))


def _number(chosen: Any) -> Any:
    """Return a statement that counts up to so many players."""
    some = select(_r.user_id).where(chosen).limit(bindparam("most")).subquery()
    return select(func.count()).select_from(some)


_LISTED_PAGE = _page(_LISTED, *_BY_MEAN)
_NEW_PAGE = _page(_NEW, *_BY_GAMES)
_IDLE_PAGE = _page(_IDLE, *_BY_TIME)
_NEW_NUMBER = _number(_NEW)
_AHEAD = select(func.count()).where(
    _LISTED,
    _r.mu >= bindparam("mine_mu"),  # said once more, so that the index is read no further
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
    tx: Transaction,
    scope: int,
    game: str,
    many: Crowd,
    *,
    since: datetime,
    limit: int,
    offset: int,
) -> tuple[Standing, ...]:
    """Return a part of those who are listed, the best first.

    Args:
        tx: the transaction.
        scope: a server, or 0.
        game: which game.
        many: how many are listed, from the same transaction.
        since: when the last game was at the earliest: the beginning of a day.
        limit: how many.
        offset: how many are left out before them.

    """
    if offset >= many.number:
        return ()
    below, skipped = many.starting(offset)
    values = _values(scope, game, since) | {"below": below, "most": limit, "skipped": skipped}
    found = [row.user_id for row in await tx.rows(_LISTED_PAGE, values)]
    return await _read(tx, scope, game, found)


async def waiting(
    tx: Transaction, scope: int, game: str, *, since: datetime, limit: int, offset: int
) -> tuple[Standing, ...]:
    """Return a part of the others: who has not settled, then who has not played since a moment.

    Of each kind there are at most `MOST_WAITING`.
    """
    here = _values(scope, game, None)
    new = await _count(tx, _NEW_NUMBER, here)
    found: list[int] = []
    if offset < new:
        values = here | {"most": min(limit, new - offset), "skipped": offset}
        found += [row.user_id for row in await tx.rows(_NEW_PAGE, values)]
    skipped = max(0, offset - new)
    room = min(limit - len(found), MOST_WAITING - skipped)
    if room > 0:
        values = _values(scope, game, since) | {"most": room, "skipped": skipped}
        found += [row.user_id for row in await tx.rows(_IDLE_PAGE, values)]
    return await _read(tx, scope, game, found)


async def waiting_before(
    tx: Transaction, scope: int, game: str, standing: Standing, *, since: datetime
) -> int | None:
    """Return how many of the others come before one of them, ``None`` where they are too many."""
    here = _values(scope, game, None) | {"most": MOST_WAITING, "skipped": 0}
    before = 0
    page = _NEW_PAGE
    if standing.settled:
        before = await _count(tx, _NEW_NUMBER, _values(scope, game, None))
        here, page = here | {"since": since}, _IDLE_PAGE
    found = [row.user_id for row in await tx.rows(page, here)]
    if standing.user_id not in found:
        return None
    return before + found.index(standing.user_id)


async def own(tx: Transaction, scope: int, game: str, user_id: int) -> Standing | None:
    """Return where a player stands, ``None`` for who has no rated game."""
    row = await tx.row(_OWN, {"at_scope": scope, "of_game": game, "mine": user_id})
    return None if row is None else _standing(row)


async def place(
    tx: Transaction,
    scope: int,
    game: str,
    standing: Standing,
    many: Crowd,
    *,
    since: datetime,
) -> int | None:
    """Return the place of a player among those who are listed, ``None`` for who is not.

    The arguments are those of `listed`.
    """
    if not standing.settled or standing.last_at < since or standing.user_id <= 0:
        return None
    mine = {
        "mine": standing.user_id,
        "mine_mu": standing.mu,
        "mine_games": standing.games,
        "below": (crowd.bucket(standing.mu) + 1) * crowd.WIDTH,
    }
    row = await tx.row(_AHEAD, _values(scope, game, since) | mine)
    assert row is not None
    return many.above(standing.mu) + int(row[0]) + 1


async def _count(tx: Transaction, statement: Any, values: dict[str, Any]) -> int:
    row = await tx.row(statement, values | {"most": MOST_WAITING})
    assert row is not None
    return int(row[0])


async def _read(tx: Transaction, scope: int, game: str, found: list[int]) -> tuple[Standing, ...]:
    if not found:
        return ()
    here = {"at_scope": scope, "of_game": game, "found": found}
    rows = {row.user_id: _standing(row) for row in await tx.rows(_ROWS, here)}
    return tuple(rows[user_id] for user_id in found)


def _values(scope: int, game: str, since: datetime | None) -> dict[str, Any]:
    here: dict[str, Any] = {"at_scope": scope, "of_game": game}
    return here if since is None else here | {"since": since}


def _standing(row: Record) -> Standing:
    return Standing(*row)

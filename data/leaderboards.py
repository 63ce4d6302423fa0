"""Leaderboards: pages of ratings, and the rank of a player, in one server or over all.

Ranked are the established players who have played lately, by the mean of their rating. The
unranked follow: provisional players, those with most games first, then inactive ones, the latest
first. Players who had their data deleted have negative ids and are never shown.

The histogram tells in which bucket a page begins and how many players are in better ones; from
there an index is read only as far as the page goes. So the last page costs what the first does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import and_, bindparam, false, func, or_, select, true

from data import rating_histogram
from data.rating import Rating
from data.ratings import RATING
from data.tables import ratings

if TYPE_CHECKING:
    from datetime import datetime

    from data.rating_histogram import Histogram
    from data.transaction import Transaction

MAX_UNRANKED: Final = 1_000
"""The number of provisional players, and of inactive ones, that are shown at most."""

_r = ratings.c
_SINCE: Any = bindparam("since", type_=_r.last_at.type)
_HERE = and_(_r.scope == bindparam("at_scope"), _r.game == bindparam("of_game"))
# Written so that no database thinks of looking for players in the order of their ids.
_SHOWN = and_(_HERE, _r.user_id + 0 > 0)
_ESTABLISHED = and_(_SHOWN, _r.established == true())
_RANKED = and_(_ESTABLISHED, _r.last_at >= _SINCE, _r.mu < bindparam("below"))
_PROVISIONAL = and_(_SHOWN, _r.established == false())
_INACTIVE = and_(_ESTABLISHED, _r.last_at < _SINCE)


def _page(chosen: Any, *order: Any) -> Any:
    """Return a statement that finds the players of a page in an index alone."""
    found = select(_r.user_id).where(chosen).order_by(*order)
    return found.limit(bindparam("most")).offset(bindparam("skipped"))


_RANKED_PAGE = _page(_RANKED, _r.mu.desc(), _r.games.desc(), _r.user_id.desc())
_PROVISIONAL_PAGE = _page(_PROVISIONAL, _r.games.desc(), _r.mu.desc(), _r.user_id.desc())
_INACTIVE_PAGE = _page(_INACTIVE, _r.last_at.desc(), _r.user_id.desc())
_PROVISIONAL_NUMBER = select(func.count().label("number")).select_from(
    select(_r.user_id).where(_PROVISIONAL).limit(MAX_UNRANKED).subquery()
)
_AHEAD = select(func.count().label("number")).where(
    _RANKED,
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
_ROWS = RATING.where(_HERE, _r.user_id.in_(bindparam("found", expanding=True)))


async def ranked(
    tx: Transaction,
    scope: int,
    game: str,
    histogram: Histogram,
    *,
    since: datetime,
    limit: int,
    offset: int,
) -> tuple[Rating, ...]:
    """Return a part of the ranked players, the best first.

    Args:
        tx: the transaction.
        scope: a server, or 0.
        game: the game.
        histogram: that of the ranked players, from the same transaction.
        since: the earliest last game: the beginning of a day.
        limit: the number of players.
        offset: the number of better players.

    """
    if offset >= histogram.total:
        return ()
    below, skipped = histogram.seek(offset)
    values = {"since": since, "below": below, "most": limit, "skipped": skipped}
    return await _read(tx, scope, game, await _find(tx, scope, game, _RANKED_PAGE, values))


async def unranked(
    tx: Transaction, scope: int, game: str, *, since: datetime, limit: int, offset: int
) -> tuple[Rating, ...]:
    """Return a part of the unranked players, at most `MAX_UNRANKED` of each kind."""
    provisional = await _provisional(tx, scope, game)
    found: list[int] = []
    if offset < provisional:
        values = {"most": min(limit, provisional - offset), "skipped": offset}
        found += await _find(tx, scope, game, _PROVISIONAL_PAGE, values)
    skipped = max(0, offset - provisional)
    room = min(limit - len(found), MAX_UNRANKED - skipped)
    if room > 0:
        values = {"most": room, "skipped": skipped}
        found += await _find(tx, scope, game, _INACTIVE_PAGE, values | {"since": since})
    return await _read(tx, scope, game, found)


async def unranked_before(tx: Transaction, rating: Rating, *, since: datetime) -> int | None:
    """Return how many unranked players come before one, ``None`` if that one is not shown."""
    scope, game = rating.scope, rating.game
    everybody: dict[str, Any] = {"most": MAX_UNRANKED, "skipped": 0}
    if rating.established:
        before = await _provisional(tx, scope, game)
        found = await _find(tx, scope, game, _INACTIVE_PAGE, everybody | {"since": since})
    else:
        before = 0
        found = await _find(tx, scope, game, _PROVISIONAL_PAGE, everybody)
    return before + found.index(rating.user_id) if rating.user_id in found else None


async def rank(
    tx: Transaction, rating: Rating, histogram: Histogram, *, since: datetime
) -> int | None:
    """Return the rank of a player, ``None`` if they have none.

    Args:
        tx: the transaction.
        rating: the rating of the player.
        histogram: that of the ranked players, from the same transaction.
        since: the earliest last game: the beginning of a day.

    """
    if not rating.established or rating.last_at < since or rating.user_id <= 0:
        return None
    values = {
        "at_scope": rating.scope,
        "of_game": rating.game,
        "since": since,
        "mine": rating.user_id,
        "mine_mu": rating.mu,
        "mine_games": rating.games,
        "below": (rating_histogram.bucket(rating.mu) + 1) * rating_histogram.WIDTH,
    }
    row = await tx.row(_AHEAD, values)
    assert row is not None
    return histogram.above(rating.mu) + int(row.number) + 1


async def _provisional(tx: Transaction, scope: int, game: str) -> int:
    row = await tx.row(_PROVISIONAL_NUMBER, {"at_scope": scope, "of_game": game})
    assert row is not None
    return int(row.number)


async def _find(
    tx: Transaction, scope: int, game: str, page: Any, values: dict[str, Any]
) -> list[int]:
    rows = await tx.rows(page, values | {"at_scope": scope, "of_game": game})
    return [row.user_id for row in rows]


async def _read(tx: Transaction, scope: int, game: str, found: list[int]) -> tuple[Rating, ...]:
    if not found:
        return ()
    here = {"at_scope": scope, "of_game": game, "found": found}
    rows = {row.user_id: Rating(*row) for row in await tx.rows(_ROWS, here)}
    return tuple(rows[user_id] for user_id in found)

"""The rating of each player after each rated result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Integer, and_, bindparam, func, or_, select

from data import tables as t
from data.rating import EVERYWHERE, RatingChange
from data.tables import rating_changes
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from data.transaction import Transaction


class MatchChange(NamedTuple):
    """What a match did to the rating of one of its players."""

    after: RatingChange
    before: RatingChange | None
    """The change before it, ``None`` if there was no rated game."""
    established: bool
    """Whether the present rating is no longer provisional."""


_c = rating_changes.c
_PUT = upsert(
    rating_changes,
    *(name for name in RatingChange._fields if name not in rating_changes.primary_key),
)
_READ = select(*(_c[name] for name in RatingChange._fields))
_THEIRS: Any = and_(
    _c.user_id == bindparam("who"),
    _c.scope == bindparam("at_scope"),
    _c.game == bindparam("of_game"),
)
_BEFORE = (
    _READ.where(_THEIRS, _c.result_id < bindparam("until")).order_by(_c.result_id.desc()).limit(1)
)
_OF_MATCH = (
    _READ.add_columns(t.ratings.c.established.label("established"))
    .join(t.results, t.results.c.id == _c.result_id)
    .join(
        t.players,
        and_(t.players.c.match_id == t.results.c.match_id, t.players.c.user_id == _c.user_id),
    )
    .outerjoin(
        t.ratings,
        and_(
            t.ratings.c.user_id == _c.user_id,
            t.ratings.c.scope == _c.scope,
            t.ratings.c.game == _c.game,
        ),
    )
    .where(t.results.c.match_id == bindparam("match"))
    .order_by(_c.scope, t.players.c.seat)
)
_one, _other = rating_changes.alias("one"), rating_changes.alias("other")
_MEETINGS = (
    select(_one.c.at)
    .join(
        _other,
        and_(
            _other.c.user_id == bindparam("rival"),
            _other.c.scope == _one.c.scope,
            _other.c.game == _one.c.game,
            _other.c.result_id == _one.c.result_id,
        ),
    )
    .where(
        _one.c.user_id == bindparam("who"),
        _one.c.scope == EVERYWHERE,
        _one.c.game == bindparam("of_game"),
        _one.c.result_id < bindparam("until"),
        _one.c.at > bindparam("since", type_=_c.at.type),
        _one.c.rated,
    )
    .order_by(_one.c.result_id)
)
_RATED = and_(_THEIRS, _c.rated)
_NUMBER = select(func.count().label("number")).where(_RATED)
_KEPT, _TOTAL = bindparam("kept", type_=Integer), bindparam("total", type_=Integer)
_LOWEST = select(_c.result_id).where(_RATED).order_by(_c.mu, _c.result_id)
_HIGHEST = select(_c.result_id).where(_RATED).order_by(_c.mu.desc(), _c.result_id)
_HISTORY = _READ.where(
    _RATED,
    or_(
        _c.games == 1,
        # One of each of ``kept`` parts of equal length: where the number of the part grows.
        _c.games * _KEPT // _TOTAL != (_c.games - 1) * _KEPT // _TOTAL,
        _c.result_id == _LOWEST.limit(1).scalar_subquery(),
        _c.result_id == _HIGHEST.limit(1).scalar_subquery(),
    ),
).order_by(_c.result_id)


async def put(tx: Transaction, changes: Sequence[RatingChange]) -> None:
    """Record what results changed, in place of what was recorded before."""
    if changes:
        await tx.run(_PUT[tx.dialect], [change._asdict() for change in changes])


async def of_match(tx: Transaction, match_id: int) -> tuple[MatchChange, ...]:
    """Return what a match changed, over all servers first, in seat order.

    It is empty for a match that is not to be rated.
    """
    found = []
    for *row, established in await tx.rows(_OF_MATCH, {"match": match_id}):
        after = RatingChange(*row)
        values = {
            "who": after.user_id,
            "at_scope": after.scope,
            "of_game": after.game,
            "until": after.result_id,
        }
        last = await tx.row(_BEFORE, values)
        before = None if last is None or not last.games else RatingChange(*last)
        found.append(MatchChange(after, before, bool(established)))
    return tuple(found)


async def meetings(
    tx: Transaction, game: str, pair: tuple[int, int], *, since: datetime, before: int
) -> tuple[datetime, ...]:
    """Return the times of rated games between two players since a moment, before a result."""
    one, other = pair
    values = {"of_game": game, "who": one, "rival": other, "since": since, "until": before}
    return tuple(row.at for row in await tx.rows(_MEETINGS, values))


async def history(
    tx: Transaction, scope: int, game: str, user_id: int, limit: int
) -> tuple[RatingChange, ...]:
    """Return the rated changes of a player in order, thinned out to a number of them.

    The first, the last, the highest and the lowest are always among them.

    Args:
        tx: the transaction.
        scope: a server, or 0.
        game: the game.
        user_id: the player.
        limit: the number of changes; at least 5.

    """
    mine = {"who": user_id, "at_scope": scope, "of_game": game}
    counted = await tx.row(_NUMBER, mine)
    total = 0 if counted is None else int(counted.number)
    if not total:
        return ()
    kept = total if total <= limit else limit - 3
    rows = await tx.rows(_HISTORY, mine | {"kept": kept, "total": total})
    return tuple(RatingChange(*row) for row in rows)

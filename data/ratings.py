"""The present ratings of players and sides, and the histogram kept with them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, delete, exists, select, text

from data import rating_histogram as histogram
from data import tables as t
from data.rating import Rating, SideRating
from data.tables import rating_changes, ratings, side_ratings
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from data.rating import Key
    from data.transaction import Transaction

RATING: Any = select(*(ratings.c[name] for name in Rating._fields))
"""Reads ratings; `Rating` takes a row as it is."""
_PUT = upsert(ratings, *(name for name in Rating._fields if name not in ratings.primary_key))
_PUT_SIDES = upsert(
    side_ratings, *(name for name in SideRating._fields if name not in side_ratings.primary_key)
)
_OF_PLAYERS = RATING.where(
    ratings.c.user_id.in_(bindparam("people", expanding=True)),
    ratings.c.game == bindparam("of_game"),
)
_ONE = and_(
    ratings.c.user_id == bindparam("who"),
    ratings.c.scope == bindparam("at_scope"),
    ratings.c.game == bindparam("of_game"),
)
_GET = RATING.where(_ONE)
_REMOVE = delete(ratings).where(_ONE)
_SIDES = (
    select(*(side_ratings.c[name] for name in SideRating._fields))
    .where(
        side_ratings.c.scope == bindparam("at_scope"), side_ratings.c.game == bindparam("of_game")
    )
    .order_by(side_ratings.c.seat)
)
_REMOVE_SIDES = delete(side_ratings).where(side_ratings.c.game == bindparam("of_game"))
_HAS_CHANGES = select(
    exists().where(
        rating_changes.c.user_id == bindparam("who"),
        rating_changes.c.scope == bindparam("at_scope"),
        rating_changes.c.game == bindparam("of_game"),
    )
)
_COMPUTED = (t.rating_changes, t.ratings, t.rating_histogram, t.side_ratings)


async def get(tx: Transaction, game: str, scope: int, user_id: int) -> Rating | None:
    """Return the rating of a player, ``None`` without a rated game."""
    row = await tx.row(_GET, {"who": user_id, "at_scope": scope, "of_game": game})
    return None if row is None else Rating(*row)


async def of_players(tx: Transaction, game: str, user_ids: Iterable[int]) -> dict[Key, Rating]:
    """Return the ratings of players in all their scopes."""
    rows = await tx.rows(_OF_PLAYERS, {"people": sorted(user_ids), "of_game": game})
    return {(row.scope, row.user_id): Rating(*row) for row in rows}


async def put(tx: Transaction, game: str, new: Mapping[Key, Rating | None]) -> None:
    """Set ratings, or remove those that are ``None``, and keep the histogram.

    Ratings that are unchanged are not written again. The lock of the game is held.
    """
    known = await of_players(tx, game, {user_id for _, user_id in new})
    counts = Counter[histogram.Cell]()
    changed, removed = [], []
    for key, rating in sorted(new.items()):
        old = known.get(key)
        if rating == old:
            continue
        if old is not None and (cell := histogram.cell(old)) is not None:
            counts[cell] -= 1
        if rating is None:
            removed.append({"at_scope": key[0], "who": key[1], "of_game": game})
            continue
        if (cell := histogram.cell(rating)) is not None:
            counts[cell] += 1
        changed.append(rating._asdict())
    if changed:
        await tx.run(_PUT[tx.dialect], changed)
    if removed:
        await tx.run(_REMOVE, removed)
    await histogram.add(tx, game, counts)


async def remove_unfounded(tx: Transaction, game: str, keys: Iterable[Key]) -> None:
    """Remove the ratings among some that no result supports any more."""
    removed: dict[Key, None] = {}
    for scope, user_id in keys:
        row = await tx.row(_HAS_CHANGES, {"who": user_id, "at_scope": scope, "of_game": game})
        if row is None or not row[0]:
            removed[scope, user_id] = None
    await put(tx, game, removed)


async def sides(tx: Transaction, game: str, scope: int) -> tuple[SideRating, ...]:
    """Return the ratings of the sides of a game, in seat order; empty without a rated game."""
    rows = await tx.rows(_SIDES, {"at_scope": scope, "of_game": game})
    return tuple(SideRating(*row) for row in rows)


async def put_sides(tx: Transaction, new: Sequence[SideRating]) -> None:
    """Set the ratings of sides."""
    if new:
        await tx.run(_PUT_SIDES[tx.dialect], [side._asdict() for side in new])


async def replace_sides(tx: Transaction, game: str, new: Sequence[SideRating]) -> None:
    """Set the ratings of all sides of a game in all scopes."""
    await tx.run(_REMOVE_SIDES, {"of_game": game})
    await put_sides(tx, new)


async def clear(tx: Transaction) -> None:
    """Remove all ratings; results and scores stay."""
    for table in _COMPUTED:
        if tx.dialect == "postgresql":
            await tx.run(text(f"TRUNCATE {table.name}"))
        else:
            await tx.run(delete(table))

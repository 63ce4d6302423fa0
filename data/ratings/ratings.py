"""The current ratings of players and sides, and the histogram kept with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Integer,
    Table,
    Text,
    and_,
    delete,
    exists,
    select,
    text,
    update,
)

from data import computer_tasks
from data.computer_tasks import Kind
from data.ratings import rating_histogram as histogram
from data.ratings.rating import Key, Rating, SideRating, rating_changes, ratings, side_ratings
from data.ratings.rating_histogram import rating_histogram
from data.ratings.season_ratings import season_ratings
from data.sql.columns import KEYED, Id, metadata
from data.sql.statements import upsert
from data.sql.transaction import Transaction

RATING: Any = select(*(ratings.c[name] for name in Rating._fields))
"""Reads ratings; a row has `Rating`'s fields in order."""
_SIDE: Any = select(*(side_ratings.c[name] for name in SideRating._fields))
_PUT = upsert(ratings)
_PUT_SIDES = upsert(side_ratings)
_COMPUTED = (
    rating_changes,
    ratings,
    rating_histogram,
    side_ratings,
    season_ratings,
)


async def get(tx: Transaction, game: str, scope: int, user_id: int) -> Rating | None:
    """Return a player's rating, ``None`` without a rated game."""
    row = await tx.row(RATING.where(_this(ratings, game, scope, user_id)))
    return None if row is None else Rating(*row)


async def of_players(tx: Transaction, game: str, user_ids: Iterable[int]) -> dict[Key, Rating]:
    """Return the ratings of players in all their scopes."""
    theirs = ratings.c.user_id.in_(sorted(user_ids)) & (ratings.c.game == game)
    rows = await tx.rows(RATING.where(theirs))
    return {(row.scope, row.user_id): Rating(*row) for row in rows}


async def put(tx: Transaction, game: str, new: Mapping[Key, Rating | None]) -> None:
    """Set ratings, or remove those that are ``None``, and update the histogram.

    Unchanged ratings are not rewritten. The game's lock must be held.
    """
    known = await of_players(tx, game, {user_id for _, user_id in new})
    counts = Counter[histogram.Cell]()
    changed = []
    for key, rating in sorted(new.items()):
        old = known.get(key)
        if rating == old:
            continue
        if old is not None and (cell := histogram.cell(old)) is not None:
            counts[cell] -= 1
        if rating is None:
            await tx.run(delete(ratings).where(_this(ratings, game, *key)))
            continue
        if (cell := histogram.cell(rating)) is not None:
            counts[cell] += 1
        changed.append(rating._asdict())
    if changed:
        await tx.run(_PUT[tx.dialect], changed)
    await histogram.add(tx, game, counts)


async def remove_unfounded(tx: Transaction, game: str, keys: Iterable[Key]) -> None:
    """Remove those of some ratings that no longer have a result behind them."""
    removed: dict[Key, None] = {}
    for scope, user_id in keys:
        founded = exists().where(_this(rating_changes, game, scope, user_id))
        if not await tx.scalar(select(founded)):
            removed[scope, user_id] = None
    await put(tx, game, removed)


async def sides(tx: Transaction, game: str, scope: int) -> tuple[SideRating, ...]:
    """Return the ratings of the sides of a game, in seat order; empty without a rated game."""
    here = (side_ratings.c.scope == scope) & (side_ratings.c.game == game)
    rows = await tx.rows(_SIDE.where(here).order_by(side_ratings.c.seat))
    return tuple(SideRating(*row) for row in rows)


async def put_sides(tx: Transaction, new: Sequence[SideRating]) -> None:
    """Set the ratings of sides."""
    if new:
        await tx.run(_PUT_SIDES[tx.dialect], [side._asdict() for side in new])


async def replace_sides(tx: Transaction, game: str, new: Sequence[SideRating]) -> None:
    """Set the ratings of all sides of a game in all scopes."""
    await tx.run(delete(side_ratings).where(side_ratings.c.game == game))
    await put_sides(tx, new)


async def clear(tx: Transaction) -> None:
    """Remove all ratings; results and scores stay."""
    for table in _COMPUTED:
        if tx.dialect == "postgresql":
            await tx.run(text(f"TRUNCATE {table.name}"))
        else:
            await tx.run(delete(table))


def _this(table: Table, game: str, scope: int, user_id: int) -> ColumnElement[bool]:
    return and_(table.c.user_id == user_id, table.c.scope == scope, table.c.game == game)


outdated_ratings = Table(
    "outdated_ratings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("since_id", Id, nullable=False),
    Column("version", Integer, nullable=False),
    **KEYED,
)
"""The games whose ratings need recomputing: `data.ratings.outdated_ratings.Outdated`."""


class Outdated(NamedTuple):
    """A game whose ratings need recomputing."""

    game: str
    since_id: int
    """The first result whose rating changes may be wrong."""
    version: int
    """Grows when a running recomputation must start over."""


_o = outdated_ratings.c
_OUTDATED = select(_o.game, _o.since_id, _o.version).order_by(_o.game)
_PUT_OUTDATED = upsert(outdated_ratings)


async def all_outdated(tx: Transaction) -> tuple[Outdated, ...]:
    """Return all games whose ratings need recomputing."""
    return tuple(Outdated(*row) for row in await tx.rows(_OUTDATED))


async def get_outdated(tx: Transaction, game: str) -> Outdated | None:
    """Return a game's pending recomputation, ``None`` if its ratings are up to date."""
    row = await tx.row(_OUTDATED.where(_o.game == game))
    return None if row is None else Outdated(*row)


async def outdate(tx: Transaction, game: str, result_id: int) -> None:
    """Request a recomputation of a game's ratings from a result on."""
    known = await get_outdated(tx, game) or Outdated(game, result_id, 0)
    values = Outdated(game, min(known.since_id, result_id), known.version + 1)
    await tx.run(_PUT_OUTDATED[tx.dialect], values._asdict())
    await computer_tasks.put(tx, Kind.RATINGS, game, urgent=False)


async def restart_recomputation(tx: Transaction, game: str) -> None:
    """Make a game's running recomputation, if any, start over."""
    statement = update(outdated_ratings).where(_o.game == game)
    await tx.run(statement.values(version=_o.version + 1))


async def mark_recomputed(tx: Transaction, game: str) -> None:
    """Record that a game's ratings are up to date."""
    await tx.run(delete(outdated_ratings).where(_o.game == game))

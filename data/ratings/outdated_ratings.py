"""The games whose ratings need recomputing, and from which result on.

A transaction that changes this must hold the game's lock.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select, update

from data.ratings.result_tables import outdated_ratings
from data.sql.transaction import Transaction
from data.sql.upserts import upsert
from data.tasks import computer_tasks
from data.tasks.computer_tasks import Kind


class Outdated(NamedTuple):
    """A game whose ratings need recomputing."""

    game: str
    since_id: int
    """The first result whose rating changes may be wrong."""
    version: int
    """Grows when a running recomputation must start over."""


_c = outdated_ratings.c
_ALL = select(_c.game, _c.since_id, _c.version).order_by(_c.game)
_PUT = upsert(outdated_ratings)


async def everything(tx: Transaction) -> tuple[Outdated, ...]:
    """Return all games whose ratings need recomputing."""
    return tuple(Outdated(*row) for row in await tx.rows(_ALL))


async def get(tx: Transaction, game: str) -> Outdated | None:
    """Return a game's pending recomputation, ``None`` if its ratings are up to date."""
    row = await tx.row(_ALL.where(_c.game == game))
    return None if row is None else Outdated(*row)


async def add(tx: Transaction, game: str, result_id: int) -> None:
    """Request a recomputation of a game's ratings from a result on."""
    known = await get(tx, game) or Outdated(game, result_id, 0)
    values = Outdated(game, min(known.since_id, result_id), known.version + 1)
    await tx.run(_PUT[tx.dialect], values._asdict())
    await computer_tasks.put(tx, Kind.RATINGS, game, urgent=False)


async def restart(tx: Transaction, game: str) -> None:
    """Make a game's running recomputation, if any, start over."""
    statement = update(outdated_ratings).where(_c.game == game)
    await tx.run(statement.values(version=_c.version + 1))


async def remove(tx: Transaction, game: str) -> None:
    """Record that a game's ratings are up to date."""
    await tx.run(delete(outdated_ratings).where(_c.game == game))

"""Which games' ratings are to be computed again, and from which result on.

Whoever changes this holds the lock of the game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import bindparam, delete, select, update

from data.tables import stale
from data.upserts import upsert

if TYPE_CHECKING:
    from data.transaction import Transaction


class Mark(NamedTuple):
    """That the ratings of a game are to be computed again."""

    game: str
    since_id: int
    """The first result whose followers may be wrong."""
    next_id: int
    """Of the results before this one the changes are right again."""
    version: int
    """Grows with whatever makes more of them wrong."""


_ALL = select(stale).order_by(stale.c.game)
_GET = select(stale).where(stale.c.game == bindparam("of_game"))
_PUT = upsert(stale, "since_id", "next_id", "version")
_TOUCH = (
    update(stale).where(stale.c.game == bindparam("of_game")).values(version=stale.c.version + 1)
)
_ADVANCE = (
    update(stale).where(stale.c.game == bindparam("of_game")).values(next_id=bindparam("reached"))
)
_CLEAR = delete(stale).where(stale.c.game == bindparam("of_game"))


async def marks(tx: Transaction) -> tuple[Mark, ...]:
    """Return all marks."""
    return tuple(Mark(*row) for row in await tx.rows(_ALL))


async def of(tx: Transaction, game: str) -> Mark | None:
    """Return the mark of a game, ``None`` where all its ratings are right."""
    row = await tx.row(_GET, {"of_game": game})
    return None if row is None else Mark(*row)


async def mark(tx: Transaction, game: str, result_id: int) -> None:
    """Have all that follows from a result, and what comes after it, computed again."""
    known = await of(tx, game)
    since, upto, version = known[1:] if known is not None else (result_id, result_id, 0)
    values = {
        "game": game,
        "since_id": min(since, result_id),
        "next_id": min(upto, result_id),
        "version": version + 1,
    }
    await tx.run(_PUT[tx.dialect], values)


async def touch(tx: Transaction, game: str) -> None:
    """Let whoever is computing ratings of a game forget what they have read."""
    await tx.run(_TOUCH, {"of_game": game})


async def advance(tx: Transaction, game: str, next_id: int) -> None:
    """Note that the changes of the results before one are right again."""
    await tx.run(_ADVANCE, {"of_game": game, "reached": next_id})


async def clear(tx: Transaction, game: str) -> None:
    """Note that the ratings of a game are right."""
    await tx.run(_CLEAR, {"of_game": game})

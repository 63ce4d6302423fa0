"""What computers have to think about, so that a restart forgets none of it.

A chore is put in the transaction of what makes it necessary, and removed in that of its result.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, select, update

from data.tables import computer_tasks
from data.upserts import upsert

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Transaction


class Kind(Enum):
    """What is to be thought about."""

    MOVE = "move"
    """A computer is to move in a match."""
    STUDY = "study"
    """A match has ended and is to be analysed."""

    @property
    def topic(self) -> str:
        """Is announced with the match of each new chore of this kind."""
        return f"computer_tasks of {self.value}"


_PUT = upsert(computer_tasks, "since")
_THIS = (computer_tasks.c.kind == bindparam("what")) & (
    computer_tasks.c.match_id == bindparam("match")
)
_REMOVE = delete(computer_tasks).where(_THIS)
_ALL = (
    select(computer_tasks.c.match_id)
    .where(computer_tasks.c.kind == bindparam("what"))
    .order_by(computer_tasks.c.match_id)
    .limit(bindparam("most"))
)
_TRIED = update(computer_tasks).where(_THIS).values(attempts=computer_tasks.c.attempts + 1)
_ATTEMPTS = select(computer_tasks.c.attempts).where(_THIS)


async def put(tx: Transaction, kind: Kind, match_id: int, at: datetime) -> None:
    """Record that something is to be thought about."""
    values = {"kind": kind.value, "match_id": match_id, "since": at, "attempts": 0}
    await tx.run(_PUT[tx.dialect], values)
    tx.announce(kind.topic, match_id)


async def remove(tx: Transaction, kind: Kind, match_id: int) -> None:
    """Record that nothing is to be thought about any more."""
    await tx.run(_REMOVE, {"what": kind.value, "match": match_id})


async def waiting(tx: Transaction, kind: Kind, most: int = 1_000_000) -> tuple[int, ...]:
    """Return the matches that something is to be thought about, the oldest first."""
    return await tx.scalars(_ALL, {"what": kind.value, "most": most})


async def tried(tx: Transaction, kind: Kind, match_id: int) -> int:
    """Count an attempt; return how many there were, 0 where nothing is to be done."""
    await tx.run(_TRIED, {"what": kind.value, "match": match_id})
    return await tx.scalar(_ATTEMPTS, {"what": kind.value, "match": match_id}) or 0

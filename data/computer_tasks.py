"""The task queue of computer players: moves and analyses, which survive a restart.

A task is added in the transaction that makes it necessary, and removed in that of its result.
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
    """A kind of task."""

    MOVE = "move"
    """A computer is to move in a match."""
    ANALYSIS = "analysis"
    """A finished match is to be analysed."""

    @property
    def topic(self) -> str:
        """Announced with the match of each new task of this kind."""
        return f"computer tasks: {self.value}"


_PUT = upsert(computer_tasks, "since")
_THIS = (computer_tasks.c.kind == bindparam("what")) & (
    computer_tasks.c.match_id == bindparam("match")
)
_REMOVE = delete(computer_tasks).where(_THIS)
_TRIED = update(computer_tasks).where(_THIS).values(attempts=computer_tasks.c.attempts + 1)
_ATTEMPTS = select(computer_tasks.c.attempts).where(_THIS)


async def put(tx: Transaction, kind: Kind, match_id: int, at: datetime) -> None:
    """Add a task."""
    values = {"kind": kind.value, "match_id": match_id, "since": at, "attempts": 0}
    await tx.run(_PUT[tx.dialect], values)
    tx.announce(kind.topic, match_id)


async def remove(tx: Transaction, kind: Kind, match_id: int) -> None:
    """Remove a task."""
    await tx.run(_REMOVE, {"what": kind.value, "match": match_id})


async def waiting(tx: Transaction, kind: Kind, most: int = 1_000_000) -> tuple[int, ...]:
    """Return the matches with a task of a kind, oldest first."""
    tasks = select(computer_tasks.c.match_id).where(computer_tasks.c.kind == kind.value)
    return await tx.scalars(tasks.order_by(computer_tasks.c.match_id).limit(most))


async def tried(tx: Transaction, kind: Kind, match_id: int) -> int:
    """Count an attempt; return the number of attempts, 0 if there is no such task."""
    await tx.run(_TRIED, {"what": kind.value, "match": match_id})
    return await tx.scalar(_ATTEMPTS, {"what": kind.value, "match": match_id}) or 0

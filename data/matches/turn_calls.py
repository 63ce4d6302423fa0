"""Turn calls: short messages that mention the player to move, deleted once the turn is played.

They accompany edited boards, since an edit notifies no one.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, delete, select

from data.matches.match_tables import turn_calls
from data.sql.prepared import Prepared
from data.sql.transaction import Transaction
from data.sql.upserts import upsert, values_of


@dataclass(frozen=True, slots=True)
class TurnCall:
    """A message that mentions the player to move."""

    message_id: int
    channel_id: int
    match_id: int
    ply: int
    """The turn it is about."""


_PUT = upsert(turn_calls)
_OF = Prepared(
    select(turn_calls)
    .where(turn_calls.c.match_id == bindparam("match"))
    .order_by(turn_calls.c.message_id)
)
_FORGET = delete(turn_calls).where(turn_calls.c.message_id == bindparam("message"))


async def put(tx: Transaction, call: TurnCall) -> None:
    """Store a turn call."""
    await tx.run(_PUT[tx.dialect], values_of(call))


async def of(tx: Transaction, match_id: int) -> tuple[TurnCall, ...]:
    """Return the turn calls of a match, oldest first."""
    return tuple(TurnCall(*row) for row in await tx.rows(_OF, {"match": match_id}))


async def forget(tx: Transaction, message_id: int) -> None:
    """Remove a deleted turn call."""
    await tx.run(_FORGET, {"message": message_id})

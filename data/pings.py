"""Pings: short messages that mention the player to move, deleted once the turn is played."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, select

from data.tables import pings
from data.upserts import upsert

if TYPE_CHECKING:
    from data.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Ping:
    """A message that mentions the player to move."""

    message_id: int
    channel_id: int
    match_id: int
    ply: int
    """The turn that it is about."""


_PUT = upsert(pings)
_OF = select(pings).where(pings.c.match_id == bindparam("match")).order_by(pings.c.message_id)
_SOME = select(pings.c.message_id).limit(1)
_FORGET = delete(pings).where(pings.c.message_id == bindparam("message"))


async def put(tx: Transaction, ping: Ping) -> None:
    """Store a ping."""
    await tx.run(_PUT[tx.dialect], asdict(ping))


async def of(tx: Transaction, match_id: int) -> tuple[Ping, ...]:
    """Return the pings of a match, oldest first."""
    return tuple(Ping(*row) for row in await tx.rows(_OF, {"match": match_id}))


async def some(tx: Transaction) -> bool:
    """Return whether there is any ping."""
    return await tx.scalar(_SOME) is not None


async def forget(tx: Transaction, message_id: int) -> None:
    """Remove a deleted ping."""
    await tx.run(_FORGET, {"message": message_id})

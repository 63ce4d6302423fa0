"""Time banks: the time each player of a match has left while another's clock runs."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import bindparam, select, update

from data.matches.match_tables import players
from data.sql.transaction import Transaction


class Stock(NamedTuple):
    """A player's time bank."""

    seat: int
    user_id: int
    seconds: int | None
    """``None`` if none of it is used."""


_OF_MATCH = (
    select(players.c.seat, players.c.user_id, players.c.bank_left)
    .where(players.c.match_id == bindparam("match"))
    .order_by(players.c.seat)
)
_PUT = (
    update(players)
    .where(players.c.match_id == bindparam("match"), players.c.seat == bindparam("at"))
    .values(bank_left=bindparam("left"))
)


async def of_match(tx: Transaction, match_id: int) -> tuple[Stock, ...]:
    """Return the time banks of a match's players, by seat."""
    return tuple(Stock(*row) for row in await tx.rows(_OF_MATCH, {"match": match_id}))


async def put(tx: Transaction, match_id: int, seat: int, seconds: int) -> None:
    """Store the seconds left in a player's time bank."""
    await tx.run(_PUT, {"match": match_id, "at": seat, "left": seconds})

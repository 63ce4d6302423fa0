"""Until when matches wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from data.tables import clocks, matches, players

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Transaction

_OF_PLAYER = (
    select(clocks.c.match_id, clocks.c.due_at)
    .join(players, players.c.match_id == clocks.c.match_id)
    .join(matches, matches.c.id == clocks.c.match_id)
    .where(
        players.c.user_id == bindparam("user"),
        clocks.c.due_at.is_not(None),
        matches.c.finished_at.is_(None),
    )
)


async def of_player(tx: Transaction, user_id: int) -> dict[int, datetime]:
    """Return when the time of whoever is to move is over, for each match of a player.

    Matches without a clock, or whose clock stands still, are missing.
    """
    return {row.match_id: row.due_at for row in await tx.rows(_OF_PLAYER, {"user": user_id})}

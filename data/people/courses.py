"""Players' progress in the lessons of each game."""

from __future__ import annotations

from sqlalchemy import select

from data.people.people_tables import courses
from data.sql.transaction import Transaction
from data.sql.upserts import upsert

_PUT = upsert(courses)


async def page(tx: Transaction, user_id: int, game: str) -> int:
    """Return the page that a player has reached, counted from 1; 0 before the first."""
    mine = (courses.c.user_id == user_id) & (courses.c.game == game)
    return await tx.scalar(select(courses.c.page).where(mine)) or 0


async def put(tx: Transaction, user_id: int, game: str, page: int) -> None:
    """Record the page that a player has reached."""
    await tx.run(_PUT[tx.dialect], {"user_id": user_id, "game": game, "page": page})

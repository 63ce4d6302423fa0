"""Settings of servers and players, as JSON objects that the bot interprets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import select

from data.sql.columns import table
from data.sql.transaction import Transaction

people = table(
    "people",
    rows={"user_id": int, "settings": dict, "changed_at": datetime},
    key=("user_id",),
)

servers = table(
    "servers",
    rows={"guild_id": int, "settings": dict, "changed_at": datetime, "changed_by": int},
    key=("guild_id",),
)

SERVER_CHANGED: Final = "server-settings"
"""Announced with the server whose settings have changed."""
PLAYER_CHANGED: Final = "player-settings"
"""Announced with the player whose settings have changed or were deleted."""


async def of_server(tx: Transaction, guild_id: int) -> dict[str, Any]:
    """Return a server's settings; empty by default."""
    return await tx.scalar(select(servers.c.settings).where(servers.c.guild_id == guild_id)) or {}


async def of_player(tx: Transaction, user_id: int) -> dict[str, Any]:
    """Return a player's settings; empty by default."""
    return await tx.scalar(select(people.c.settings).where(people.c.user_id == user_id)) or {}


async def of_players(tx: Transaction, user_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return the settings of those players who have changed any."""
    wanted = select(people.c.user_id, people.c.settings).where(people.c.user_id.in_(user_ids))
    return {row.user_id: row.settings for row in await tx.rows(wanted)}


async def put_server(
    tx: Transaction, guild_id: int, settings: Mapping[str, Any], *, by: int, at: datetime
) -> None:
    """Replace a server's settings."""
    values = {"guild_id": guild_id, "settings": dict(settings), "changed_at": at, "changed_by": by}
    await tx.put(servers, values)
    tx.announce(SERVER_CHANGED, guild_id)


async def put_player(
    tx: Transaction, user_id: int, settings: Mapping[str, Any], *, at: datetime
) -> None:
    """Replace a player's settings."""
    values = {"user_id": user_id, "settings": dict(settings), "changed_at": at}
    await tx.put(people, values)
    tx.announce(PLAYER_CHANGED, user_id)


courses = table("courses", rows={"user_id": int, "game": str, "page": int}, key=("user_id", "game"))
"""Players' progress in the lessons of each game; one page past the last means all of them."""


async def lesson_page(tx: Transaction, user_id: int, game: str) -> int:
    """Return the page that a player has reached, counted from 1; 0 before the first."""
    mine = (courses.c.user_id == user_id) & (courses.c.game == game)
    return await tx.scalar(select(courses.c.page).where(mine)) or 0


async def put_lesson_page(tx: Transaction, user_id: int, game: str, page: int) -> None:
    """Record the page that a player has reached."""
    await tx.put(courses, {"user_id": user_id, "game": game, "page": page})

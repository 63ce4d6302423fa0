"""What servers and players have chosen, as JSON objects whose meaning the bot knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, select

from data.tables import people, servers
from data.upserts import upsert

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from data.transaction import Transaction

_OF_SERVER = select(servers.c.settings).where(servers.c.guild_id == bindparam("guild"))
_OF_PLAYER = select(people.c.settings).where(people.c.user_id == bindparam("user"))
_PUT_SERVER = upsert(servers)
_PUT_PLAYER = upsert(people)
_FORGET = delete(people).where(people.c.user_id == bindparam("user"))


async def of_server(tx: Transaction, guild_id: int) -> dict[str, Any]:
    """Return what a server has chosen; empty where it has chosen nothing."""
    return await tx.scalar(_OF_SERVER, {"guild": guild_id}) or {}


async def of_player(tx: Transaction, user_id: int) -> dict[str, Any]:
    """Return what a player has chosen; empty where they have chosen nothing."""
    return await tx.scalar(_OF_PLAYER, {"user": user_id}) or {}


async def put_server(
    tx: Transaction, guild_id: int, settings: Mapping[str, Any], *, by: int, at: datetime
) -> None:
    """Record what a server chooses from now on, in place of all it chose before."""
    values = {
        "guild_id": guild_id,
        "settings": dict(settings),
        "changed_at": at,
        "changed_by": by,
    }
    await tx.run(_PUT_SERVER[tx.dialect], values)


async def put_player(
    tx: Transaction, user_id: int, settings: Mapping[str, Any], *, at: datetime
) -> None:
    """Record what a player chooses from now on, in place of all they chose before."""
    values = {"user_id": user_id, "settings": dict(settings), "changed_at": at}
    await tx.run(_PUT_PLAYER[tx.dialect], values)


async def forget_player(tx: Transaction, user_id: int) -> None:
    """Delete what a player has chosen."""
    await tx.run(_FORGET, {"user": user_id})

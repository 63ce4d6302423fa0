"""Match records that players have imported for replay."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import bindparam, delete, func, insert, select, update

from data.tables import imports

if TYPE_CHECKING:
    from datetime import datetime

    from data.transaction import Transaction

MOST: Final = 50
"""Maximum records per player; the oldest makes room for a new one."""


@dataclass(frozen=True, slots=True)
class Import:
    """An imported match record."""

    id: int
    user_id: int
    at: datetime
    record: str


_ADD = insert(imports).returning(imports.c.id)
_GET = select(imports.c.id, imports.c.user_id, imports.c.at, imports.c.record)
_ONE = _GET.where(imports.c.id == bindparam("number"))
_MINE = imports.c.user_id == bindparam("user")
_OF = _GET.where(_MINE).order_by(imports.c.id.desc()).limit(MOST)
_SAME = select(func.max(imports.c.id)).where(_MINE, imports.c.record == bindparam("text"))
_FOUND = select(imports.c.found).where(imports.c.id == bindparam("number"))
_KEEP = update(imports).where(imports.c.id == bindparam("number")).values(found=bindparam("said"))
_OLD = select(imports.c.id).where(_MINE).order_by(imports.c.id.desc()).offset(MOST)
_PRUNE = delete(imports).where(imports.c.id.in_(_OLD))
_FORGET = delete(imports).where(_MINE)


async def add(tx: Transaction, user_id: int, record: str, at: datetime) -> tuple[int, int]:
    """Store a record, unless this player has imported the same one before.

    Returns:
        Its number, and how many older records were deleted to make room.

    """
    same: int | None = await tx.scalar(_SAME, {"user": user_id, "text": record})
    if same is not None:
        return same, 0
    number: int = await tx.scalar(_ADD, {"user_id": user_id, "at": at, "record": record})
    return number, await tx.run(_PRUNE, {"user": user_id})


async def get(tx: Transaction, number: int) -> Import | None:
    """Return a record, ``None`` if it does not exist."""
    row = await tx.row(_ONE, {"number": number})
    return None if row is None else Import(*row)


async def found(tx: Transaction, number: int) -> dict[str, Any] | None:
    """Return the analysis of a record, ``None`` if there is none yet."""
    kept: dict[str, Any] | None = await tx.scalar(_FOUND, {"number": number})
    return kept


async def keep(tx: Transaction, number: int, said: dict[str, Any]) -> bool:
    """Store the analysis of a record; return whether the record still exists."""
    return bool(await tx.run(_KEEP, {"number": number, "said": said}))


async def of_player(tx: Transaction, user_id: int) -> tuple[Import, ...]:
    """Return a player's records, newest first."""
    return tuple(Import(*row) for row in await tx.rows(_OF, {"user": user_id}))


async def forget_player(tx: Transaction, user_id: int) -> int:
    """Delete a player's records; return how many there were."""
    return await tx.run(_FORGET, {"user": user_id})

"""Match records that players have imported for replay, and their analyses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import delete, func, select, update

from data.sql.columns import Document, Flag, table
from data.sql.transaction import Transaction

MAX_KEPT: Final = 50
"""Maximum records per player; the oldest makes room for a new one."""


@dataclass(frozen=True, slots=True)
class ImportedRecord:
    """An imported match record."""

    id: int
    user_id: int
    at: datetime
    record: str


imports = table(
    "imports",
    sa.Column("game", sa.Text, nullable=False),
    sa.Column("over", Flag, nullable=False),
    sa.Column("luck", Document, nullable=False),
    sa.Column("found", Document),
    sa.Index("ix_imports_user_id", "user_id"),
    rows=ImportedRecord,
)
"""Imported match records and their analyses; ``game``, ``over`` and ``luck`` derive from them."""

_GET = select(imports.c.id, imports.c.user_id, imports.c.at, imports.c.record)


@dataclass(frozen=True, slots=True)
class RecordTitle:
    """A record's description, without its text."""

    id: int
    at: datetime
    game: str
    over: bool


async def add(
    tx: Transaction,
    user_id: int,
    record: str,
    at: datetime,
    *,
    game: str,
    over: bool,
    luck: dict[str, Any],
) -> tuple[int, int]:
    """Store a record, unless this player has imported the same one before.

    ``luck`` is a packed phrase about its throws; it, the game and whether the record is ``over`` are
    for lists that do not read the text.

    Returns:
        Its number, and how many older records were deleted to make room.
    """
    mine = imports.c.user_id == user_id
    same = await tx.scalar(select(func.max(imports.c.id)).where(mine, imports.c.record == record))
    if same is not None:
        return same, 0
    values = {"user_id": user_id, "at": at, "record": record}
    values |= {"game": game, "over": over, "luck": luck}
    number = await tx.insert(imports, values)
    old = select(imports.c.id).where(mine).order_by(imports.c.id.desc()).offset(MAX_KEPT)
    return number, await tx.run(delete(imports).where(imports.c.id.in_(old)))


async def get(tx: Transaction, number: int) -> ImportedRecord | None:
    """Return a record, ``None`` if it does not exist."""
    return await tx.record(ImportedRecord, _GET.where(imports.c.id == number))


async def titles(tx: Transaction, user_id: int) -> tuple[RecordTitle, ...]:
    """Return the titles of a player's records, newest first."""
    columns = select(imports.c.id, imports.c.at, imports.c.game, imports.c.over)
    mine = columns.where(imports.c.user_id == user_id).order_by(imports.c.id.desc()).limit(MAX_KEPT)
    return await tx.records(RecordTitle, mine)


async def luck(tx: Transaction, number: int) -> dict[str, Any] | None:
    """Return the phrase about a record's throws, ``None`` if the record does not exist."""
    return await tx.scalar(select(imports.c.luck).where(imports.c.id == number))


async def analysis(tx: Transaction, number: int) -> dict[str, Any] | None:
    """Return the analysis of a record, ``None`` if there is none yet."""
    return await tx.scalar(select(imports.c.found).where(imports.c.id == number))


async def put_analysis(tx: Transaction, number: int, found: dict[str, Any]) -> bool:
    """Store the analysis of a record; return whether the record still exists."""
    return bool(await tx.run(update(imports).where(imports.c.id == number).values(found=found)))

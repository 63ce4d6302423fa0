"""Small facts that must outlive the process, such as the hash of the commands last synced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from data.tables import key_values
from data.upserts import upsert

if TYPE_CHECKING:
    from data.transaction import Transaction

_GET = select(key_values.c.value).where(key_values.c.key == bindparam("name"))
_SET = upsert(key_values)


async def get(tx: Transaction, key: str) -> str | None:
    """Return what is noted under a key, ``None`` where nothing is."""
    value: str | None = await tx.scalar(_GET, {"name": key})
    return value


async def set(tx: Transaction, key: str, value: str) -> None:  # noqa: A001 -- read as key_values.set
    """Note a value under a key, in place of what was noted there."""
    await tx.run(_SET[tx.dialect], {"key": key, "value": value})

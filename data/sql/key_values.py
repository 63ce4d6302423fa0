"""A key-value store for facts that outlive the process, such as the hash of the synced commands."""

from __future__ import annotations

from sqlalchemy import delete, select

from data.sql.columns import table
from data.sql.transaction import Transaction

key_values = table("key_values", rows={"key": str, "value": str}, key=("key",))


async def get(tx: Transaction, key: str) -> str | None:
    """Return the value of a key, ``None`` if it has none."""
    return await tx.scalar(select(key_values.c.value).where(key_values.c.key == key))


async def beginning(tx: Transaction, prefix: str) -> dict[str, str]:
    """Return the values of all keys with a prefix, by key."""
    statement = select(key_values).where(key_values.c.key.startswith(prefix, autoescape=True))
    return {row.key: row.value for row in await tx.rows(statement)}


async def set(tx: Transaction, key: str, value: str) -> None:  # noqa: A001 -- as key_values.set
    """Set the value of a key."""
    await tx.put(key_values, {"key": key, "value": value})


async def remove(tx: Transaction, key: str) -> None:
    """Remove a key and its value."""
    await tx.run(delete(key_values).where(key_values.c.key == key))


async def remove_between(tx: Transaction, first: str, last: str) -> None:
    """Remove all keys from the first to the one before the last, in the order of their characters."""
    keys = key_values.c.key
    await tx.run(delete(key_values).where(keys >= first, keys < last))

"""The two ways to write, and to read, in a transaction: in a block, and in one call."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import pytest

from data.sql import key_values
from data.sql.key_values import key_values as table
from data.store.store import Store, Transaction

Work: TypeAlias = "Callable[[Transaction], Awaitable[object]]"
Writing: TypeAlias = "Callable[[Store, Work], Awaitable[None]]"
Reading: TypeAlias = "Callable[[Store, Work], Awaitable[object]]"


async def write_in_block(db: Store, work: Work) -> None:
    """Write inside a transaction block."""
    async with db.write() as tx:
        await work(tx)


async def write_in_one_call(db: Store, work: Work) -> None:
    """Write in a single call."""
    await db.run_write(work)


async def read_in_block(db: Store, work: Work) -> object:
    """Read inside a transaction block."""
    async with db.read() as tx:
        return await work(tx)


async def read_in_one_call(db: Store, work: Work) -> object:
    """Read in a single call."""
    return await db.run_read(work)


both_writings = pytest.mark.parametrize("write", [write_in_block, write_in_one_call])
both_readings = pytest.mark.parametrize("read", [read_in_block, read_in_one_call])


async def kept(db: Store) -> set[str]:
    """Return the keys of all facts but the store's own."""
    async with db.read() as tx:
        return {row.key for row in await tx.rows(table.select())} - {"oldest program"}


async def lose(tx: Transaction) -> None:
    """Write something that must be lost."""
    await key_values.set(tx, "lost", "")


async def keep(tx: Transaction) -> None:
    """Write something that must be kept."""
    await key_values.set(tx, "kept", "")

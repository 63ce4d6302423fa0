"""Moves games from SQLite to PostgreSQL: restores a backup of the one into a database of the other."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Table, delete, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from bot.app import backups
from data.sql.columns import metadata, row_values
from data.sql.database import create_async_engine
from data.sql.errors import Unusable, translated
from data.sql.transaction import Transaction
from data.store import restoring
from data.store.address import address
from data.store.restoring import Traces
from data.store.store import Store
from data.store.upgrade import upgrade

_BEGINNING: Final = b"SQLite format 3\0"
_PAGE: Final = 1_000
"""Rows that are in memory at once."""


def is_sqlite(file: Path) -> bool:
    """Return whether a file is a SQLite database; raises OSError if it cannot be read."""
    with file.open("rb") as opened:
        return opened.read(len(_BEGINNING)) == _BEGINNING


async def restore_from_sqlite(url: str, file: Path) -> Traces:
    """Replace everything in a PostgreSQL database with a backup of SQLite, or leave it as it is.

    Returns what the SQLite database has given out. Raises Unusable if the file is no backup, TooNew
    if a newer version of the program wrote it, and OSError if it cannot be copied.
    """
    with tempfile.TemporaryDirectory(prefix="old-board-games-") as folder:
        copy = Path(folder) / "games.db"
        await backups.restore_sqlite(copy, file)  # checks it, and leaves the backup itself alone
        source = await Store.open(f"sqlite:///{copy}")
        try:
            async with source.read() as tx:
                await _replace(url, tx)
                return await restoring.traces(tx)
        finally:
            await source.close()


async def _replace(url: str, source: Transaction) -> None:
    """Replace the tables of a PostgreSQL database, in one transaction."""
    own = await backups.own_tables(address(url))
    engine = create_async_engine(address(url), poolclass=NullPool, hide_parameters=True)
    try:
        async with engine.begin() as target:
            for name in own:
                await target.execute(text(f'DROP TABLE "{name}" CASCADE'))
            await target.run_sync(upgrade)
            for table in metadata.sorted_tables:  # what others refer to comes first
                await target.execute(delete(table))  # what the migrations have put there
                await _copy(table, source, target)
    except (SQLAlchemyError, OSError) as failure:
        # Not the driver's message, which may contain what is in a row.
        raise translated(failure) or Unusable(
            "The games cannot be moved to it. Nothing was changed. Look at the log of its server."
        ) from failure
    finally:
        await engine.dispose()


async def _copy(table: Table, source: Transaction, target: Any) -> None:
    """Copy the rows of a table; raises Unusable if not all arrive."""
    copied = 0
    async for page in source.pages(select(table), _PAGE):
        if page:
            await target.execute(insert(table), [row_values(row, table) for row in page])
            copied += len(page)
    if copied != await target.scalar(select(func.count()).select_from(table)):
        raise Unusable(f"The table {table.name} has not been moved whole. Try again.")

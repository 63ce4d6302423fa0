"""A database whose tables are not those of this version is refused, whatever its revision says."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from subprocess import run

import pytest
from sqlalchemy import text

from data.sql.errors import Different
from data.store.differences import differences
from data.store.store import Store, Transaction
from tests.data.schema import TABLES, AllIsWell, change_tables


async def renamed(tx: Transaction, table: str, column: str) -> list[str]:
    """Rename a column and return what differs."""
    statement = text(f'ALTER TABLE {table} RENAME COLUMN "{column}" TO renamed')
    await tx.run_sync(lambda connection: connection.execute(statement))
    return await tx.run_sync(differences)


async def test_nothing_differs_in_a_new_database(db: Store) -> None:
    async with db.read() as tx:
        assert await tx.run_sync(differences) == []


@pytest.mark.parametrize("table", sorted(TABLES))
async def test_every_renamed_column_is_noticed(db: Store, table: str) -> None:
    from data.sql.columns import metadata  # noqa: PLC0415 -- filled by now

    for column in metadata.tables[table].columns:
        with suppress(AllIsWell):
            async with db.write() as tx:
                found = await renamed(tx, table, column.name)
                assert f"no column {table}.{column.name}" in found
                raise AllIsWell


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ("DROP TABLE key_values", "no table key_values"),
        ("DROP INDEX ix_clocks_next_at", "no index ix_clocks_next_at on clocks"),
        ("ALTER TABLE key_values RENAME COLUMN value TO content", "no column key_values.value"),
    ],
)
async def test_a_different_database_does_not_open(new_url: str, change: str, named: str) -> None:
    await change_tables(new_url, change)
    with pytest.raises(Different, match=named):
        await Store.open(new_url)


async def test_what_a_newer_version_has_added_is_allowed(new_url: str) -> None:
    await change_tables(new_url, "ALTER TABLE key_values ADD COLUMN later INTEGER")
    await (await Store.open(new_url)).close()


async def test_a_command_refuses_such_a_database_too(new_sqlite_url: str) -> None:
    await change_tables(new_sqlite_url, "ALTER TABLE key_values RENAME COLUMN value TO content")
    done = run(  # noqa: ASYNC221 -- nothing else runs in this test
        [sys.executable, "-m", "bot", "ratings", "recompute"],
        env=os.environ | {"DATABASE_URL": new_sqlite_url, "DISCORD_TOKEN": "x.y.z"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "no column key_values.value" in done.stderr
    assert done.returncode == 2

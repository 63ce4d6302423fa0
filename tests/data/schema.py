"""What tables a database has, which columns name a user, and all of a person's data."""

from __future__ import annotations

import re
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, Final

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, inspect, select, text
from sqlalchemy.engine.interfaces import ReflectedIndex

import data
from data import privacy
from data.sql import key_values
from data.sql.columns import metadata
from data.store.inspection import inspect as state
from data.store.store import Store, Transaction


class AllIsWell(Exception):
    """Rolls a transaction back."""


async def expand(url: str) -> None:
    """Do to a database what the next release does at its start, if it works with this one."""
    newest = (await state(url)).newest
    store = await Store.open(url)
    async with store.write() as tx:
        for statement in (
            "CREATE TABLE of_the_next_release (number INTEGER PRIMARY KEY)",
            "UPDATE alembic_version SET version_num = '9999'",
            "DELETE FROM key_values WHERE key = 'oldest program'",
        ):
            await tx.run(text(statement))
        await key_values.set(tx, "oldest program", newest)
    await store.close()


def described(connection: Connection) -> dict[str, Any]:
    """Return everything the database itself reports about its tables."""
    inspector = inspect(connection)
    return {
        table: {
            "columns": [
                {**column, "type": column["type"].compile(connection.dialect)}
                for column in inspector.get_columns(table)
            ],
            "key": inspector.get_pk_constraint(table),
            "references": sorted(inspector.get_foreign_keys(table), key=repr),
            "unique": sorted(inspector.get_unique_constraints(table), key=repr),
            "checks": sorted(inspector.get_check_constraints(table), key=repr),
            "indexes": sorted(map(_index, inspector.get_indexes(table)), key=repr),
            "options": inspector.get_table_options(table),
        }
        for table in sorted(inspector.get_table_names())
        if table != "alembic_version"
    }


def _index(found: ReflectedIndex) -> dict[str, Any]:
    options = {name: str(option) for name, option in found.get("dialect_options", {}).items()}
    return {**found, "dialect_options": options}


async def change_tables(url: str, *statements: str) -> None:
    """Change the tables of a database of this version, as if by hand."""
    store = await Store.open(url)
    async with store.write() as tx:
        for statement in statements:
            await tx.run(text(statement))
    await store.close()


async def assert_current_tables(db: Store) -> None:
    """Compare the tables with those `metadata` would create, without changing them."""

    def differences(connection: Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, metadata))

    async def compare() -> None:
        async with db.write() as tx:
            assert await tx.run_sync(differences) == []
            migrated = await tx.run_sync(described)
            await tx.run_sync(metadata.drop_all)
            await tx.run_sync(metadata.create_all)
            assert migrated == await tx.run_sync(described)
            assert set(migrated) == set(TABLES)
            raise AllIsWell

    with pytest.raises(AllIsWell):
        await compare()


async def columns_naming(tx: Transaction, user_id: int) -> set[str]:
    """Return every column containing a person's id: as a number, or in texts and documents."""
    named = re.compile(rf"(?<!\d){user_id}(?!\d)")
    return {
        f"{table.name}.{column.name}"
        for table in TABLES.values()
        for row in await tx.rows(select(table))
        for column, value in zip(table.c, row, strict=True)
        if named.search(str(value))
    }


async def everything(tx: Transaction, user_id: int) -> dict[str, list[dict[str, Any]]]:
    """Return all of a person's data; see `data.privacy.pages`."""
    found: dict[str, list[dict[str, Any]]] = {}
    async for name, rows in privacy.pages(tx, user_id):
        found.setdefault(name, []).extend(map(privacy.plain, rows))
    return found


for found in walk_packages(data.__path__, "data."):
    if not found.name.startswith("data.migrations"):
        import_module(found.name)

TABLES: Final = metadata.tables

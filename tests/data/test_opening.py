"""Opening a store: what works, and the error messages where it does not."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
import threading
import traceback
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from data.sql import key_values
from data.store.store import Store, Unusable

SECRET = "hunter2"


async def opening_error(url: str) -> str:
    """Return the error message for a store that fails to open; it contains no secret."""
    with pytest.raises(Unusable) as refusal:
        await Store.open(url, max_wait=0)
    everything = "".join(traceback.format_exception(refusal.value)) + repr(refusal.value)
    assert SECRET not in everything
    return refusal.value.sentence


async def test_the_folder_of_a_new_database_is_created(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path}/not/there/yet/games.db")
    await store.close()
    assert (tmp_path / "not/there/yet/games.db").is_file()


async def test_the_postgresql_driver_may_be_omitted(postgresql_url: str) -> None:
    for driver in ("postgres", "postgresql"):
        store = await Store.open(postgresql_url.replace("postgresql+asyncpg", driver))
        await store.close()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "games.db",
        f"mysql://ann:{SECRET}@localhost/games",
        f"postgresql+psycopg://ann:{SECRET}@localhost/games",
        f"postgresql://ann:{SECRET}@localhost:port/games",
        f"postgresql:/ann:{SECRET}@localhost/games",
        f"postgresql+asyncpg://ann:{SECRET}@localhost/games?nonsense={SECRET}",
        f"sqlite:///games.db?timeout={SECRET}",
        "sqlite://",
        "sqlite:///:memory:",
    ],
)
async def test_the_error_for_an_invalid_address_suggests_a_valid_one(url: str) -> None:
    assert "sqlite:///games.db" in await opening_error(url)


async def test_an_unreachable_server_is_reported_without_the_password() -> None:
    output = await opening_error(f"postgresql+asyncpg://ann:{SECRET}@127.0.0.1:1/games")
    assert "cannot be reached" in output


async def test_a_missing_database_is_reported(postgresql_url: str) -> None:
    output = await opening_error(postgresql_url.replace("/store_", "/elsewhere_"))
    assert "no database of that name" in output


async def test_a_folder_in_place_of_a_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "games.db").mkdir()
    assert "cannot be opened" in await opening_error(f"sqlite:///{tmp_path}/games.db")


async def test_a_folder_that_cannot_be_created_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    output = await opening_error(f"sqlite:///{tmp_path}/file/games.db")
    assert "folder of the database cannot be made" in output


async def test_a_file_of_another_kind_is_reported_and_left_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.write_bytes(b"a holiday picture " * 1000)
    assert "not a usable database" in await opening_error(f"sqlite:///{path}")
    assert path.read_bytes() == b"a holiday picture " * 1000


async def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await (await Store.open(f"sqlite:///{path}")).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    assert "not a usable database" in await opening_error(f"sqlite:///{path}")


async def test_a_read_only_database_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await (await Store.open(f"sqlite:///{path}")).close()
    output = await opening_error(f"sqlite:///file:{path}?mode=ro&uri=true")
    assert "cannot be written to" in output


@pytest.mark.skipif(os.geteuid() == 0, reason="to root no file is read-only")
async def test_a_file_without_write_permission_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await (await Store.open(f"sqlite:///{path}")).close()
    path.chmod(0o444)
    assert "cannot be written to" in await opening_error(f"sqlite:///{path}")


async def test_a_file_locked_by_another_program_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await (await Store.open(f"sqlite:///{path}")).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "busy" in await opening_error(f"sqlite:///{path}")
    await (await Store.open(f"sqlite:///{path}")).close()


async def test_data_is_still_there_when_the_store_is_reopened(url: str) -> None:
    store = await Store.open(url)
    async with store.write() as tx:
        await key_values.set(tx, "key", "value")
    await store.close()
    store = await Store.open(url)
    async with store.read() as tx:
        assert await key_values.get(tx, "key") == "value"
    await store.close()


async def test_using_a_closed_store_is_an_error_that_says_so(url: str) -> None:
    store = await Store.open(url)
    await store.close()
    await store.close()
    with pytest.raises(Unusable, match="closed"):
        async with store.read():
            pass


async def test_sqlite_keeps_acknowledged_data_and_enforces_references(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    for transaction in (store.write, store.read):
        async with transaction() as tx:
            values = [
                (await tx.rows(text(f"PRAGMA {name}")))[0][0]
                for name in ("journal_mode", "synchronous", "foreign_keys")
            ]
        assert values == ["wal", 2, 1]
    await store.close()


async def test_closing_leaves_no_thread_behind(sqlite_url: str, tmp_path: Path) -> None:
    before = set(threading.enumerate())
    store = await Store.open(sqlite_url)

    async def read() -> None:
        async with store.read() as tx:
            await key_values.get(tx, "key")

    await asyncio.gather(*(read() for _ in range(20)))
    assert set(threading.enumerate()) - before
    await store.close()
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"a holiday picture " * 1000)
    await opening_error(f"sqlite:///{broken}")
    for thread in set(threading.enumerate()) - before:
        thread.join(10)  # it may be in its last step
        assert not thread.is_alive()


def test_a_process_that_never_closes_the_store_still_ends(
    sqlite_url: str, pytestconfig: pytest.Config
) -> None:
    script = (
        "import asyncio, sys\n"
        "from data.store.store import Store\n"
        "async def main():\n"
        "    global store\n"
        "    store = await Store.open(sys.argv[1])\n"
        "    async with store.read() as tx: pass\n"
        "asyncio.run(main())\n"
        "print('done')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script, sqlite_url],
        cwd=pytestconfig.rootpath,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert ended.stdout == "done\n"


def test_a_store_on_sqlite_does_not_load_the_orm() -> None:
    """It would take a tenth of the time to start."""
    loaded = "assert 'sqlalchemy.orm' not in sys.modules"
    check = f"import sys, data.store.store, data.store.process_lock; {loaded}"
    subprocess.run([sys.executable, "-c", check], check=True)

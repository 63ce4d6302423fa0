"""When SQLite syncs to disk and writes its log back, and who can read its files."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url, text

from data.sql import key_values
from data.store import sqlite
from data.store.process_lock import process_lock
from data.store.sqlite import CHECKPOINT
from data.store.store import Store, Transaction

FULL, NORMAL = 2, 1


async def note(tx: Transaction, name: str) -> None:
    """Write a row."""
    await tx.run(text("INSERT INTO key_values (key, value) VALUES (:name, 'x')"), {"name": name})


def rows_without_log(url: str, folder: Path) -> int:
    """Return the number of rows in the database file without its log."""
    copy = folder / "alone.db"
    shutil.copyfile(make_url(url).database or "", copy)
    with closing(sqlite3.connect(f"file:{copy}?immutable=1", uri=True)) as connection:
        (number,) = connection.execute("SELECT count(*) FROM key_values").fetchone()
    return int(number)


async def test_checkpoints_happen_while_others_read_and_write(
    sqlite_url: str, tmp_path: Path
) -> None:
    db = await Store.open(sqlite_url)
    before = rows_without_log(sqlite_url, tmp_path)
    try:
        async with db.read() as reader:
            seen = await reader.scalar(text("SELECT count(*) FROM key_values"))
            for number in range(CHECKPOINT):
                await db.run_write(partial(note, name=f"first {number}"))
            # Anything a reader still needs stays in the log, and the reader sees its own snapshot.
            assert await reader.scalar(text("SELECT count(*) FROM key_values")) == seen
        for number in range(CHECKPOINT):
            await db.run_write(partial(note, name=f"second {number}"))
    finally:
        await db.close()
    assert rows_without_log(sqlite_url, tmp_path) == before + 2 * CHECKPOINT


async def test_committed_data_soon_reaches_the_file(sqlite_url: str, tmp_path: Path) -> None:
    db = await Store.open(sqlite_url)
    before = rows_without_log(sqlite_url, tmp_path)
    database: Any = db._database  # nothing reports a checkpoint
    try:
        for number in range(CHECKPOINT):
            await db.run_write(partial(note, name=str(number)))
        await database._checkpoint
        assert rows_without_log(sqlite_url, tmp_path) >= before + CHECKPOINT - 2
    finally:
        await db.close()


async def test_commits_wait_for_the_disk_unless_nothing_could_be_lost(sqlite_url: str) -> None:
    async def confirmed(tx: Transaction) -> int:
        return await tx.number(text("PRAGMA synchronous"))

    db = await Store.open(sqlite_url)
    try:
        assert await db.run_write(confirmed) == FULL
        assert await db.run_write(confirmed, durable=False) == NORMAL
        assert await db.run_write(confirmed, durable=False) == NORMAL
        assert await db.run_write(confirmed) == FULL
        async with db.write() as tx:
            assert await confirmed(tx) == FULL
    finally:
        await db.close()


async def test_an_impossible_checkpoint_does_not_prevent_closing(tmp_path: Path) -> None:
    folder = tmp_path / "away"
    folder.mkdir()
    db = await Store.open(f"sqlite:///{folder}/games.db")
    for number in range(CHECKPOINT - 10):
        await db.run_write(partial(note, name=str(number)))
    shutil.rmtree(folder)  # only programs with the file open can keep writing
    for number in range(10):
        await db.run_write(partial(note, name=f"late {number}"))
    await db.close()


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    """Create files as most systems do: readable by everyone."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    """Return the permissions of a folder and each of its files."""
    found = {path.name: path for path in folder.iterdir()} | {".": folder}
    return {name: oct(stat.S_IMODE(path.stat().st_mode)) for name, path in found.items()}


FILES = ("games.db", "games.db-wal", "games.db-shm", "games.db.lock")
PRIVATE = {".": "0o700", **dict.fromkeys(FILES, "0o600")}


async def use(folder: Path) -> dict[str, str]:
    """Open a folder's database as the program does, and return its files' permissions."""
    url = f"sqlite:///{folder}/games.db"
    async with process_lock(url):
        store = await Store.open(url)
        async with store.write() as tx:
            await key_values.set(tx, "key", "value")
        found = modes(folder)
        await store.close()
    return found


async def test_a_new_database_is_private(tmp_path: Path) -> None:
    assert await use(tmp_path / "not" / "there") == PRIVATE


def test_every_folder_made_on_the_way_is_private_whatever_the_umask(tmp_path: Path) -> None:
    os.umask(0)
    sqlite.make_private_folder(tmp_path / "a" / "b" / "c" / "games.db")
    for folder in (tmp_path / "a", tmp_path / "a" / "b", tmp_path / "a" / "b" / "c"):
        assert oct(stat.S_IMODE(folder.stat().st_mode)) == "0o700", folder


async def test_a_new_database_without_a_lock_is_private_too(tmp_path: Path) -> None:
    store = await Store.open(f"sqlite:///{tmp_path}/new/games.db")
    assert modes(tmp_path / "new") == {n: m for n, m in PRIVATE.items() if "lock" not in n}
    await store.close()


async def test_a_world_readable_database_is_made_private(tmp_path: Path) -> None:
    """As earlier versions created it, and as a killed program leaves it."""
    folder = tmp_path / "var"
    folder.mkdir()
    path = folder / "games.db"
    await use(folder)
    with closing(sqlite3.connect(path)) as killed:
        killed.execute("UPDATE key_values SET value = 'other'")
        killed.commit()
        for file in folder.iterdir():
            file.chmod(0o644)
        assert modes(folder)["games.db-wal"] == "0o644"
        assert await use(folder) == PRIVATE | {".": "0o755"}, "another user's folder keeps its mode"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can use a file that may only be read")
async def test_no_permission_is_added_that_the_owner_lacks(tmp_path: Path) -> None:
    await use(tmp_path)
    (tmp_path / "games.db").chmod(0o444)
    assert (await use(tmp_path))["games.db"] == "0o400"

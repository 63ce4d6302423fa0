"""When SQLite syncs to disk, and when its log is written into the database file."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import make_url, text

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

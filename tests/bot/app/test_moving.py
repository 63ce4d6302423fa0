"""Games move from SQLite to PostgreSQL: each row of each table, and nothing if anything fails."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bot.app import backups, maintenance, moving
from bot.app.membership import check_application
from data.sql import key_values
from data.sql.errors import TooNew, Unusable
from data.store.store import Store
from tests.bot.conftest import Club
from tests.data.schema import TABLES, change_tables
from tests.recorded import record

pytestmark = pytest.mark.usefixtures("programs")


async def everything(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of all tables, in one order."""
    store = await Store.open(url)
    async with store.read() as tx:
        rows = {
            name: sorted(map(tuple, await tx.rows(select(table))), key=repr)
            for name, table in TABLES.items()
        }
    await store.close()
    return rows


async def backed_up(url: str, folder: Path) -> Path:
    """Make a backup."""
    file = folder / "moving.db"
    await backups.write(url, file)
    return file


async def test_each_row_of_each_table_arrives(
    sqlite_url: str, postgresql_url: str, tmp_path: Path
) -> None:
    store = await Store.open(sqlite_url)
    await record.play(Club(store))
    await check_application(store, 7)
    await store.close()
    there = await everything(sqlite_url)
    kinds = {type(column.type) for table in TABLES.values() for column in table.c}
    assert kinds == {
        type(column.type)
        for name, table in TABLES.items()
        for number, column in enumerate(table.c)
        if any(row[number] is not None for row in there[name])
    }, "no kind of column is left out"
    file = await backed_up(sqlite_url, tmp_path)
    before = await asyncio.to_thread(file.read_bytes)
    await moving.restore_from_sqlite(postgresql_url, file)
    assert await everything(postgresql_url) == there
    assert await asyncio.to_thread(file.read_bytes) == before, "the backup is still one"


@pytest.mark.parametrize("version", ["0.2.0a1", "0.2.0"])
async def test_games_of_an_earlier_version_go_on_in_an_empty_database(
    version: str, new_sqlite_url: str, new_postgresql_url: str, tmp_path: Path
) -> None:
    dump = record.FOLDER / f"{version}.sqlite.sql"
    await record.restore(await asyncio.to_thread(dump.read_text), new_sqlite_url)
    _, going_on = await maintenance.restore_database(
        new_postgresql_url, await backed_up(new_sqlite_url, tmp_path)
    )
    assert going_on
    store = await Store.open(new_postgresql_url)
    club = Club(store, seeds=50)
    position = await club.matches.position(1)
    (line, *_) = dump.with_name(f"{version}.txt").read_text().splitlines()
    assert line.endswith(position.game.write_position(position.state))
    assert (await club.play_once(position)).version > position.version
    await store.close()


async def test_no_number_is_given_out_again(
    sqlite_url: str, postgresql_url: str, tmp_path: Path
) -> None:
    """Nor those of rows that are gone: a message in Discord may still have one."""
    await change_tables(
        sqlite_url, "INSERT INTO sqlite_sequence (name, seq) VALUES ('challenges', 90000)"
    )
    file = await backed_up(sqlite_url, tmp_path)
    await maintenance.restore_database(postgresql_url, file)
    store = await Store.open(postgresql_url)
    position = await Club(store).start()
    assert position.match.challenge_id > 90_000
    await store.close()


async def test_what_cannot_be_stored_changes_nothing_and_shows_nothing(
    sqlite_url: str, postgresql_url: str, tmp_path: Path
) -> None:
    """PostgreSQL has no text with a zero; the table comes after others that it would replace."""
    await _keep(postgresql_url, "kept", "as it was")
    await _keep(sqlite_url, "secret", "hidden\x00word")
    before = await everything(postgresql_url)
    file = await backed_up(sqlite_url, tmp_path)
    with pytest.raises(Unusable, match="Nothing was changed") as error:
        await maintenance.restore_database(postgresql_url, file)
    assert "hidden" not in str(error.value)
    assert await everything(postgresql_url) == before


async def test_a_sqlite_file_of_something_else_changes_nothing(
    postgresql_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("CREATE TABLE of_others (one)")
    before = await everything(postgresql_url)
    with pytest.raises(Unusable, match="is no backup"):
        await maintenance.restore_database(postgresql_url, file)
    assert await everything(postgresql_url) == before


async def test_a_backup_of_a_newer_version_changes_nothing(
    sqlite_url: str, postgresql_url: str, tmp_path: Path
) -> None:
    file = await backed_up(sqlite_url, tmp_path)
    with closing(sqlite3.connect(file)) as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
        newer.execute("DELETE FROM key_values WHERE key = 'oldest program'")
        newer.commit()
    before = await everything(postgresql_url)
    with pytest.raises(TooNew):
        await maintenance.restore_database(postgresql_url, file)
    assert await everything(postgresql_url) == before


async def _keep(url: str, key: str, value: str) -> None:
    store = await Store.open(url)
    async with store.write() as tx:
        await key_values.set(tx, key, value)
    await store.close()

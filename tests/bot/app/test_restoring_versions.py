"""A backup is restored over the tables of a newer version, which then do not stand in the way."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy.engine import make_url

from bot.app import backups, maintenance
from data.sql.errors import TooNew, Unusable
from data.store.inspection import inspect
from data.store.store import Store
from tests.bot.conftest import Club
from tests.data.schema import change_tables
from tests.databases import client_programs
from tests.recorded import record

pytestmark = pytest.mark.usefixtures("programs")

NEWER = (
    "CREATE TABLE of_a_newer_version (id INTEGER PRIMARY KEY, match_id {id} REFERENCES matches)",
    "INSERT INTO of_a_newer_version VALUES (7, 1)",
    "UPDATE alembic_version SET version_num = '9999'",
    "DELETE FROM key_values WHERE key = 'oldest program'",
)
"""What a version does that only its successors can work with."""


@pytest.fixture
async def backup(url: str, tmp_path: Path) -> Path:
    """A backup with one match."""
    store = await Store.open(url)
    await Club(store).start()
    await store.close()
    await backups.write(url, tmp_path / "backup")
    return tmp_path / "backup"


async def upgraded(url: str) -> None:
    """Do to a database what a newer version does."""
    kind = "INTEGER" if url.startswith("sqlite") else "BIGINT"
    await change_tables(url, *(statement.format(id=kind) for statement in NEWER))


async def rows(url: str, table: str) -> int:
    """Return the number of a table's rows in a PostgreSQL database."""
    plain = make_url(url).set(drivername="postgresql")
    connection = await asyncpg.connect(plain.render_as_string(hide_password=False))
    number = await connection.fetchval(f"SELECT count(*) FROM {table}")
    await connection.close()
    return int(number)


async def test_after_restoring_an_older_backup_the_next_upgrade_works(
    url: str, backup: Path
) -> None:
    await upgraded(url)
    _, going_on = await maintenance.restore_database(url, backup)
    assert going_on == 1
    await upgraded(url)  # would fail on a table that was left


async def test_a_backup_of_an_earlier_version_is_restored_and_upgraded(
    new_url: str, tmp_path: Path
) -> None:
    """Its tables were added since, and may refer to others."""
    kind = make_url(new_url).get_backend_name()
    dump = record.FOLDER / f"0.2.0a1.{kind}.sql"
    await record.restore(await asyncio.to_thread(dump.read_text), new_url)
    await backups.write(new_url, tmp_path / "backup")
    identity = "INTEGER" if kind == "sqlite" else "BIGINT"
    await change_tables(
        new_url, f"ALTER TABLE bot_blocks ADD COLUMN match_id {identity} REFERENCES matches"
    )
    await maintenance.restore_database(new_url, tmp_path / "backup")
    inspection = await inspect(new_url)
    assert inspection.revision == inspection.newest
    store = await Store.open(new_url)
    position = await Club(store, seeds=50).matches.position(1)
    line = dump.with_name("0.2.0a1.txt").read_text().splitlines()[0]
    assert line.endswith(position.game.write_position(position.state))
    await store.close()


async def test_without_psql_a_restore_says_what_to_install(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await backups.write(postgresql_url, tmp_path / "backup")
    program = tmp_path / "bin" / "pg_restore"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {client_programs()}/pg_restore "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    with pytest.raises(Unusable, match="psql is not on the PATH"):
        await maintenance.restore_database(postgresql_url, tmp_path / "backup")
    assert await rows(postgresql_url, "matches") == 0


async def test_tables_of_others_in_the_database_stay(postgresql_url: str, tmp_path: Path) -> None:
    await backups.write(postgresql_url, tmp_path / "backup")
    await change_tables(postgresql_url, "CREATE TABLE of_others AS SELECT 1 AS one")
    await maintenance.restore_database(postgresql_url, tmp_path / "backup")
    assert await rows(postgresql_url, "of_others") == 1


@pytest.mark.parametrize(
    ("program", "script"),
    [
        ("pg_restore", '{there}/pg_restore "$@" | head -c 20000; exit 1'),
        ("psql", "exit 3"),
        ("psql", 'head -c 20000 | {there}/psql "$@"; exit 3'),
    ],
)
async def test_a_restore_that_fails_in_the_middle_changes_nothing(
    postgresql_url: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    script: str,
) -> None:
    store = await Store.open(postgresql_url)
    await Club(store).start()
    await store.close()
    await backups.write(postgresql_url, tmp_path / "backup")
    await upgraded(postgresql_url)
    fake = tmp_path / "bin" / program
    fake.parent.mkdir()
    whole = 'case "$*" in *--data-only*) exec {there}/pg_restore "$@";; esac; '
    fake.write_text(
        f"#!/bin/sh\n{whole * (program == 'pg_restore')}{script}\n".format(there=client_programs())
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(Unusable, match=f"{program} fails"):
        await maintenance.restore_database(postgresql_url, tmp_path / "backup")
    assert await rows(postgresql_url, "of_a_newer_version") == 1
    assert await rows(postgresql_url, "matches") == 1


async def test_a_backup_of_a_newer_version_changes_nothing(
    url: str, backup: Path, tmp_path: Path
) -> None:
    newest = (await inspect(url)).newest
    await upgraded(url)
    await backups.write(url, tmp_path / "newer")
    await maintenance.restore_database(url, backup)
    with pytest.raises(TooNew, match="newer version of the program has written this backup"):
        await maintenance.restore_database(url, tmp_path / "newer")
    assert (await inspect(url)).revision == newest


async def test_a_dump_of_something_else_changes_nothing(
    postgresql_url: str, new_postgresql_url: str, tmp_path: Path
) -> None:
    plain = make_url(new_postgresql_url).set(drivername="postgresql")
    connection = await asyncpg.connect(plain.render_as_string(hide_password=False))
    await connection.execute("CREATE TABLE of_others AS SELECT 1 AS one")
    await connection.close()
    await backups.write(new_postgresql_url, tmp_path / "backup")
    with pytest.raises(Unusable, match="is no backup of this program"):
        await maintenance.restore_database(postgresql_url, tmp_path / "backup")
    assert await rows(postgresql_url, "matches") == 0

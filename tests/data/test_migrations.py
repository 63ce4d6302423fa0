"""The tables, from the first revision to the newest."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.engine import make_url

from data.sql import key_values
from data.store.store import Store, TooNew
from data.store.upgrade import MIGRATIONS
from tests.data import old_program
from tests.data.later import copied_migrations, later_migrations, newest_revision
from tests.data.schema import TABLES, assert_current_tables, described
from tests.end_to_end import forking


def last_release(repository: Path, folder: Path) -> Path | None:
    """Return the unpacked sources of the last release, or ``None`` if unavailable."""
    tags = subprocess.run(
        ["git", "tag", "--list", "v*", "--sort=-version:refname"],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.split()
    if not tags:
        return None
    sources = folder / "release"
    sources.mkdir()
    archive = subprocess.run(
        ["git", "archive", tags[0]], cwd=repository, capture_output=True, check=True
    )
    subprocess.run(["tar", "-x"], cwd=sources, input=archive.stdout, check=True)
    return sources


async def version(db: Store) -> str:
    """Return the revision recorded in the database."""
    async with db.read() as tx:
        row = await tx.row(text("SELECT version_num FROM alembic_version"))
    assert row is not None
    return str(row[0])


async def test_the_migrations_create_exactly_the_tables_of_the_program(db: Store) -> None:
    await assert_current_tables(db)


async def test_reopening_changes_nothing_and_runs_no_migration(
    db: Store, url: str, tmp_path: Path
) -> None:
    before = await version(db)
    broken = copied_migrations(tmp_path)
    for path in (broken / "versions").glob("*.py"):
        path.write_text("raise AssertionError")
    again = await Store.open(url, migrations=broken)
    assert await version(again) == before
    await again.close()


def test_a_migration_file_is_named_after_its_revision() -> None:
    """`upgrade` finds the newest one by name."""
    script = ScriptDirectory(str(MIGRATIONS))
    for revision in script.walk_revisions():
        assert Path(revision.path).name.startswith(f"v{revision.revision}_")
    assert script.get_current_head() == newest_revision()


async def test_an_older_database_is_upgraded_with_all_its_data(
    new_url: str, tmp_path: Path
) -> None:
    old = await Store.open(new_url)
    async with old.write() as tx:
        await key_values.set(tx, "kept", "since the first day")
    await old.close()
    new = await Store.open(new_url, migrations=later_migrations(tmp_path))
    assert await version(new) == "9999"
    async with new.read() as tx:
        row = await tx.row(text("SELECT key, value, later FROM key_values"))
    assert row is not None
    assert tuple(row) == ("kept", "since the first day", None)
    await new.close()


async def test_a_database_newer_than_the_program_is_refused_and_left_unchanged(
    new_url: str, tmp_path: Path
) -> None:
    later = later_migrations(tmp_path)
    await (await Store.open(new_url, migrations=later)).close()
    with pytest.raises(TooNew, match="newer version of the program"):
        await Store.open(new_url)
    new = await Store.open(new_url, migrations=later)
    assert await version(new) == "9999"
    await new.close()


async def test_a_program_works_with_tables_to_which_a_newer_one_has_only_added(
    new_url: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    """Otherwise a new version could not take over while the old one is running.

    Once there is a release, the old program is that of its tag: it seats, plays and ends matches on
    the tables of today. Before the first one it is this program, on the tables of a later day.
    """
    oldest = min(path.name[1:5] for path in (MIGRATIONS / "versions").glob("v*.py"))
    later = later_migrations(tmp_path, works_with=oldest)
    await (await Store.open(new_url, migrations=later)).close()
    release = last_release(pytestconfig.rootpath, tmp_path)
    if release is None:
        forked = await forking.start(
            [new_url], os.environ, forking.ROOT, entry="tests.data.old_program:main"
        )
        _, errors = await forked.communicate()
        assert forked.returncode == 0, errors.decode()
    else:
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, old_program.__file__, new_url],
            env=os.environ | {"PYTHONPATH": str(release)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    new = await Store.open(new_url, migrations=later)
    assert await version(new) == "9999"
    async with new.read() as tx:
        assert await tx.scalar(text("SELECT count(*) FROM matches WHERE finished_at IS NOT NULL"))
    await new.close()


async def test_a_program_refuses_tables_from_which_a_newer_one_has_removed_something(
    new_url: str, tmp_path: Path
) -> None:
    later = later_migrations(tmp_path, works_with="9998")
    await (await Store.open(new_url, migrations=later)).close()
    with pytest.raises(TooNew, match="newer version of the program"):
        await Store.open(new_url)


async def test_a_failed_migration_leaves_tables_and_revision_unchanged(
    new_url: str, tmp_path: Path
) -> None:
    old = await Store.open(new_url)
    before = await version(old)
    await old.close()
    failing = later_migrations(tmp_path, more='raise RuntimeError("in mid-migration")')
    with pytest.raises(RuntimeError, match="in mid-migration"):
        await Store.open(new_url, migrations=failing)
    db = await Store.open(new_url)
    assert await version(db) == before
    async with db.read() as tx:
        columns = (await tx.run_sync(described))["key_values"]["columns"]
    assert [column["name"] for column in columns] == ["key", "value"]
    await db.close()


async def test_processes_opening_a_new_database_at_once_all_succeed(
    new_url: str, tmp_path: Path
) -> None:
    now = tmp_path / "now"
    processes = [
        await forking.start(
            [new_url, str(now)], os.environ, forking.ROOT, entry="tests.data.programs:open_at_once"
        )
        for _ in range(2)
    ]
    for process in processes:
        assert await process.stdout.readline() == b"ready\n"
    now.touch()
    assert [await process.wait() for process in processes] == [0, 0]
    db = await Store.open(new_url)
    await version(db)
    await db.close()


async def test_every_sqlite_table_is_strict(new_sqlite_url: str) -> None:
    await (await Store.open(new_sqlite_url)).close()
    with closing(sqlite3.connect(make_url(new_sqlite_url).database or "")) as file:
        tables = file.execute("SELECT name, strict FROM pragma_table_list WHERE type = 'table'")
        strict = dict(tables)
    assert {name for name in strict if strict[name]} == set(TABLES)

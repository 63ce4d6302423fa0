# ruff: noqa: ASYNC230, ASYNC240 -- nothing else runs on the event loops of these tests
"""Backups are complete, restores keep the previous database, and neither shows a password."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from bot.app import CannotWork, backups, maintenance
from data.matches import boards, matches, outbox
from data.matches.boards import PostedMessage
from data.sql import key_values
from data.sql.errors import InUse, StoreError, TooNew, Unusable
from data.store import restoring
from data.store.process_lock import process_lock
from data.store.restoring import Traces
from data.store.store import Store
from tests.bot.conftest import Club
from tests.data.schema import expand
from tests.databases import value_of

pytestmark = pytest.mark.usefixtures("programs")


@pytest.fixture
async def played(url: str) -> AsyncIterator[Club]:
    """A club with two matches in progress."""
    store = await Store.open(url)
    club = Club(store)
    for _ in range(2):
        await club.start()
    yield club
    await store.close()


async def put(store: Store, key: str) -> None:
    """Write a value to find again."""
    async with store.write() as tx:
        await key_values.set(tx, key, "kept")


async def test_a_backup_taken_while_the_bot_runs_restores_everything(
    url: str, played: Club, tmp_path: Path
) -> None:
    file = tmp_path / "backup"
    async with process_lock(url):
        await put(played.store, "before")
        counts = await backups.write(url, file)
        await put(played.store, "after")
    assert counts["matches"] == 2
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.glob("backup*")] == ["backup"], "no partial file is left"
    await played.store.close()
    known, going_on = await maintenance.restore_database(url, file)
    assert known is not None
    assert going_on == 2
    assert await value_of(url, "before") == "kept"
    assert await value_of(url, "after") is None


async def test_a_backup_is_a_consistent_snapshot_of_a_busy_database(
    url: str, played: Club, tmp_path: Path
) -> None:
    busy = True

    async def write_pairs() -> None:
        number = 0
        while busy:
            async with played.store.write() as tx:
                for half in "ab":
                    await key_values.set(tx, f"pair {number} {half}", "kept")
            number += 1

    writing = asyncio.create_task(write_pairs())
    for number in range(2):
        await backups.write(url, tmp_path / f"backup{number}")
    busy = False
    await writing
    await played.store.close()
    for number in range(2):
        await maintenance.restore_database(url, tmp_path / f"backup{number}")
        store = await Store.open(url)
        async with store.read() as tx:
            kept = await key_values.beginning(tx, "pair ")
        await store.close()
        one, other = ({key[:-1] for key in kept if key.endswith(half)} for half in "ab")
        assert one == other


async def test_restoring_is_refused_while_a_bot_is_running(
    url: str, played: Club, tmp_path: Path
) -> None:
    await backups.write(url, tmp_path / "backup")
    await played.store.close()
    async with process_lock(url):
        with pytest.raises(InUse):
            await maintenance.restore_database(url, tmp_path / "backup")


async def test_restoring_is_refused_while_a_worker_is_connected(
    postgresql_url: str, tmp_path: Path
) -> None:
    store = await Store.open(postgresql_url)
    await backups.write(postgresql_url, tmp_path / "backup")
    await put(store, "here")
    with pytest.raises(InUse, match="Stop all gateways and workers"):
        await maintenance.restore_database(postgresql_url, tmp_path / "backup")
    async with store.read() as tx:
        assert await key_values.get(tx, "here") == "kept"
    await store.close()


async def test_a_backup_never_overwrites_another(url: str, played: Club, tmp_path: Path) -> None:
    (tmp_path / "backup").write_text("older")
    with pytest.raises(Unusable, match="replaces no other"):
        await backups.write(url, tmp_path / "backup")
    assert (tmp_path / "backup").read_text() == "older"


@pytest.mark.parametrize("damage", ["cut", "other"])
async def test_a_file_that_is_no_backup_changes_nothing(
    damage: str, url: str, played: Club, tmp_path: Path
) -> None:
    await put(played.store, "here")
    file = tmp_path / "backup"
    await backups.write(url, file)
    await played.store.close()
    if damage == "cut":
        os.truncate(file, file.stat().st_size // 2)
    else:
        file.write_text("a letter")
    with pytest.raises(StoreError):
        await maintenance.restore_database(url, file)
    assert await value_of(url, "here") == "kept"


async def test_a_damaged_database_is_not_backed_up(sqlite_url: str, tmp_path: Path) -> None:
    path = Path(make_url(sqlite_url).database or "")
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 8192)
    with pytest.raises(StoreError):
        await backups.write(sqlite_url, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


async def test_a_backup_of_a_newer_version_is_refused(sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    await backups.write(sqlite_url, file)
    with closing(sqlite3.connect(file)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.execute("DELETE FROM key_values WHERE key = 'oldest program'")
        database.commit()
    with pytest.raises(TooNew):
        await maintenance.restore_database(sqlite_url, file)


async def test_the_previous_database_is_kept(sqlite_url: str, tmp_path: Path) -> None:
    await backups.write(sqlite_url, tmp_path / "backup")
    store = await Store.open(sqlite_url)
    await put(store, "lost")
    # Data only in the database's log, as after a kill, is kept as well.
    path = Path(make_url(sqlite_url).database or "")
    for name in ("games.db", "games.db-wal", "games.db-shm"):
        shutil.copy(path.with_name(name), path.with_name(f"copy-{name}"))
    await store.close()
    for name in ("games.db", "games.db-wal", "games.db-shm"):
        path.with_name(f"copy-{name}").replace(path.with_name(name))
    await maintenance.restore_database(sqlite_url, tmp_path / "backup")
    (before,) = path.parent.glob("games.db.before-*")
    assert stat.S_IMODE(before.stat().st_mode) == 0o600
    assert await value_of(f"sqlite:///{before}", "lost") == "kept"
    assert await value_of(sqlite_url, "lost") is None


async def test_a_kill_while_restoring_leaves_the_old_or_the_new_database(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await backups.write(sqlite_url, tmp_path / "backup")

    def killed(_: Path) -> None:
        raise KeyboardInterrupt

    for step in ("_sync", "_keep"):
        with monkeypatch.context() as patched:
            patched.setattr(backups, step, killed)
            with pytest.raises(KeyboardInterrupt):
                backups._restore(tmp_path / "backup", Path(make_url(sqlite_url).database or ""))
        await value_of(sqlite_url, "any")


async def test_a_missing_pg_dump_is_reported_with_what_to_install(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unusable, match="pg_dump is not on the PATH"):
        await backups.write(postgresql_url, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


async def test_errors_of_pg_dump_are_shown_without_the_password(
    postgresql_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pg_dump").write_text('#!/bin/sh\necho "no $PGPASSWORD here: $*" >&2\nexit 1\n')
    (tmp_path / "pg_dump").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    secret = make_url(postgresql_url).set(password="hidden-word")
    with pytest.raises(Unusable) as error:
        await backups.write(secret.render_as_string(hide_password=False), tmp_path / "backup")
    assert "pg_dump fails: no … here" in str(error.value)
    assert str(error.value).count("…") == 1, "none of the arguments has it"
    assert "hidden-word" not in str(error.value)


async def test_no_number_is_reused(url: str, played: Club, tmp_path: Path) -> None:
    await backups.write(url, tmp_path / "backup")
    lost = [(await played.start()).match.id for _ in range(2)]
    await played.store.close()
    await maintenance.restore_database(url, tmp_path / "backup")
    store = await Store.open(url)
    club = Club(store, seeds=100)
    begun = (await club.start()).match.id
    assert begun > max(lost) + 900
    async with store.read() as tx:
        newest = await outbox.newest(tx)
    assert newest > 900
    await store.close()


async def test_no_number_is_reused_after_a_supported_rollback(
    url: str, played: Club, tmp_path: Path
) -> None:
    await played.store.close()
    await expand(url)
    await backups.write(url, tmp_path / "backup")
    store = await Store.open(url)
    lost = (await Club(store, seeds=50).start()).match.id
    await store.close()
    await maintenance.restore_database(url, tmp_path / "backup")
    store = await Store.open(url)
    assert (await Club(store, seeds=100).start()).match.id > lost + 900
    await store.close()


async def test_a_backup_that_is_not_there_is_said_to_be_missing(
    url: str, played: Club, tmp_path: Path
) -> None:
    await put(played.store, "here")
    await played.store.close()
    for file in (tmp_path / "gone", tmp_path):
        with pytest.raises(CannotWork, match=f"There is no file {file},"):
            await maintenance.restore_database(url, file)
    assert await value_of(url, "here") == "kept"


async def test_older_backups_skip_more_numbers(url: str, played: Club) -> None:
    now = datetime.now(UTC)
    async with played.store.write() as tx:
        await restoring.skip_numbers(tx, Traces(), now - timedelta(days=30), now)
    assert (await played.start()).match.id > 31_000


async def test_versions_of_open_matches_start_above_all_earlier_ones(
    url: str, played: Club, tmp_path: Path
) -> None:
    async with played.store.write() as tx:
        await boards.put(tx, PostedMessage(99, 2, 1, 3, live=True))
    for number in range(2):
        before = (await played.matches.position(1)).version
        await backups.write(url, tmp_path / f"backup{number}")
        await played.store.close()
        await maintenance.restore_database(url, tmp_path / f"backup{number}")
        played.store = await Store.open(url)
        played.forget()
        async with played.store.read() as tx:
            match = await matches.get(tx, 1)
            (stored,) = await boards.live(tx, 1)
        assert match is not None
        assert match.version > before + 5_000
        assert (await played.matches.position(1)).version == match.version
        assert stored.ply - match.restored == 3


@pytest.mark.parametrize("with_file", [True, False])
async def test_a_database_that_litestream_replicates_is_not_restored(
    sqlite_url: str, tmp_path: Path, *, with_file: bool
) -> None:
    file = tmp_path / "backup"
    await backups.write(sqlite_url, file)
    path = Path(make_url(sqlite_url).database or "")
    store = await Store.open(sqlite_url)
    await put(store, "here")
    await store.close()
    folder = path.with_name(f".{path.name}-litestream")
    folder.mkdir()
    with pytest.raises(InUse, match="Stop Litestream, remove"):
        await maintenance.restore_database(sqlite_url, file if with_file else None)
    assert await value_of(sqlite_url, "here") == "kept"
    folder.rmdir()
    await maintenance.restore_database(sqlite_url, file if with_file else None)


async def test_a_database_that_another_program_has_open_is_not_replaced(
    sqlite_url: str, tmp_path: Path
) -> None:
    """It would go on with a file that has no name any more."""
    await backups.write(sqlite_url, tmp_path / "backup")
    path = Path(make_url(sqlite_url).database or "")
    store = await Store.open(sqlite_url)
    await put(store, "here")
    await store.close()
    with closing(sqlite3.connect(path)) as other:
        other.execute("SELECT count(*) FROM key_values").fetchall()
        with pytest.raises(InUse, match="End it first"):
            await maintenance.restore_database(sqlite_url, tmp_path / "backup")
    assert await value_of(sqlite_url, "here") == "kept"
    assert not list(path.parent.glob("games.db.before-*"))
    await maintenance.restore_database(sqlite_url, tmp_path / "backup")
    assert await value_of(sqlite_url, "here") is None

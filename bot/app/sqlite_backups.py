"""Backups of a SQLite database, by SQLite's own online backup."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from data.sql.errors import TooNew, Unusable, translated
from data.store import sqlite
from data.store.inspection import file_of, inspect


async def write(url: str, file: Path) -> Mapping[str, int]:
    """Write a backup while the database is in use; return the number of rows of each table.

    Raises:
        Unusable: there is no database, or the backup differs from it.
        OSError: the file cannot be written.

    """
    with _readable():
        return await asyncio.to_thread(_write, _existing(url), file)


async def restore(url: str, file: Path) -> None:
    """Replace an unused database with a backup; the old one is kept beside it.

    Raises:
        Unusable: the file is not a backup.
        TooNew: a newer version of the program wrote it.
        OSError: it cannot be copied.

    """
    inspection = await inspect(f"sqlite:///{file.absolute()}")  # noqa: ASYNC240 -- touches no disk
    if inspection.revision is None:
        raise Unusable(f"{file} is no backup of this program.")
    if inspection.revision > inspection.newest:
        raise TooNew("A newer version of the program has written this backup. Update it first.")
    place = file_of(url)
    assert place is not None
    with _readable():
        await asyncio.to_thread(_restore, file, place)


@contextmanager
def _readable() -> Iterator[None]:
    """Raise the store's errors in place of SQLite's."""
    try:
        yield
    except sqlite3.Error as failure:
        raise translated(failure) or Unusable(f"SQLite fails: {failure}.") from failure


def _existing(url: str) -> Path:
    path = file_of(url)
    assert path is not None
    if not path.is_file():
        raise Unusable("There is no database yet, so there is nothing to back up.")
    return path


def _write(path: Path, file: Path) -> Mapping[str, int]:
    with new_file(file) as part, closing(_reading(path)) as source:
        # In one transaction, what is copied and what is counted are the same.
        source.execute("BEGIN")
        counts = _counts(source)
        _copy(source, part)
        if _checked(part) != counts:
            raise Unusable("The backup does not match the database. Try again.")
    return counts


def _restore(file: Path, place: Path) -> None:
    sqlite.make_private_folder(place.absolute())
    part = place.with_name(f"{place.name}.part")
    part.unlink(missing_ok=True)
    sqlite.make_private(part)
    try:
        with closing(_reading(file)) as source:
            source.execute("BEGIN")
            counts = _counts(source)
            _copy(source, part)
        if _checked(part) != counts:
            raise Unusable(f"{file} cannot be copied whole. Look at the disk.")
        _sync(part)
        if place.exists():
            _keep(place)
        part.replace(place)  # atomic, so there is always a database
        for beside in ("-wal", "-shm"):
            place.with_name(place.name + beside).unlink(missing_ok=True)
    finally:
        part.unlink(missing_ok=True)


def _keep(place: Path) -> None:
    """Keep the current database under another name, including what is only in its log."""
    try:
        with closing(sqlite3.connect(place)) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        pass  # it is broken, which may be why it is replaced
    kept = place.with_name(f"{place.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
    try:
        kept.hardlink_to(place)
    except OSError:  # some file systems have no links
        sqlite.make_private(kept)
        shutil.copyfile(place, kept)


@contextmanager
def new_file(file: Path) -> Iterator[Path]:
    """Yield a file readable only by its owner, which gets its name once it is complete.

    Raises:
        Unusable: a file of that name exists.

    """
    if file.exists():
        raise Unusable(f"{file} exists. A backup replaces no other: choose a new name.")
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    sqlite.make_private(part)
    try:
        yield part
        _sync(part)
        part.replace(file)
    finally:
        part.unlink(missing_ok=True)


def _reading(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30.0)
    connection.isolation_level = None
    return connection


def _copy(source: sqlite3.Connection, part: Path) -> None:
    with closing(sqlite3.connect(part)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE")  # a single file, without a log beside it


def _checked(path: Path) -> Mapping[str, int]:
    """Return the number of rows of each table in an intact file."""
    try:
        with closing(_reading(path)) as database:
            (verdict,) = database.execute("PRAGMA integrity_check(1)").fetchone()
            broken = database.execute("PRAGMA foreign_key_check").fetchone()
            counts = _counts(database)
    except sqlite3.Error as failure:
        raise Unusable(f"The copy cannot be read: {failure}.") from failure
    if verdict != "ok" or broken is not None:
        raise Unusable("The database is damaged. Restore an older backup.")
    return counts


def _counts(database: sqlite3.Connection) -> Mapping[str, int]:
    names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    return {
        name: int(database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0])  # noqa: S608 -- its own tables
        for (name,) in names.fetchall()
    }


def _sync(path: Path) -> None:
    for place in (path, path.absolute().parent):
        number = os.open(place, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)

"""Backups of a database: of SQLite by its own online backup, of PostgreSQL by pg_dump and pg_restore."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import NullPool

from data import locks
from data.sql.database import create_async_engine
from data.sql.errors import Busy, Full, InUse, TooNew, Unusable, translated, translating
from data.store import sqlite
from data.store.address import address, file_of, libpq_variables
from data.store.differences import known_tables
from data.store.inspection import Inspection, inspect
from data.store.upgrade import OLDEST_PROGRAM, newest_revision

_COPY: Final = re.compile(rb'COPY (?:"?\w+"?\.)?"?(\w+)"? ')
_MAX_LINE: Final = 64 * 1024 * 1024
_TIMEOUT: Final = 10.0
"""Seconds to connect: someone is waiting at a terminal."""
_OTHERS: Final = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND backend_type = 'client backend' AND pid <> pg_backend_pid() "
    "AND NOT EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = pg_stat_activity.pid "
    "AND locktype = 'advisory' AND (classid::bigint << 32) | objid::bigint = :lock)"
)
_TABLES: Final = text(
    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename"
)


async def write(url: str, file: Path) -> Mapping[str, int]:
    """Write a backup while the database is in use; return the number of rows of each table.

    Raises Unusable if there is no database, a program is missing or fails, or the backup differs,
    and OSError if the file cannot be written.
    """
    if file_of(url) is None:
        return await _write_postgresql(url, file)
    with _readable():
        return await asyncio.to_thread(_write, _existing(url), file)


def check_not_replicated(place: Path) -> None:
    """Refuse to restore a SQLite database that Litestream replicates; raises InUse.

    Litestream would add what changes in the restored database to its copy of the old one, and
    nobody could restore that copy. Its folder has had this name in all its versions.
    """
    folder = place.absolute().with_name(f".{place.name}-litestream")
    if folder.exists():
        raise InUse(
            f"Litestream replicates it, and its replica would be damaged. Stop Litestream, remove "
            f"{folder}, and restore again. Then give Litestream an empty replica."
        )


async def restore_sqlite(place: Path, file: Path) -> None:
    """Replace an unused database with a backup; the old one is kept beside it.

    Raises Unusable if the file is not a backup, InUse if a program has the database open, TooNew if
    a newer version of the program wrote the backup, and OSError if it cannot be copied.
    """
    _check_version(file, await inspect(f"sqlite:///{file.absolute()}"))  # noqa: ASYNC240 -- touches no disk
    with _readable():
        await asyncio.to_thread(_restore, file, place)


def _check_version(file: Path, inspection: Inspection) -> None:
    if inspection.revision is None:
        raise Unusable(f"{file} is no backup of this program.")
    if inspection.too_new:
        raise TooNew("A newer version of the program has written this backup. Update it first.")


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
        counts = _sqlite_counts(source)
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
            counts = _sqlite_counts(source)
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
            database.execute("PRAGMA journal_mode=DELETE")  # needs the file to itself
    except sqlite3.Error as failure:
        reason = translated(failure)
        if isinstance(reason, Busy):
            raise InUse("A program has it open, such as sqlite3. End it first.") from None
        if isinstance(reason, Full):
            raise reason from None
        # Otherwise it is broken, which may be why it is replaced.
    kept = place.with_name(f"{place.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S%f}")
    try:
        kept.hardlink_to(place)
    except OSError:  # some file systems have no links
        sqlite.make_private(kept)
        shutil.copyfile(place, kept)


@contextmanager
def new_file(file: Path) -> Iterator[Path]:
    """Yield a file readable only by its owner, which gets its name once it is complete.

    Raises Unusable if a file of that name exists.
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
            counts = _sqlite_counts(database)
    except sqlite3.Error as failure:
        raise Unusable(f"The copy cannot be read: {failure}.") from failure
    if verdict != "ok" or broken is not None:
        raise Unusable("The database is damaged. Restore an older backup.")
    return counts


def _sqlite_counts(database: sqlite3.Connection) -> Mapping[str, int]:
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


async def _write_postgresql(url: str, file: Path) -> Mapping[str, int]:
    parsed = address(url)
    with new_file(file) as part:
        async with _connected(parsed) as connection:
            await connection.execute(
                text("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            )
            # pg_dump sees the same moment as this transaction.
            moment = await connection.scalar(text("SELECT pg_export_snapshot()"))
            counts = await _postgresql_counts(connection)
            await _run(
                parsed,
                "pg_dump",
                *("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={moment}"),
                f"--file={part}",
            )
        if await _written(parsed, part) != {name: rows for name, rows in counts.items() if rows}:
            raise Unusable("The backup does not match the database. Try again.")
    return counts


async def restore_postgresql(url: str, file: Path) -> None:
    """Replace everything in a database with a backup, or leave it as it is.

    Tables that later versions have added go, too: the next upgrade could not make them again.

    Raises Unusable if the file is not a backup, or if psql or pg_restore is missing or fails, and
    TooNew if a newer version of the program wrote the backup.
    """
    parsed = address(url)
    await _written(parsed, file)  # checks that it can be read to its end
    _check_version(file, await _inspect_backup(parsed, file))
    drops = "".join(f'DROP TABLE "{name}" CASCADE;' for name in await own_tables(parsed))
    restoring = ("--clean", "--if-exists", "--no-owner", "--no-privileges", "--file=-", str(file))
    reading = ("--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--output={os.devnull}")
    async with (
        _program(parsed, "psql", *reading) as psql,
        aclosing(_lines(parsed, "pg_restore", *restoring)) as script,
    ):
        assert psql.stdin is not None
        psql.stdin.write(f"BEGIN; {drops}\n".encode())
        async for line in script:
            psql.stdin.write(line)
            await psql.stdin.drain()
        # Only a whole script gets here: where one ends without this, the server rolls it back.
        psql.stdin.write(b"COMMIT;\n")
        psql.stdin.close()


async def _inspect_backup(url: URL, file: Path) -> Inspection:
    tables = ("--table=alembic_version", "--table=key_values")
    revision = oldest = None
    async for line in _lines(url, "pg_restore", "--data-only", *tables, "--file=-", str(file)):
        name, _, value = line.decode().strip().partition("\t")
        if name.isdecimal():
            revision = name
        elif name == OLDEST_PROGRAM:
            oldest = value
    return Inspection("PostgreSQL", "", revision, newest_revision(), 0, oldest)


async def own_tables(url: URL) -> list[str]:
    """Return the tables of this version that are there; all, if a newer version has used them."""
    async with _connected(url) as connection:
        there = (await connection.scalars(_TABLES)).all()
        own = {*known_tables(), "alembic_version"}
        if "alembic_version" in there:
            revision = await connection.scalar(text("SELECT version_num FROM alembic_version"))
            if revision is not None and revision > newest_revision():
                return list(there)
    return [name for name in there if name in own]


async def other_connections(url: str) -> int:
    """Return the number of connections to a database, not counting this program's lock."""
    async with _connected(address(url)) as connection:
        return int(await connection.scalar(_OTHERS, {"lock": locks.PROGRAM}) or 0)


@asynccontextmanager
async def _connected(url: URL) -> AsyncIterator[AsyncConnection]:
    engine = create_async_engine(
        url,
        poolclass=NullPool,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        connect_args={"timeout": _TIMEOUT},
    )
    try:
        with translating():
            connection = await engine.connect()
        try:
            yield connection
        finally:
            await connection.close()
    except SQLAlchemyError as failure:
        raise translated(failure) or Unusable(
            "The database cannot be read. Look at the log of its server."
        ) from failure
    finally:
        await engine.dispose()


async def _postgresql_counts(connection: AsyncConnection) -> Mapping[str, int]:
    names = (await connection.scalars(_TABLES)).all()
    return {
        name: int(await connection.scalar(text(f'SELECT count(*) FROM "{name}"')) or 0)  # noqa: S608 -- its own tables
        for name in names
    }


async def _written(url: URL, file: Path) -> Mapping[str, int]:
    """Return the number of rows of each table in a backup, without empty ones."""
    counts: dict[str, int] = {}
    table = None
    async for line in _lines(url, "pg_restore", "--data-only", "--file=-", str(file)):
        if table is None:
            if found := _COPY.match(line):
                table = found[1].decode()
        elif line == b"\\.\n":
            table = None
        else:
            counts[table] = counts.get(table, 0) + 1
    return counts


async def _run(url: URL, program: str, *arguments: str) -> None:
    """Run a PostgreSQL program to its end."""
    async for _ in _lines(url, program, *arguments):
        pass


async def _lines(url: URL, program: str, *arguments: str) -> AsyncGenerator[bytes, None]:
    """Run a PostgreSQL program and yield its output. Raises Unusable if it is missing or fails."""
    async with _program(url, program, *arguments) as process:
        assert process.stdout is not None
        async for line in process.stdout:
            yield line


@asynccontextmanager
async def _program(url: URL, program: str, *arguments: str) -> AsyncIterator[Process]:
    """Run a PostgreSQL program while the block lasts, and wait for its end.

    Raises Unusable if it is missing or fails, and kills it if the block raises.
    """
    found = shutil.which(program)
    if found is None:
        raise Unusable(f"{program} is not on the PATH. Install the client programs of PostgreSQL.")
    with tempfile.TemporaryFile() as errors:
        process = await asyncio.create_subprocess_exec(
            found,
            *arguments,
            env=os.environ | libpq_variables(url),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            limit=_MAX_LINE,
        )
        try:
            with suppress(BrokenPipeError, ConnectionResetError):  # it says itself why it ended
                yield process
            status = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if status:
            errors.seek(0)
            reason = errors.read(1000).decode(errors="replace").strip().partition("\n")[0]
            if url.password:
                reason = reason.replace(str(url.password), "…")
            raise Unusable(f"{program} fails: {reason or status}")

"""Backups of a PostgreSQL database, by pg_dump and pg_restore."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import NullPool

from bot.app.sqlite_backups import new_file
from data import locks
from data.sql.database import create_async_engine
from data.sql.errors import Unusable, translating
from data.store.inspection import address

_COPY: Final = re.compile(rb'COPY (?:"?\w+"?\.)?"?(\w+)"? ')
_MAX_LINE: Final = 64 * 1024 * 1024
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

    Raises:
        Unusable: pg_dump is missing or fails, or the backup differs from the database.
        OSError: the file cannot be written.

    """
    parsed = address(url)
    with new_file(file) as part:
        async with _connected(parsed) as connection:
            await connection.execute(
                text("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            )
            # pg_dump sees the same moment as this transaction.
            moment = await connection.scalar(text("SELECT pg_export_snapshot()"))
            counts = await _counts(connection)
            await _run(
                parsed,
                "pg_dump",
                *("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={moment}"),
                f"--file={part}",
            )
        if await _written(parsed, part) != {name: rows for name, rows in counts.items() if rows}:
            raise Unusable("The backup does not match the database. Try again.")
    return counts


async def restore(url: str, file: Path) -> None:
    """Replace everything in a database with a backup, or leave it as it is.

    Raises:
        Unusable: pg_restore is missing or fails.

    """
    parsed = address(url)
    await _written(parsed, file)  # checks that it can be read to its end
    await _run(
        parsed,
        "pg_restore",
        *("--clean", "--if-exists", "--no-owner", "--no-privileges", "--single-transaction"),
        *("--exit-on-error", f"--dbname={parsed.database}", str(file)),
    )


async def others(url: str) -> int:
    """Return the number of connections to a database, not counting this program's lock."""
    with translating():
        async with _connected(address(url)) as connection:
            return int(await connection.scalar(_OTHERS, {"lock": locks.PROGRAM}) or 0)


@asynccontextmanager
async def _connected(url: URL) -> AsyncIterator[AsyncConnection]:
    engine = create_async_engine(
        url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True
    )
    try:
        async with engine.connect() as connection:
            yield connection
    except (SQLAlchemyError, OSError) as failure:
        raise Unusable("The database cannot be read. Look at the log of its server.") from failure
    finally:
        await engine.dispose()


async def _counts(connection: AsyncConnection) -> Mapping[str, int]:
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


async def _lines(url: URL, program: str, *arguments: str) -> AsyncIterator[bytes]:
    """Run a PostgreSQL program and yield its output.

    Raises:
        Unusable: it is missing or fails.

    """
    found = shutil.which(program)
    if found is None:
        raise Unusable(f"{program} is not on the PATH. Install the client programs of PostgreSQL.")
    connection = {
        "PGHOST": url.query.get("host") or url.host,
        "PGPORT": url.port,
        "PGUSER": url.username,
        "PGPASSWORD": url.password,  # not an argument: every user can see those
        "PGDATABASE": url.database,
    }
    given = {name: str(value) for name, value in connection.items() if value is not None}
    with tempfile.TemporaryFile() as errors:
        process = await asyncio.create_subprocess_exec(
            found,
            *arguments,
            env=os.environ | given,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            limit=_MAX_LINE,
        )
        assert process.stdout is not None
        async for line in process.stdout:
            yield line
        if await process.wait():
            errors.seek(0)
            reason = errors.read(1000).decode(errors="replace").strip().partition("\n")[0]
            if url.password:
                reason = reason.replace(str(url.password), "…")
            raise Unusable(f"{program} fails: {reason or process.returncode}")

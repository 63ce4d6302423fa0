"""Inspects a database without creating, migrating or changing it."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from data.sql.database import single_connection
from data.sql.errors import Unusable, translating
from data.store.address import address
from data.store.upgrade import OLDEST, newest_revision

_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class Inspection:
    """A database's kind, version and state."""

    kind: str
    """SQLite or PostgreSQL."""
    version: str
    revision: str | None
    """The revision of its tables; ``None`` if there are none yet."""
    newest: str
    """The newest revision this program knows."""
    size: int
    """In bytes."""
    oldest: str | None = None
    """The oldest revision whose programs can use newer tables, if older ones than theirs can."""
    ahead: float = 0.0
    """Seconds by which its machine's clock is ahead of ours."""
    read_only: bool = False

    @property
    def too_new(self) -> bool:
        """Whether a newer version of the program left tables that this one cannot use."""
        newer = self.revision is not None and self.revision > self.newest
        return newer and (self.oldest is None or self.oldest > self.newest)

    @property
    def usable(self) -> bool:
        """Whether this program can use the tables as they are."""
        return self.revision is not None and self.revision >= self.newest and not self.too_new


async def inspect(url: str) -> Inspection:
    """Inspect a database.

    Raises:
        Unusable: it cannot be reached.
    """
    parsed = address(url)
    newest = newest_revision()
    if parsed.get_backend_name() == "sqlite":
        return await asyncio.to_thread(_file, Path(parsed.database or ""), newest)
    engine = single_connection(parsed, _TIMEOUT)
    try:
        with translating():
            async with asyncio.timeout(_TIMEOUT), engine.connect() as connection:
                return await _server(connection, newest)
    except (SQLAlchemyError, OSError, TimeoutError, TypeError, ValueError):
        # Not chained: the driver's message may contain part of the address.
        raise Unusable("The database server cannot be reached.") from None
    finally:
        await engine.dispose()


def _file(path: Path, newest: str) -> Inspection:
    if not path.exists():
        return Inspection("SQLite", sqlite3.sqlite_version, None, newest, 0)
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            names = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
            row = oldest = None
            if "alembic_version" in names:
                row = database.execute("SELECT version_num FROM alembic_version").fetchone()
            if "key_values" in names:
                oldest = database.execute(OLDEST.text, OLDEST.compile().params).fetchone()
    except sqlite3.Error as failure:
        raise Unusable(f"The file of the database cannot be read: {failure}.") from None
    revision = None if row is None else str(row[0])
    return Inspection(
        kind="SQLite",
        version=sqlite3.sqlite_version,
        revision=revision,
        newest=newest,
        size=path.stat().st_size,
        oldest=None if oldest is None else str(oldest[0]),
    )


async def _server(connection: Any, newest: str) -> Inspection:
    revision = oldest = None
    if await connection.scalar(text("SELECT to_regclass('alembic_version') IS NOT NULL")):
        revision = await connection.scalar(text("SELECT version_num FROM alembic_version"))
    if await connection.scalar(text("SELECT to_regclass('key_values') IS NOT NULL")):
        oldest = await connection.scalar(OLDEST)
    there = await connection.scalar(text("SELECT clock_timestamp()"))
    assert isinstance(there, datetime)
    return Inspection(
        kind="PostgreSQL",
        version=str(await connection.scalar(text("SHOW server_version"))),
        revision=revision,
        newest=newest,
        oldest=oldest,
        size=int(await connection.scalar(text("SELECT pg_database_size(current_database())")) or 0),
        ahead=(there - datetime.now(UTC)).total_seconds(),
        read_only=bool(await connection.scalar(text("SELECT pg_is_in_recovery()"))),
    )

"""A PostgreSQL server's lock for one program, and the connection that holds it."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from sqlalchemy import URL, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import NullPool

from data.sql.async_engine import create_async_engine

KEY: Final = 0x7461626C616E01
"""This program's key for the lock on a PostgreSQL server; each database has its own."""
_TRY: Final = text("SELECT pg_try_advisory_lock(:key)")
_PID: Final = text("SELECT pg_backend_pid()")
_OTHERS: Final = text(
    "SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database "
    "WHERE datname = current_database() AND locktype = 'advisory' AND objsubid = 1 AND granted "
    "AND (classid::bigint << 32) | objid::bigint = :key AND pid NOT IN (:mine, pg_backend_pid())"
)
_ALIVE: Final = text("SELECT 1")
_EVERY: Final = 5.0
"""Seconds between checks of the connection, which may have been cut silently, and their timeout.

A closed connection is noticed at once.
"""


class ServerLock:
    """The lock on a server."""

    def __init__(self, url: URL) -> None:
        """Prepare a connection to a URL; `connect` opens it."""
        self._engine = create_async_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args={"timeout": _EVERY, "command_timeout": _EVERY},
        )
        self._connection: AsyncConnection | None = None
        self._pid = 0
        """The server process that held the lock."""
        self._closed = asyncio.Event()

    async def connect(self) -> None:
        """Reconnect; raises the errors of SQLAlchemy and the driver."""
        await self.close()
        closed = self._closed = asyncio.Event()
        self._connection = await self._engine.connect()
        raw = await self._connection.get_raw_connection()
        assert raw.driver_connection is not None
        raw.driver_connection.add_termination_listener(lambda _: closed.set())

    async def try_lock(self) -> bool:
        """Try to take the lock; return whether this connection has it."""
        assert self._connection is not None
        if not await self._connection.scalar(_TRY, {"key": KEY}):
            return False
        self._pid = await self._connection.scalar(_PID)
        return True

    async def reconnect(self) -> bool | None:
        """Reconnect and retake the lock.

        Returns:
            Whether that worked, ``None`` if it is not known yet: the server cannot be reached, or
            has not noticed that the previous connection is gone.
        """
        try:
            await self.connect()
            if await self.try_lock():
                return True
            assert self._connection is not None
            others = await self._connection.scalar(_OTHERS, {"key": KEY, "mine": self._pid})
        except (SQLAlchemyError, OSError, TimeoutError):
            return None
        return False if others else None

    async def broken(self) -> None:
        """Wait until the connection is lost."""
        while not self._closed.is_set():
            with suppress(TimeoutError):
                async with asyncio.timeout(_EVERY):
                    await self._closed.wait()
            if not await self._answers():
                return

    async def close(self) -> None:
        """Close the connection, which releases the lock."""
        if self._connection is not None:
            with suppress(SQLAlchemyError, OSError, TimeoutError):
                await self._connection.close()
            self._connection = None

    async def _answers(self) -> bool:
        assert self._connection is not None
        try:
            await self._connection.scalar(_ALIVE)
        except (SQLAlchemyError, OSError, TimeoutError):
            return False
        return True

"""The connections to a database, each held by one transaction at a time."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from data.driver_errors import BUSY
from data.errors import Busy
from data.shield import shielded

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncEngine

T = TypeVar("T")


class RunSync(Protocol):
    """Runs a function on a connection, as `AsyncConnection.run_sync` does, even when cancelled."""

    async def __call__(self, work: Callable[[Connection], T], /) -> T:
        """Return what the function returns."""


class Database:
    """Connections that write and connections that read, which may be the same ones."""

    def __init__(
        self,
        writing: AsyncEngine,
        reading: AsyncEngine,
        *,
        writers: asyncio.Semaphore,
        readers: asyncio.Semaphore,
        patience: float,
    ) -> None:
        """Use two engines, which connect when they are used.

        Args:
            writing: for transactions that write.
            reading: for those that only read.
            writers: how many connections there are to write.
            readers: how many there are to read.
            patience: seconds to wait for a connection; half a minute at least.

        """
        self.name = writing.dialect.name
        self._writing, self._reading = writing, reading
        self._writers, self._readers = writers, readers
        self._patience = max(patience, 30.0)

    @asynccontextmanager
    async def connect(self, *, writes: bool) -> AsyncIterator[RunSync]:
        """Hold a connection, given out in the order in which tasks ask for one.

        What is not committed in the end is rolled back. A task that is cancelled first waits for
        its statement: else the rollback might overtake it.

        Raises:
            Busy: none came free in time.

        """
        free = self._writers if writes else self._readers
        connection = (self._writing if writes else self._reading).connect()

        async def run(work: Callable[[Connection], T]) -> T:
            if connection.sync_connection is None:
                await connection.start()
            return await connection.run_sync(work)

        try:
            async with asyncio.timeout(self._patience):
                await free.acquire()
        except TimeoutError:
            raise Busy(BUSY) from None
        try:
            yield lambda work: shielded(run(work))
        finally:
            try:
                if connection.sync_connection is not None and not connection.closed:
                    await shielded(connection.run_sync(roll_back))
            finally:
                free.release()

    async def close(self) -> None:
        """Close every connection."""
        await self._reading.dispose()
        await self._writing.dispose()


def commit(connection: Connection) -> None:
    """Commit and close a connection."""
    try:
        connection.commit()
    except BaseException:
        # SQLite keeps open a transaction that it could not commit, and SQLAlchemy takes it for
        # ended. It is surely gone only with the connection.
        connection.invalidate()
        raise
    finally:
        connection.close()


def roll_back(connection: Connection) -> None:
    """Roll back and close a connection."""
    try:
        connection.rollback()
    except (SQLAlchemyError, OSError):
        connection.invalidate()  # then the database rolls back by itself
    finally:
        connection.close()

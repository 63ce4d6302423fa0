"""The connections to a database, each held by one transaction at a time."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from sqlalchemy.exc import SQLAlchemyError

from data.driver_errors import BUSY, translating
from data.errors import Busy
from data.shield import shielded

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from contextlib import AbstractContextManager

    from sqlalchemy import Connection

T = TypeVar("T")


class RunSync(Protocol):
    """Runs a function on a connection, as `AsyncConnection.run_sync` does, even when cancelled."""

    async def __call__(self, work: Callable[[Connection], T], /) -> T:
        """Return what the function returns."""


class Lease(Protocol):
    """A connection held for one transaction; the first work connects."""

    @property
    def connection(self) -> Connection | None:
        """SQLAlchemy's connection, once there is one."""

    async def run(self, work: Callable[[Connection], T], /) -> T:
        """Return what the function returns for the connection."""


class Database(ABC):
    """Connections that write and connections that read, which may be the same ones."""

    name: str
    """That of SQLAlchemy's dialect."""

    def __init__(
        self, *, writers: asyncio.Semaphore, readers: asyncio.Semaphore, patience: float
    ) -> None:
        """Say how many connections there are to write and to read.

        Args:
            writers: free connections for transactions that write.
            readers: free ones for those that only read.
            patience: seconds to wait for a connection; half a minute at least.

        """
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
        async with self._held(writes=writes) as lease:
            try:
                yield lambda work: shielded(lease.run(work))
            finally:
                if lease.connection is not None and not lease.connection.closed:
                    await shielded(lease.run(roll_back))

    async def whole(
        self,
        work: Callable[[RunSync], Coroutine[Any, Any, T]],
        *,
        writes: bool,
        durable: bool = True,
    ) -> T:
        """Do all the work of a transaction, its commit included, as one piece on a connection.

        Its coroutine never waits: each statement has been executed when its method is called. A
        task that is cancelled once it has begun is cancelled when it has ended.

        Raises:
            Busy: no connection came free in time.
            RuntimeError: the work awaits something else than its statements.

        """

        def piece(connection: Connection) -> T:
            async def run(statement: Callable[[Connection], Any]) -> Any:
                return statement(connection)

            try:
                return _driven(work(run))
            finally:
                if not connection.closed:
                    roll_back(connection)

        async with self._held(writes=writes, durable=durable) as lease:
            with translating():  # what fails before the first statement, too: the connection
                return await shielded(lease.run(piece))

    @asynccontextmanager
    async def _held(self, *, writes: bool, durable: bool = True) -> AsyncIterator[Lease]:
        free = self._writers if writes else self._readers
        try:
            async with asyncio.timeout(self._patience):
                await free.acquire()
        except TimeoutError:
            raise Busy(BUSY) from None
        try:
            with self._lease(writes=writes, durable=durable) as lease:
                yield lease
        finally:
            free.release()

    @abstractmethod
    def _lease(self, *, writes: bool, durable: bool) -> AbstractContextManager[Lease]:
        """Take a connection that is free."""

    def check_process(self) -> None:  # noqa: B027 -- a file has but one process
        """Refuse each new connection once this process is dismissed: the old ones are closed."""

    @abstractmethod
    async def close(self) -> None:
        """Close every connection."""


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


def _driven(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("a transaction in one piece can await nothing but its statements")

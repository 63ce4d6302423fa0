"""The connections to a database, each held by one transaction at a time."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractContextManager, asynccontextmanager
from typing import Any, Final, Protocol, TypeVar

from sqlalchemy import URL, Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from data.sql.errors import BUSY, Busy, translating

T = TypeVar("T")

STAYS_OPEN: Final = "stays_open"
"""The execution option of connections that stay open between transactions."""


def single_connection(url: URL, timeout: float, **settings: str) -> Any:
    """Return an `AsyncEngine` for connections that each statement commits, none of which is kept.

    They connect and answer within some seconds, or fail; ``settings`` are the server's.
    """
    return create_async_engine(
        url,
        poolclass=NullPool,
        isolation_level="AUTOCOMMIT",
        hide_parameters=True,
        connect_args={"timeout": timeout, "command_timeout": timeout, "server_settings": settings},
    )


class RunSync(Protocol):
    """Runs a function on a connection like `AsyncConnection.run_sync`, even when cancelled."""

    async def __call__(self, work: Callable[[Connection], T], /) -> T:
        """Return the function's result."""


class Lease(Protocol):
    """A connection held for one transaction; it connects when first used."""

    @property
    def connection(self) -> Connection | None:
        """SQLAlchemy's connection, once there is one."""

    async def run(self, work: Callable[[Connection], T], /) -> T:
        """Run a function with the connection and return its result.

        A task cancelled meanwhile is cancelled once the function has ended. Otherwise a rollback
        might overtake it.
        """


class Database(ABC):
    """Connections for writing and for reading, which may be the same."""

    name: str
    """The name of SQLAlchemy's dialect."""

    def __init__(
        self, *, writers: asyncio.Semaphore, readers: asyncio.Semaphore, max_wait: float
    ) -> None:
        """Set the free connections, and for how many seconds to wait for one, at least 30."""
        self._writers, self._readers = writers, readers
        self._max_wait = max(max_wait, 30.0)

    @asynccontextmanager
    async def connect(self, *, writes: bool) -> AsyncIterator[RunSync]:
        """Hold a connection, handed out in the order of requests.

        Anything not committed is rolled back at the end.

        Raises:
            Busy: none came free in time.
        """
        async with self._held(writes=writes) as lease:
            try:
                yield lease.run
            finally:
                if lease.connection is not None and lease.connection.in_transaction():
                    await lease.run(roll_back)

    async def whole(
        self,
        work: Callable[[RunSync], Coroutine[Any, Any, T]],
        *,
        writes: bool,
        durable: bool = True,
    ) -> T:
        """Run a whole transaction, its commit included, as one piece on a connection.

        Its coroutine never waits: each statement has run by the time its method is called. A task
        cancelled in the middle is cancelled at the end of the transaction.

        Raises:
            Busy: no connection came free in time.
            RuntimeError: the work awaits anything but its statements.
        """

        def piece(connection: Connection) -> T:
            async def run(statement: Callable[[Connection], Any]) -> Any:
                return statement(connection)

            try:
                return _driven(work(run))
            finally:
                if connection.in_transaction():
                    roll_back(connection)

        async with self._held(writes=writes, durable=durable) as lease:
            with translating():  # also failures before the first statement: connecting
                return await lease.run(piece)

    @asynccontextmanager
    async def _held(self, *, writes: bool, durable: bool = True) -> AsyncIterator[Lease]:
        free = self._writers if writes else self._readers
        if free.locked():
            try:
                async with asyncio.timeout(self._max_wait):
                    await free.acquire()
            except TimeoutError:
                raise Busy(BUSY) from None
        else:
            await free.acquire()  # at once: a timer would cost more
        try:
            with self._lease(writes=writes, durable=durable) as lease:
                yield lease
        finally:
            free.release()

    @abstractmethod
    def _lease(self, *, writes: bool, durable: bool) -> AbstractContextManager[Lease]:
        """Take a free connection."""

    def check_process(self) -> None:  # noqa: B027 -- a file has only one process
        """Refuse new connections once this process is dismissed; its old ones are closed."""

    @abstractmethod
    async def close(self) -> None:
        """Close every connection."""


def commit(connection: Connection) -> None:
    """Commit, and close a connection that does not stay open."""
    try:
        connection.commit()
    except BaseException:
        # SQLite keeps a transaction open that it could not commit, while SQLAlchemy regards it as
        # over. Only dropping the connection reliably ends it.
        connection.invalidate()
        raise
    finally:
        _put_back(connection)


def roll_back(connection: Connection) -> None:
    """Roll back, and close a connection that does not stay open."""
    try:
        connection.rollback()
    except (SQLAlchemyError, OSError):
        connection.invalidate()  # then the database rolls back on its own
    finally:
        _put_back(connection)


def _put_back(connection: Connection) -> None:
    if not connection.get_execution_options().get(STAYS_OPEN):
        connection.close()


def _driven(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends."""
    try:
        work.send(None)
    except StopIteration as done:
        result: T = done.value
        return result
    work.close()
    raise RuntimeError("a transaction in one piece can await nothing but its statements")


async def shielded(work: Awaitable[T]) -> T:
    """Await work to its end even when cancelled; only then raise the cancellation."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as request:
            cancelled = request
    if cancelled is not None:
        task.exception()  # the cancellation takes precedence
        raise cancelled
    return task.result()


def create_async_engine(url: URL, **options: Any) -> Any:
    """Return an `AsyncEngine`, as SQLAlchemy's function of the same name does.

    Its asyncio layer pulls in the ORM, which would take a tenth of the start-up time with SQLite,
    where nothing needs it.
    """
    from sqlalchemy.ext import asyncio  # noqa: PLC0415 -- see above

    return asyncio.create_async_engine(url, **options)

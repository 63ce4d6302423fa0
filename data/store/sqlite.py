"""How the store uses SQLite.

One connection writes and a few read, each in an aiosqlite thread. This process's writers queue for
the writing connection, so SQLite's own waiting, which polls, only involves other processes. In WAL
mode readers never wait, and see the database as it was when they began.

Each piece of work is one trip to the thread and runs there on SQLAlchemy's plain connection.
SQLAlchemy's asyncio layer would take three trips a statement, and a trip costs more than most
statements. So a whole transaction is one trip, where its work is available as a function.

Commits go to the log of WAL mode. A checkpoint, which copies the log into the database file, can
occupy the disk for half a second while writers queue; so a separate connection does that in the
background.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import aiosqlite
from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import SingletonThreadPool

from data.sql.database import STAYS_OPEN, Database, shielded
from data.sql.errors import Unusable

T = TypeVar("T")

READERS = 4
CHECKPOINT: Final = 200
"""Number of writing transactions between checkpoints."""
_LONGEST_LOG: Final = 20_000
"""Size of the log, in pages, at which a writer makes a checkpoint itself.

Then the background checkpoint came too late.
"""


class SQLite(Database):
    """The connections to a SQLite database."""

    name = "sqlite"

    def __init__(self, url: URL, max_wait: float) -> None:
        """Prepare the connections, which open on first use and wait some seconds for other processes.

        A missing file or folder is created, closed to other users.

        Raises:
            OSError: the folder cannot be created.
        """
        super().__init__(
            writers=asyncio.Semaphore(1), readers=asyncio.Semaphore(READERS), max_wait=max_wait
        )
        path = url.database or ""
        if not path.startswith("file:"):
            make_private_folder(Path(path).absolute())
        self._writing = _engine(
            url, max_wait, "journal_mode=WAL", f"wal_autocheckpoint={_LONGEST_LOG}"
        )
        self._reading = _engine(url, max_wait, "query_only=ON")
        self._checkpointer = _Thread(self._writing)
        self._checkpoint: asyncio.Task[None] | None = None
        self._written = 0
        """Number of writing transactions since the last checkpoint began."""
        self._free_writers = [_Thread(self._writing, "BEGIN IMMEDIATE")]
        self._free_readers = [_Thread(self._reading) for _ in range(READERS)]

    @contextmanager
    def _lease(self, *, writes: bool, durable: bool) -> Iterator[_Lease]:
        free = self._free_writers if writes else self._free_readers
        thread = free.pop()
        thread.durable = durable
        try:
            yield _Lease(thread)
        finally:
            free.append(thread)
            if writes:
                self._wrote()

    def _wrote(self) -> None:
        self._written += 1
        if self._written >= CHECKPOINT and (self._checkpoint is None or self._checkpoint.done()):
            self._written = 0
            self._checkpoint = asyncio.create_task(self._make_checkpoint(), name="checkpoint")

    async def _make_checkpoint(self) -> None:
        """Make a checkpoint while others read and write."""
        thread = self._checkpointer
        with suppress(sqlite3.Error, SQLAlchemyError):  # nothing is lost: the log just grows
            await thread.run(thread.execute, "PRAGMA wal_checkpoint(PASSIVE)")

    async def close(self) -> None:
        """Close every connection."""
        if self._checkpoint is not None:
            await asyncio.wait((self._checkpoint,))
        for thread in (*self._free_readers, *self._free_writers, self._checkpointer):
            await thread.close()
        self._reading.dispose()
        self._writing.dispose()


class _Lease:
    """A thread's connection, held for one transaction."""

    def __init__(self, thread: _Thread) -> None:
        self.connection: Connection | None = None
        self._thread = thread

    async def run(self, work: Callable[[Connection], T]) -> T:
        return await self._thread.run(copy_context().run, self._run, work)

    def _run(self, work: Callable[[Connection], T]) -> T:
        if self.connection is None:
            self.connection = self._thread.connect()
        return work(self.connection)


class _Thread:
    """The thread of an aiosqlite connection, which starts with its first work."""

    def __init__(self, engine: Engine, begin: str = "BEGIN") -> None:
        self.durable = True
        """Whether the next commit waits for the disk."""
        self._engine = engine
        self._begin = begin
        self._confirmed = True
        self._driver: _Connection | None = None
        self._connection: Connection | None = None

    def connect(self) -> Connection:
        """Begin a transaction; called in the thread."""
        connection = self._connection
        if connection is None or connection.invalidated:
            self._disconnect()
            connection = self._connection = self._engine.connect()
            self._confirmed = True
        # Not begun by an SQLAlchemy listener: any listener slows down every statement.
        connection.begin()
        driver: Any = connection.connection.dbapi_connection
        try:
            if self.durable is not self._confirmed:
                driver.execute(f"PRAGMA synchronous={'FULL' if self.durable else 'NORMAL'}")
                self._confirmed = self.durable
            driver.execute(self._begin)
        except BaseException:
            self._disconnect()
            raise
        return connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def execute(self, statement: str) -> None:
        """Execute a statement outside a transaction; called in the thread."""
        connection = self._engine.raw_connection()
        try:
            driver: Any = connection.driver_connection
            driver.execute(statement).fetchall()
        finally:
            connection.close()

    async def run(self, work: Callable[..., T], *arguments: Any) -> T:
        if self._driver is None:
            await shielded(self._open())
        assert self._driver is not None
        return await self._driver.run(partial(work, *arguments))

    async def _open(self) -> None:
        """Open the connection, and keep it even if the task that asked for it is cancelled."""
        driver = _Connection(self._connect)
        await driver.open()
        self._driver = driver

    def _connect(self) -> sqlite3.Connection:
        pooled = self._engine.raw_connection()  # the pool keeps one connection per thread
        try:
            return cast("sqlite3.Connection", pooled.driver_connection)
        finally:
            pooled.close()

    async def close(self) -> None:
        if self._driver is not None:
            await self._driver.run(self._disconnect)
            await self._driver.close()


class _Connection(aiosqlite.Connection):
    """Runs any function, even a whole transaction, in the connection's thread."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=1)
        self._stopped: asyncio.Future[Any] | None = None
        self._thread.daemon = True  # a program that forgets to close the store still exits

    async def open(self) -> None:
        try:
            await self
        except BaseException:
            if self._stopped is not None:
                await self._stopped  # otherwise its thread might answer a closed loop
            raise

    def stop(self) -> asyncio.Future[Any] | None:
        self._stopped = super().stop()
        return self._stopped

    def run(self, work: Callable[[], T]) -> asyncio.Future[T]:
        if not self._running:
            raise Unusable("The connection to the database has been closed.")
        outcome: Outcome[T] = Outcome()
        self._tx.put_nowait((outcome, work))
        return outcome


class Outcome(asyncio.Future[T]):
    """What work in a thread will return; a task that awaits it is cancelled only after that."""

    def cancel(self, msg: Any = None) -> bool:  # noqa: ARG002
        """Refuse, so that asyncio cancels the waiting task once the work is done."""
        return False


def _engine(url: URL, max_wait: float, *pragmas: str) -> Engine:
    engine = create_engine(
        url.set(drivername="sqlite"),
        connect_args={"timeout": max_wait, "isolation_level": None},  # BEGIN is executed explicitly
        poolclass=SingletonThreadPool,
        pool_size=READERS,
        pool_reset_on_return=None,  # a connection is returned after its transaction
        hide_parameters=True,
        # Taking one from the pool and giving it back takes as long as several statements.
        execution_options={STAYS_OPEN: True},
    )

    @event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _: Any) -> None:
        _keep_private(url.database or "")
        for setting in ("synchronous=FULL", "foreign_keys=ON", *pragmas):
            connection.execute(f"PRAGMA {setting}")

    return engine


def _keep_private(path: str) -> None:
    """Close a database's files to other users before anything is written to them."""
    if not path.startswith("file:"):
        make_private(Path(path).absolute())
        for beside in ("-wal", "-shm"):  # SQLite gives them the database's permissions
            close_to_others(Path(path + beside))


_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def make_private_folder(path: Path) -> None:
    """Create the folder of a file, and those above it, for their owner alone if they are missing.

    An existing folder keeps its permissions, as it may hold others' files.

    Raises:
        OSError: it cannot be created.
    """
    # Path.mkdir(parents=True) gives the mode to the last folder only.
    for folder in (*reversed(path.parent.parents), path.parent):
        folder.mkdir(mode=0o700, exist_ok=True)


def make_private(path: Path) -> None:
    """Create a file for its owner alone if it is missing; close an existing one to others."""
    with suppress(OSError):  # opening it later will say why
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    close_to_others(path)


def close_to_others(path: Path) -> None:
    """Remove all permissions on a file of ours from everyone but its owner, if it exists."""
    with suppress(OSError):
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & _OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)

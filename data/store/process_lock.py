"""One program at a time on a database: two bots with one token would both answer everything.

The lock is the system's on a file beside a SQLite database, or a PostgreSQL server's. It ends with
the program that holds it, even on a crash, so nothing stays locked. On a server it also ends with
its connection, which is therefore watched; see `Hold`.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

from sqlalchemy import URL, text
from sqlalchemy.exc import SQLAlchemyError

from data import locks
from data.sql.database import single_connection
from data.sql.errors import BUSY, Busy, InUse, Unusable, translating
from data.store import sqlite
from data.store.address import address

TryLock: TypeAlias = "Callable[[], Awaitable[bool]]"

log = logging.getLogger(__name__)

_IN_USE: Final = (
    "another program is already using it. Two bots would both answer, so stop the other one first."
)
_TAKEN: Final = (
    "another program took it over while the connection to the server was lost. Two bots would both "
    "answer, so this one stops: leave the other one running, or stop it and start this one again."
)
_PAUSE: Final = 0.1
"""Seconds between attempts."""


class Hold:
    """The lock while a program holds it; one on a server may be lost and is then retaken."""

    def __init__(self, max_wait: float) -> None:
        """Start as held; ``max_wait`` is how many seconds `confirm` waits if the lock is in doubt."""
        self._max_wait = max_wait
        self._settled = asyncio.Event()
        self._settled.set()
        self._lost = asyncio.Event()

    async def confirm(self) -> None:
        """Wait until this program certainly holds the lock; start nothing new before that.

        Raises:
            Busy: the server cannot be reached to find out.
            InUse: another program has the lock.
        """
        if not self._settled.is_set():
            try:
                async with asyncio.timeout(self._max_wait):
                    await self._settled.wait()
            except TimeoutError:
                raise Busy(BUSY) from None
        if self._lost.is_set():
            raise InUse(_TAKEN)

    async def lost(self) -> None:
        """Wait until another program has the lock, so that this one must stop."""
        await self._lost.wait()

    def doubt(self) -> None:
        """Record that the connection is gone, and perhaps the lock with it."""
        self._settled.clear()

    def settle(self, *, held: bool) -> None:
        """Record whether this program has the lock, or another."""
        if not held:
            self._lost.set()
        self._settled.set()


@asynccontextmanager
async def process_lock(url: str, *, max_wait: float = 5.0) -> AsyncIterator[Hold]:
    """Keep other programs off a database for the duration of the block.

    Args:
        url: as for ``Store.open``.
        max_wait: seconds to wait for another program: one that was just killed may still be
            ending, and a server takes a moment to notice that it is gone.

    Raises:
        InUse: another program has it.
        Unusable: there is no usable database at this address.
    """
    parsed = address(url)
    hold = Hold(max_wait)
    if parsed.get_backend_name() == "sqlite":
        async with _of_file(parsed) as try_lock:
            await _try_until(try_lock, max_wait)
            yield hold
        return
    server = ServerLock(parsed)
    try:
        with translating():
            await server.connect()
            await _try_until(server.try_lock, max_wait)
        watching = asyncio.create_task(_watch(server, hold), name="process lock")
        try:
            yield hold
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
    finally:
        await server.close()


async def _try_until(try_lock: TryLock, max_wait: float) -> None:
    for _ in range(1 + int(max_wait / _PAUSE)):
        if await try_lock():
            return
        await asyncio.sleep(_PAUSE)
    raise InUse(_IN_USE)


async def _retaken(server: ServerLock) -> bool:
    """Return whether this program has the lock again, rather than another, once that is known."""
    while True:
        await asyncio.sleep(_PAUSE)  # first, as a new connection may be lost at once, too
        held = await server.reconnect()
        if held is not None:
            return held


async def _watch(server: ServerLock, hold: Hold) -> None:
    """Retake the lock whenever its connection is lost, until another program has it."""
    while True:
        await server.broken()
        hold.doubt()
        log.warning("lost the connection that keeps other programs out, reconnecting")
        held = await _retaken(server)
        hold.settle(held=held)
        if not held:
            log.error("another program holds the database")
            return
        log.info("this program still holds the database")


@asynccontextmanager
async def _of_file(url: URL) -> AsyncIterator[TryLock]:
    with _opened(Path(f"{url.database}.lock")) as file:

        async def try_lock() -> bool:
            try:
                _lock(file)
            except OSError:
                return False
            return True

        yield try_lock


def _opened(path: Path) -> BinaryIO:
    try:
        sqlite.make_private_folder(path)
        sqlite.make_private(path)
        return path.open("ab")
    except OSError as failure:
        raise Unusable("The folder of the database cannot be written to.") from failure


def _lock(file: BinaryIO) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 -- only on Windows

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 -- not on Windows

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


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
        self._engine = single_connection(url, _EVERY)
        self._connection: Any = None
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
        if not await self._connection.scalar(_TRY, {"key": locks.PROGRAM}):
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
            others = await self._connection.scalar(
                _OTHERS, {"key": locks.PROGRAM, "mine": self._pid}
            )
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

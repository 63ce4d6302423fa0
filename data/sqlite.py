"""How the store uses SQLite.

One connection writes and a few read, each held by one transaction at a time. The writers of this
process queue for the writing connection in the order in which they came, so SQLite's own waiting,
which polls, only concerns other processes. In WAL mode readers wait for nobody and see the
database as it was when they began.

Statements run in threads. BEGIN goes with the first one, since a trip to a thread costs more than
most statements.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import create_engine, event

from data.driver_errors import BUSY
from data.errors import Busy
from data.shield import shielded
from data.transaction import roll_back

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import AsyncIterator, Callable

    from sqlalchemy import URL, Connection, Engine

    from data.transaction import RunSync

T = TypeVar("T")

READERS = 4


class SQLite:
    """The connections to a SQLite database."""

    name = "sqlite"

    def __init__(self, url: URL, patience: float) -> None:
        """Prepare the connections, which are opened when they are used.

        Args:
            url: of a file; its folder is made if there is none.
            patience: seconds to wait for another process, or for a connection.

        Raises:
            OSError: the folder cannot be made.

        """
        path = url.database or ""
        if not path.startswith("file:"):
            Path(path).absolute().parent.mkdir(parents=True, exist_ok=True)
        self._writing = _Pool(url, 1, patience, "BEGIN IMMEDIATE", "journal_mode=WAL")
        self._reading = _Pool(url, READERS, patience, "BEGIN", "query_only=ON")

    def connect(self, *, writes: bool) -> AbstractAsyncContextManager[RunSync]:
        """Hold a connection; what is not committed in the end is rolled back.

        Raises:
            Busy: none came free in time.

        """
        return (self._writing if writes else self._reading).connect()

    async def close(self) -> None:
        """Close every connection."""
        await self._reading.close()
        await self._writing.close()


class _Pool:
    """Connections and as many threads for them."""

    def __init__(self, url: URL, size: int, patience: float, begin: str, pragma: str) -> None:
        self._engine = _engine(url, size, patience, begin, pragma)
        self._free = asyncio.Semaphore(size)
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="sqlite")
        self._patience = max(patience, 30.0)

    @asynccontextmanager
    async def connect(self) -> AsyncIterator[RunSync]:
        connection: Connection | None = None

        def there(work: Callable[[Connection], T]) -> T:
            nonlocal connection
            if connection is None:
                connection = self._engine.connect()
            return work(connection)

        async def run(work: Callable[[Connection], T]) -> T:
            return await self._in_thread(there, work)

        try:
            async with asyncio.timeout(self._patience):
                await self._free.acquire()
        except TimeoutError:
            raise Busy(BUSY) from None
        try:
            try:
                yield run
            finally:
                if connection is not None and not connection.closed:
                    await run(roll_back)
        finally:
            self._free.release()

    async def close(self) -> None:
        await self._in_thread(self._engine.dispose)
        self._threads.shutdown()

    async def _in_thread(self, work: Callable[..., T], *arguments: Any) -> T:
        # A cancelled task waits for its thread, else its rollback might overtake its statement.
        loop = asyncio.get_running_loop()
        return await shielded(loop.run_in_executor(self._threads, work, *arguments))


def _engine(url: URL, size: int, patience: float, begin: str, pragma: str) -> Engine:
    engine = create_engine(
        url,
        connect_args={"timeout": patience, "isolation_level": None},  # we say BEGIN ourselves
        pool_size=size,
        max_overflow=0,
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _: Any) -> None:
        for setting in ("synchronous=FULL", "foreign_keys=ON", pragma):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def announce(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine

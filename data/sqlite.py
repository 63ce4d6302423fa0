"""How the store uses SQLite.

One connection writes and a few read, each held by one transaction at a time. Writers of this
process queue up for the writing connection in the order in which they came, so that SQLite's own
waiting, which polls, only concerns other processes. In WAL mode readers wait for nobody and see
the database as it was when they began.

aiosqlite sends every call of a cursor to a thread and back: open, execute, fetch, close. Here a
cursor does all of that in one journey, and BEGIN travels with the first statement, because the
journeys cost more than the statements. Statements whose results nobody needs (`LATER`) wait for
the next journey of their transaction, at the latest that of its COMMIT.
"""

from __future__ import annotations

import asyncio
import sqlite3
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import aiosqlite
from sqlalchemy import event
from sqlalchemy.ext.asyncio import create_async_engine

from data.immediate import carried_out
from data.transaction import LATER
from data.undisturbed import through

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Sequence
    from types import TracebackType

    from sqlalchemy import URL, Connection
    from sqlalchemy.engine import Dialect
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

    from data.follow_up import FollowUp
    from data.transaction import Transaction

T = TypeVar("T")

READERS = 4

_WRITING = "BEGIN IMMEDIATE"
_READING = "BEGIN"


class _Cursor:
    """A cursor that runs a statement and fetches its rows in one journey to the thread."""

    __slots__ = ("_connection", "_rows", "description", "lastrowid", "rowcount")

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection
        self._rows: Sequence[Any] = ()
        self.description: Any = None
        self.lastrowid: int | None = None
        self.rowcount = -1

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Leave nothing behind: the cursor of SQLite was closed when its rows were fetched."""

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> None:
        await self._connection.carry_out(lambda: self._execute(sql, parameters))

    async def executemany(self, sql: str, parameters: Iterable[Any]) -> None:
        await self._connection.carry_out(lambda: self._executemany(sql, parameters))

    async def fetchall(self) -> Sequence[Any]:
        rows, self._rows = self._rows, ()
        return rows

    async def close(self) -> None:
        self._rows = ()

    def _execute(self, sql: str, parameters: Iterable[Any]) -> None:
        self._keep(self._connection.begun().execute(sql, tuple(parameters)))

    def _executemany(self, sql: str, parameters: Iterable[Any]) -> None:
        self._keep(self._connection.begun().executemany(sql, parameters))

    def _keep(self, cursor: sqlite3.Cursor) -> None:
        self.description = cursor.description
        self._rows = cursor.fetchall() if cursor.description else ()
        self.lastrowid = cursor.lastrowid
        self.rowcount = cursor.rowcount
        cursor.close()


class _Connection(aiosqlite.Connection):
    """A connection of aiosqlite with the cursor above."""

    begin: str | None = None
    """How the next statement must begin its transaction, where one has been announced."""
    later = False
    """Whether the next statement may wait."""

    def __init__(self, connector: Callable[[], sqlite3.Connection], iter_chunk_size: int) -> None:
        super().__init__(connector, iter_chunk_size)
        self._waiting: list[Callable[[], None]] = []

    def stop(self) -> asyncio.Future[Any] | None:
        """Stop the thread, and remember when that is done."""
        self._stopped: asyncio.Future[Any] | None = super().stop()
        return self._stopped

    async def _connect(self) -> Self:
        """Open the database, or leave neither a connection nor a thread behind."""
        try:
            await through(super()._connect())
        except BaseException:
            if self._connection is not None:
                await through(self.close())
            elif self._stopped is not None:
                await through(asyncio.wait([self._stopped]))
            raise
        return self

    async def carry_out(self, statement: Callable[[], None]) -> None:
        """Carry out a statement and those that wait before it, or let it wait, too."""
        self._waiting.append(statement)
        if self.later:
            self.later = False
        else:
            await self._journey(self._catch_up)

    async def commit(self) -> None:
        """Carry out what waits and commit it."""
        await self._journey(self._commit)

    async def at_once(
        self,
        dialect: Dialect,
        begin: str,
        work: Callable[[Transaction], Coroutine[Any, Any, T]],
        follow_up: FollowUp,
    ) -> T:
        """Carry out a whole transaction in one journey."""
        done: T = await self._execute(  # type: ignore[no-untyped-call]
            lambda: carried_out(self._conn, dialect, begin, work, follow_up)
        )
        follow_up.run()
        return done

    async def rollback(self) -> None:
        """Forget what waits and take back the rest."""
        self._waiting.clear()
        self.later = False
        await super().rollback()

    def begun(self) -> sqlite3.Connection:
        """Return SQLite's connection, with the announced transaction begun. In its thread."""
        if self.begin is not None:
            self._conn.execute(self.begin)
            self.begin = None
        return self._conn

    def _catch_up(self) -> None:
        waiting, self._waiting = self._waiting, []
        for statement in waiting:
            statement()

    def _commit(self) -> None:
        self._catch_up()
        self._conn.commit()

    async def _journey(self, work: Callable[[], None]) -> None:
        """Do some work in the thread of this connection.

        It takes no arguments because aiosqlite writes those to its log.
        """
        await self._execute(work)  # type: ignore[no-untyped-call]

    def cursor(self) -> _Cursor:  # type: ignore[override]  # SQLAlchemy asks for no more than this
        return _Cursor(self)


async def at_once(
    connection: AsyncConnection,
    work: Callable[[Transaction], Coroutine[Any, Any, T]],
    follow_up: FollowUp,
    *,
    writes: bool,
) -> T:
    """Carry out a whole transaction on a connection that has none, in one journey."""
    begin = _WRITING if writes else _READING
    return await _driver(connection).at_once(connection.dialect, begin, work, follow_up)


def lost(connection: AsyncConnection) -> bool:
    """Tell whether a transaction could not even be taken back."""
    return _driver(connection).in_transaction


def _driver(connection: AsyncConnection) -> _Connection:
    assert connection.sync_connection is not None
    driver = connection.sync_connection.connection.driver_connection
    assert isinstance(driver, _Connection)
    return driver


def engines(url: URL, patience: float) -> tuple[AsyncEngine, AsyncEngine]:
    """Return the engine that writes and the one that reads.

    Args:
        url: of a file; its folder is made where there is none.
        patience: seconds to wait for another process, or for a connection to come free.

    Raises:
        OSError: the folder cannot be made.

    """
    path = url.database or ""
    if not path.startswith("file:"):
        Path(path).absolute().parent.mkdir(parents=True, exist_ok=True)

    def engine(connections: int, begin: str, *pragmas: str) -> AsyncEngine:
        settings = ("synchronous=FULL", "foreign_keys=ON", *pragmas)

        def opened(*arguments: Any, **options: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = sqlite3.connect(*arguments, **options)
            try:
                for setting in settings:
                    connection.execute(f"PRAGMA {setting}")
            except BaseException:
                connection.close()
                raise
            return connection

        def connect(*arguments: Any, **options: Any) -> _Connection:
            connection = _Connection(partial(opened, *arguments, **options), 64)
            # A connection that nobody closed must not keep the process from ending.
            connection._thread.daemon = True  # noqa: SLF001 -- what SQLAlchemy does to its own
            return connection

        made = create_async_engine(
            url,
            connect_args={
                "async_creator_fn": connect,
                "isolation_level": None,  # we say BEGIN ourselves
                "timeout": patience,
            },
            pool_size=connections,
            max_overflow=0,
            pool_timeout=max(patience, 30.0),
            pool_reset_on_return=None,  # data.store ends every transaction itself
            hide_parameters=True,
        )

        @event.listens_for(made.sync_engine, "begin")
        def announce(connection: Connection) -> None:
            driver = connection.connection.driver_connection
            assert isinstance(driver, _Connection)
            driver.begin = begin

        @event.listens_for(made.sync_engine, "before_cursor_execute")
        def put_off(connection: Connection, *statement: Any) -> None:
            *_, context, _many = statement
            if context.execution_options.get(LATER, False):
                driver = connection.connection.driver_connection
                assert isinstance(driver, _Connection)
                driver.later = True

        return made

    return (
        engine(1, _WRITING, "journal_mode=WAL"),
        engine(READERS, _READING, "query_only=ON"),
    )

"""The store: opens a database, brings it up to date and gives out transactions.

    db = await Store.open("sqlite+aiosqlite:///var/games.db")
    async with db.write() as tx:
        await matches.append(tx, match_id, entries)

A transaction holds a connection of its own from beginning to end. It commits when its block ends
and leaves nothing when the block is left by any exception, cancellation included. A commit that
is under way is never cut short: a task that is cancelled then is cancelled when it is through.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from data import postgresql, sqlite
from data.errors import Busy, Full, StoreError, TooNew, Unusable
from data.failures import translated
from data.follow_up import FollowUp, Listeners
from data.transaction import Transaction
from data.undisturbed import through
from data.upgrade import MIGRATIONS, upgrade

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
    from pathlib import Path

    from sqlalchemy import Connection
    from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

    from data.follow_up import Listener

T = TypeVar("T")

__all__ = ["Store", "StoreError", "TooNew", "Transaction", "Unusable"]

_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
_FORMS = (
    "It looks like sqlite+aiosqlite:///games.db"
    " or postgresql+asyncpg://user:password@host/database."
)


class Store:
    """An open database. Its ``repr`` and its errors never show a password."""

    def __init__(self, writing: AsyncEngine, reading: AsyncEngine) -> None:
        """Use ``open`` instead: it also migrates."""
        self._writing = writing
        self._reading = reading
        self._listeners = Listeners()
        self._under_way = 0
        self._closed = False
        self._idle = asyncio.Event()
        self._idle.set()

    @classmethod
    async def open(cls, url: str, *, patience: float = 5.0, migrations: Path = MIGRATIONS) -> Store:
        """Open a database, make it where there is none and bring its tables up to date.

        Args:
            url: ``sqlite+aiosqlite:///file.db`` or ``postgresql+asyncpg://user@host/name``.
            patience: seconds to wait for others who keep the database occupied.
            migrations: another folder of migrations, for tests.

        Raises:
            TooNew: a newer version of the program has written this database.
            Unusable: no database can be had from this address now.

        """
        store = cls(*_engines(address(url), patience))
        try:
            await _reach(store._writing)
            async with store._connection(store._writing) as connection:
                with _translating():
                    await connection.run_sync(upgrade, migrations)
        except BaseException as failure:
            await store.close()
            if isinstance(failure, Busy | Full):
                raise Unusable(failure.sentence) from failure
            raise
        return store

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        """Begin a transaction that may write, alone or beside others that touch other rows.

        Raises:
            Busy: others kept the database occupied for too long.
            Full: there is no room left on the disk.
            Unusable: the database broke or cannot be reached.

        """
        follow_up = FollowUp(self._listeners)
        async with self._connection(self._writing, follow_up) as connection:
            tx = Transaction(connection, follow_up)
            yield tx
            tx.check()

    async def at_once(self, work: Callable[[Transaction], Coroutine[Any, Any, T]]) -> T:
        """Carry out a transaction that may write, as short as can be, and return its result.

        With SQLite all of it is one journey to the thread of the database.

        Args:
            work: what is done in it. It awaits its transaction and nothing else, and touches
                nothing that the event loop uses: it may run in another thread.

        Raises:
            Busy: others kept the database occupied for too long.
            Full: there is no room left on the disk.
            Unusable: the database broke or cannot be reached.

        """
        return await self._at_once(work, writes=True)

    async def read_at_once(self, work: Callable[[Transaction], Coroutine[Any, Any, T]]) -> T:
        """Carry out a transaction that cannot write, as `at_once` does, and return its result.

        Raises:
            Busy: no connection came free in time.
            Unusable: the database broke or cannot be reached.

        """
        return await self._at_once(work, writes=False)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Transaction]:
        """Begin a transaction that sees the store as it is at one moment and cannot write.

        Raises:
            Busy: no connection came free in time.
            Unusable: the database broke or cannot be reached.

        """
        async with self._connection(self._reading) as connection:
            yield Transaction(connection, FollowUp(self._listeners))

    def listen(self, topic: str, listener: Listener) -> None:
        """Call a listener on the event loop after every commit that announces a topic.

        Args:
            topic: see `Transaction.announce`.
            listener: called once a commit for each number that was announced.

        """
        self._listeners.add(topic, listener)

    async def close(self) -> None:
        """Refuse new transactions, wait for those under way and close every connection."""
        self._closed = True
        await self._idle.wait()
        await self._reading.dispose()
        await self._writing.dispose()

    async def _at_once(
        self, work: Callable[[Transaction], Coroutine[Any, Any, T]], *, writes: bool
    ) -> T:
        engine = self._writing if writes else self._reading
        if engine.dialect.name != "sqlite":
            async with self.write() if writes else self.read() as tx:
                return await work(tx)
        with self._used(), _translating():
            connection = await engine.connect()
            try:
                follow_up = FollowUp(self._listeners)
                done = await through(sqlite.at_once(connection, work, follow_up, writes=writes))
            except BaseException:
                lost = sqlite.lost(connection)
                await through(_discard(connection) if lost else connection.close())
                raise
            await through(connection.close())
        return done

    @asynccontextmanager
    async def _connection(
        self, engine: AsyncEngine, follow_up: FollowUp | None = None
    ) -> AsyncIterator[AsyncConnection]:
        with self._used():
            async with _transaction(engine, follow_up) as connection:
                yield connection

    @contextmanager
    def _used(self) -> Iterator[None]:
        if self._closed:
            raise Unusable("The store has been closed.")
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()


@asynccontextmanager
async def _transaction(
    engine: AsyncEngine, follow_up: FollowUp | None
) -> AsyncIterator[AsyncConnection]:
    """Hold a connection for one transaction, whose end comes whatever happens."""
    with _translating():
        connection = await engine.connect()
    try:
        yield connection  # the first statement begins the transaction
    except BaseException:
        await through(_leave(connection))
        raise
    with _translating():
        await through(_commit(connection, follow_up))


@contextmanager
def _translating() -> Iterator[None]:
    try:
        yield
    except (SQLAlchemyError, OSError) as failure:
        error = translated(failure)
        if error is None:
            raise
        raise error from failure


async def _reach(engine: AsyncEngine) -> None:
    try:
        with _translating():
            connection = await engine.connect()
            await connection.close()
    except (TypeError, ValueError):
        # Not chained, as in `address`: the driver complains of a part of the address.
        raise Unusable(f"The address of the database cannot be used. {_FORMS}") from None


async def _commit(connection: AsyncConnection, follow_up: FollowUp | None) -> None:
    try:
        await connection.run_sync(_commit_and_close)
    except BaseException:
        # SQLite keeps a transaction open that it could not commit, and SQLAlchemy holds it for
        # ended: only without the connection is it surely gone.
        await _discard(connection)
        raise
    if follow_up is not None:
        follow_up.run()


def _commit_and_close(connection: Connection) -> None:
    connection.commit()
    connection.close()


async def _leave(connection: AsyncConnection) -> None:
    try:
        await connection.rollback()
    except (SQLAlchemyError, OSError):
        await _discard(connection)  # it cannot even roll back: the database does so by itself
    else:
        await connection.close()


async def _discard(connection: AsyncConnection) -> None:
    if not connection.closed:
        await connection.invalidate()
        await connection.close()


def address(url: str) -> URL:
    """Return the address of a database, checked.

    Raises:
        Unusable: it cannot be read; the error does not show it.

    """
    try:
        read = make_url(url)
        read = read.set(drivername=_DRIVERS[read.drivername])
    except (ArgumentError, KeyError, ValueError):
        # Not chained: what the address holds must not be shown, and it may hold a password.
        raise Unusable(f"The address of the database cannot be read. {_FORMS}") from None
    if read.get_backend_name() == "sqlite" and read.database in {None, "", ":memory:"}:
        raise Unusable(f"The address of the database names no file. {_FORMS}")
    return read


def _engines(url: URL, patience: float) -> tuple[AsyncEngine, AsyncEngine]:
    make = sqlite.engines if url.get_backend_name() == "sqlite" else postgresql.engines
    try:
        return make(url, patience)
    except OSError as failure:
        raise Unusable("The folder of the database cannot be made.") from failure
    except (SQLAlchemyError, TypeError, ValueError):
        raise Unusable(f"The address of the database cannot be used. {_FORMS}") from None

"""The store: opens a database, migrates it and provides transactions.

    db = await Store.open("sqlite:///var/games.db")
    async with db.write() as tx:
        await match_log.append(tx, match_id, entries)

Each transaction has its own connection. It commits when its block ends, and is rolled back when any
exception leaves the block, cancellation included. A commit in progress is never interrupted: a task
cancelled then is cancelled after it.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final, Protocol, TypeAlias, TypeVar

from sqlalchemy import URL, func, select
from sqlalchemy.exc import SQLAlchemyError
from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_delay, wait_fixed

from data.sql.database import Database, RunSync, shielded
from data.sql.errors import Away, BadAddress, Busy, Full, StoreError, TooNew, Unusable
from data.sql.statements import Scope
from data.sql.transaction import Transaction
from data.store.address import FORMS, address
from data.store.sqlite import SQLite
from data.store.upgrade import MIGRATIONS, upgrade

Listener: TypeAlias = Callable[[int], object]
Travels: TypeAlias = Callable[[Collection[tuple[str, int]]], bool]
Permission: TypeAlias = Callable[[], Awaitable[None]]


CHANNEL: Final = "games"
"""Where other processes hear of commits, on PostgreSQL."""
EVERYTHING: Final = "*"
"""Announces more than fits."""
MAX_BYTES: Final = 7_900
"""PostgreSQL's limit is 8,000."""


def announcement(process: str, announced: Iterable[tuple[str, int]]) -> str:
    """Return what announces topics and their numbers to other processes."""
    text = "\n".join((process, *(f"{topic}:{number}" for topic, number in announced)))
    return text if len(text) < MAX_BYTES else f"{process}\n{EVERYTHING}"


class Observer(Protocol):
    """A callback for completed transactions."""

    def __call__(self, seconds: float, /, *, writes: bool, failure: StoreError | None) -> object:
        """Called with the duration and kind of a transaction, and with why the store failed."""


T = TypeVar("T")

__all__ = ["Store", "StoreError", "TooNew", "Transaction", "Unusable"]


class Store:
    """An open database. Its ``repr`` and its errors never show a password."""

    def __init__(
        self, database: Database, permitted: Permission | None = None, process: str | None = None
    ) -> None:
        """Use ``open`` instead, which also migrates."""
        self._database = database
        self._permitted = permitted
        self.observer: Observer | None = None
        """Called at the end of each transaction with its duration in seconds, and with any error."""
        self.travels: Travels | None = None
        """Returns whether other processes need announcements; if ``None``, they get none."""
        self.scope: Callable[[], Scope | None] = lambda: None
        """Returns the shards of this process, to which transactions are limited."""
        self._process = process
        self._listeners: defaultdict[str, list[Listener]] = defaultdict(list)
        self._missed_checks: list[Callable[[], object]] = []
        self._under_way = 0
        self._closed = False
        self._idle = asyncio.Event()
        self._idle.set()

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        max_wait: float = 5.0,
        migrations: Path = MIGRATIONS,
        permitted: Permission | None = None,
        process: str | None = None,
    ) -> Store:
        """Open a database, create it if missing and migrate its tables.

        Args:
            url: ``sqlite:///file.db`` or ``postgresql://user@host/name``.
            max_wait: seconds to wait while others occupy the database.
            migrations: another folder of migrations, for tests.
            process: the id of this process among those that share a PostgreSQL database.
            permitted: returns when a transaction may begin, or raises a StoreError if none may.

        Raises:
            TooNew: a newer version of the program has written this database.
            Different: its tables are not those of this version of the program.
            BadAddress: the address is wrong, or its server refuses it.
            Away: it is out of reach or occupied, and may come back.
            Unusable: there is no usable database at this address.
        """
        store = cls(_database(address(url), max_wait, process), permitted, process)
        try:
            await store._reach(max_wait)
            async with store.write() as tx:
                await tx.run_sync(partial(upgrade, migrations=migrations))
        except BaseException as failure:
            await store.close()
            if isinstance(failure, Busy):
                raise Away(failure.sentence) from failure
            if isinstance(failure, Full):
                raise Unusable(failure.sentence) from failure
            raise
        return store

    def write(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a transaction that may write, concurrently with others that touch other rows.

        Raises:
            Busy: others occupied the database for too long.
            Full: there is no room left on the disk.
            Unusable: the database broke or cannot be reached.
        """
        return self._transaction(writes=True)

    def read(self) -> AbstractAsyncContextManager[Transaction]:
        """Begin a read-only transaction that sees the store at a single moment.

        Raises:
            Busy: no connection came free in time.
            Unusable: the database broke or cannot be reached.
        """
        return self._transaction(writes=False)

    async def run_write(
        self, work: Callable[[Transaction], Awaitable[T]], *, durable: bool = True
    ) -> T:
        """Run a transaction like `write`, to its end, and return the result of its work.

        It runs as one piece: on SQLite one trip to the connection's thread, on PostgreSQL one of
        SQLAlchemy's greenlets, many times cheaper than one per statement. So the work may await
        nothing but its statements, and must not touch anything the event loop may be using. A task
        cancelled in the middle is cancelled once everything is committed.

        Without ``durable``, SQLite commits without waiting for the disk: a failing machine may lose
        the transaction, a killed program does not. Use that for facts the program can find out
        again, such as which messages it has posted.
        """
        return await self._whole(work, writes=True, durable=durable)

    async def run_read(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run a transaction like `read` and return the result of its work; see `run_write`."""
        return await self._whole(work, writes=False)

    def listen(self, topic: str, listener: Listener) -> None:
        """Call a listener on the event loop after every commit that announces a topic.

        It is called once per commit with each number passed to `Transaction.announce`.
        """
        self._listeners[topic].append(listener)

    def listen_missed(self, check: Callable[[], object]) -> None:
        """Register a callback that checks for missed announcements of other processes.

        It is called after each reconnect and at regular intervals.
        """
        self._missed_checks.append(check)

    def notify(self, topic: str, number: int) -> None:
        """Call a topic's listeners, as another process has announced it."""
        for listener in self._listeners[topic]:
            _call(partial(listener, number))

    def check_missed(self) -> None:
        """Make all listeners check for missed announcements of other processes."""
        for check in self._missed_checks:
            _call(check)

    def check_process(self) -> None:
        """Refuse new connections to PostgreSQL once this process is dismissed there."""
        self._database.check_process()

    async def close(self) -> None:
        """Refuse new transactions, wait for those in progress and close every connection."""
        closed, self._closed = self._closed, True
        await self._idle.wait()
        if not closed:
            await self._database.close()

    async def _reach(self, max_wait: float) -> None:
        # When several processes create a SQLite database at once, some are refused without waiting.
        refused = AsyncRetrying(
            retry=retry_if_exception_type(Busy),
            stop=stop_after_delay(max_wait),
            wait=wait_fixed(0.1),
            reraise=True,
        )
        try:
            async for attempt in refused:
                with attempt:
                    async with self._connect(writes=True) as tx:
                        await tx.run_sync(lambda connection: connection.dialect)
        except (SQLAlchemyError, TypeError, ValueError):
            # Not chained, as in `address`: the driver's message contains part of the address.
            raise BadAddress(f"The address of the database cannot be used. {FORMS}") from None

    @asynccontextmanager
    async def _transaction(self, *, writes: bool) -> AsyncIterator[Transaction]:
        committed: list[Transaction] = []

        async def end(tx: Transaction) -> None:
            await self._commit(tx)
            committed.append(tx)

        try:
            async with self._connect(writes=writes) as tx:
                yield tx
                await shielded(end(tx))
        finally:  # also when the task was cancelled meanwhile
            for tx in committed:
                self._notify(tx)

    async def _whole(
        self, work: Callable[[Transaction], Awaitable[T]], *, writes: bool, durable: bool = True
    ) -> T:
        committed: list[Transaction] = []

        async def whole(run: RunSync) -> T:
            tx = Transaction(self._database.name, run, self.scope())
            done = await work(tx)
            await self._commit(tx)
            committed.append(tx)
            return done

        async with self._counted(writes=writes):
            try:
                return await self._database.whole(whole, writes=writes, durable=durable)
            finally:  # also when the task was cancelled meanwhile
                for tx in committed:
                    self._notify(tx)

    async def _commit(self, tx: Transaction) -> None:
        if self.travels is not None and tx.announced and self.travels(tx.announced):
            payload = announcement(self._process or "", tx.announced)
            await tx.scalar(select(func.pg_notify(CHANNEL, payload)))
        await tx.commit()

    def _notify(self, tx: Transaction) -> None:
        """Call the listeners; the commit stands even if they raise."""
        for topic, number in tx.announced:
            self.notify(topic, number)

    @asynccontextmanager
    async def _connect(self, *, writes: bool) -> AsyncIterator[Transaction]:
        """Hold a connection; anything not committed is rolled back at the end."""
        async with self._counted(writes=writes), self._database.connect(writes=writes) as run:
            yield Transaction(self._database.name, run, self.scope())

    @asynccontextmanager
    async def _counted(self, *, writes: bool) -> AsyncIterator[None]:
        """Refuse transactions that may not begin, and report the duration of the others."""
        if self._closed:
            raise Unusable("The store has been closed.")
        if self._permitted is not None:
            await self._permitted()
        self._under_way += 1
        self._idle.clear()
        began = time.perf_counter()
        failure: StoreError | None = None
        try:
            yield
        except StoreError as error:
            failure = error
            raise
        finally:
            if self.observer is not None:
                self.observer(time.perf_counter() - began, writes=writes, failure=failure)
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()


def _call(listener: Callable[[], object]) -> None:
    try:
        listener()
    except Exception as error:  # noqa: BLE001 -- the commit must not look like a failure
        asyncio.get_running_loop().call_exception_handler(
            {"message": "a callback after a commit failed", "exception": error}
        )


def _database(url: URL, max_wait: float, process: str | None) -> Database:
    try:
        if url.get_backend_name() == "sqlite":
            return SQLite(url, max_wait)
        # Its driver takes memory that a bot on SQLite does not need.
        from data.store.postgresql import PostgreSQL  # noqa: PLC0415

        return PostgreSQL(url, max_wait, process)
    except OSError as failure:
        raise Unusable("The folder of the database cannot be made.") from failure
    except (SQLAlchemyError, TypeError, ValueError):
        raise BadAddress(f"The address of the database cannot be used. {FORMS}") from None

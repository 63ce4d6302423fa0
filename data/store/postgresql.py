"""How the store uses PostgreSQL.

Writers run at READ COMMITTED; `data.locks` says what they lock, and in what order.
Readers run at REPEATABLE READ: they see a single moment.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from sqlalchemy import URL, Connection, Engine, event
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry
from sqlalchemy.util import greenlet_spawn

from data.cluster import lease
from data.sql.database import Database, create_async_engine, shielded
from data.sql.errors import InUse

T = TypeVar("T")

CONNECTIONS = 8
_REST: Final = 60.0
"""Seconds a connection may be idle; after that, something on the way may have dropped it."""


class PostgreSQL(Database):
    """The pool of a PostgreSQL database."""

    name = "postgresql"

    def __init__(self, url: URL, max_wait: float, process: str | None = None) -> None:
        """Create the pool, which connects on use.

        ``max_wait`` is how many seconds to wait for a connection, or for a row lock, ``process`` the id of
        this process in a cluster, see `data.cluster.lease`.
        """
        free = asyncio.Semaphore(CONNECTIONS)
        super().__init__(writers=free, readers=free, max_wait=max_wait)
        self._engine = create_async_engine(
            url,
            connect_args={
                "timeout": max(max_wait, 5.0),
                "server_settings": {
                    "application_name": "games" if process is None else lease.name(process),
                    "lock_timeout": str(max(1, int(max_wait * 1000))),
                    "idle_in_transaction_session_timeout": "60000",
                },
            },
            pool_size=CONNECTIONS,
            max_overflow=0,
            hide_parameters=True,
        )
        self._replace_closed()
        self._process = process
        self._reading = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    def _replace_closed(self) -> None:
        """Replace connections that the server has closed or that have been idle for too long.

        So a server restart is noticed before anything is lost. Asking the server each time
        (`pool_pre_ping`) would cost three more round trips a turn, and the driver itself knows the
        answer.
        """

        @event.listens_for(self._engine.sync_engine, "checkin")
        def rests(_: object, record: ConnectionPoolEntry) -> None:
            record.info["since"] = time.monotonic()

        @event.listens_for(self._engine.sync_engine, "checkout")
        def goes_on(_: object, record: ConnectionPoolEntry, __: object) -> None:
            driver: Any = record.driver_connection
            now = time.monotonic()
            if driver.is_closed() or now - record.info.get("since", now) > _REST:
                raise DisconnectionError

    def check_process(self) -> None:
        """Refuse new connections once this process is dismissed; its old ones are closed."""

        @event.listens_for(self._engine.sync_engine, "connect")
        def check(connection: Any, _: object) -> None:
            cursor = connection.cursor()
            cursor.execute("SELECT 1 FROM processes WHERE id = $1", (self._process,))
            known = cursor.fetchone()
            cursor.close()
            connection.rollback()
            if known is None:
                raise InUse(lease.GONE)

    @contextmanager
    def _lease(
        self,
        *,
        writes: bool,
        durable: bool,  # noqa: ARG002 -- would take another round trip
    ) -> Iterator[_Lease]:
        yield _Lease((self._engine if writes else self._reading).sync_engine)

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()


class _Lease:
    def __init__(self, engine: Engine) -> None:
        self.connection: Connection | None = None
        self._engine = engine

    async def run(self, work: Callable[[Connection], T]) -> T:
        return await shielded(greenlet_spawn(self._run, work))

    def _run(self, work: Callable[[Connection], T]) -> T:
        if self.connection is None:
            self.connection = self._engine.connect()
            self.connection.begin()  # SQLAlchemy does not see what goes straight to the driver
        return work(self.connection)

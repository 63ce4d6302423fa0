"""The one connection to PostgreSQL whose advisory locks show which shards a process owns."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from sqlalchemy import URL, text
from sqlalchemy.exc import SQLAlchemyError

from data import locks
from data.sql.database import shielded, single_connection
from data.sql.errors import BUSY, Busy, InUse, translating

log = logging.getLogger(__name__)

_ANSWER: Final = 3.0
"""Timeout of a statement, in seconds."""
_SHARED = text("SELECT pg_try_advisory_lock_shared(:key)")
_LOCK = text("SELECT pg_try_advisory_lock(:kind, :number)")
_UNLOCK = text("SELECT pg_advisory_unlock(:kind, :number)")
_END_OLD: Final = text(
    "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity JOIN pg_locks USING (pid) "
    "WHERE locktype = 'advisory' AND classid = CAST(:kind AS oid) "
    "AND objid = CAST(:number AS oid) AND application_name = :name AND pid <> pg_backend_pid()"
)
"""Closes the connection of a process that holds a shard's lock."""
_EXCLUSIVE: Final = "another program has it to itself. Wait until that has finished."


class LockingConnection:
    """A connection that one task at a time uses, and the shards it has locked.

    `connect` and everything that runs statements must be called while holding ``alone``, for which
    `using` is the usual way. The driver's errors pass through.
    """

    def __init__(self, url: URL, name: str) -> None:
        """Prepare the connection to a database, under a name that the server shows."""
        self.alone = asyncio.Lock()
        self._name = name
        self._engine = single_connection(url, _ANSWER, application_name=name)
        self._connection: Any = None
        self._locked: set[int] = set()

    @property
    def is_open(self) -> bool:
        """Whether the connection is open, as far as known."""
        return self._connection is not None

    @property
    def locked(self) -> frozenset[int]:
        """The shards it has locked."""
        return frozenset(self._locked)

    @asynccontextmanager
    async def using(self) -> AsyncIterator[None]:
        """Use the connection exclusively; raise the store's errors in place of the driver's."""
        async with self.alone:
            with translating():
                if self._connection is None:
                    raise Busy(BUSY)
                yield

    async def connect(self) -> None:
        """Open the connection.

        Raises:
            InUse: a program has the database to itself.
        """
        self._connection = await self._engine.connect()
        if not await self.scalar(_SHARED, key=locks.PROGRAM):
            await self.disconnect()
            raise InUse(_EXCLUSIVE)

    async def disconnect(self) -> None:
        """Close the connection; this releases all locks."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError, OSError, TimeoutError):
                await shielded(connection.close())

    async def close(self) -> None:
        """Close the connection for good."""
        await self.disconnect()
        await self._engine.dispose()

    async def lock_again(self) -> None:
        """Lock the same shards as before the connection was lost, as far as possible."""
        log.warning("lost the connection that holds the locks, reconnecting")
        for number in sorted(self._locked):
            if await self.scalar(_LOCK, kind=locks.SHARDS, number=number):
                continue
            # The server may not have noticed yet that the old connection is gone.
            await self.rows(_END_OLD, kind=locks.SHARDS, number=number, name=self._name)
            if not await self.scalar(_LOCK, kind=locks.SHARDS, number=number):
                self._locked.discard(number)

    async def lock(self, number: int) -> bool:
        """Lock a shard, only once: PostgreSQL counts a connection's locks."""
        if number not in self._locked and await self.scalar(
            _LOCK, kind=locks.SHARDS, number=number
        ):
            self._locked.add(number)
        return number in self._locked

    async def unlock(self, number: int) -> None:
        """Release a shard, if it is locked."""
        if number in self._locked:
            await self.scalar(_UNLOCK, kind=locks.SHARDS, number=number)
            self._locked.discard(number)

    async def run(self, statement: Any, **values: Any) -> int:
        """Run a statement; return the number of rows it affected."""
        met: int = (await self._executed(statement, values)).rowcount
        return met

    async def scalar(self, statement: Any, **values: Any) -> Any:
        """Run a statement; return its first value."""
        return (await self._executed(statement, values)).scalar()

    async def rows(self, statement: Any, **values: Any) -> Any:
        """Run a statement; return its rows."""
        return (await self._executed(statement, values)).all()

    async def _executed(self, statement: Any, values: dict[str, Any]) -> Any:
        assert self._connection is not None
        try:
            # A cancelled task waits for the answer, so the connection stays usable.
            return await shielded(self._connection.execute(statement, values))
        except (SQLAlchemyError, OSError, TimeoutError):
            await self.disconnect()
            raise

"""The connection to PostgreSQL that holds the locks of one process's shards.

Advisory locks belong to a connection and are lost with it. A new connection locks the same shards
again, except for those that others have locked meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from sqlalchemy import URL, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.pool import NullPool

from data.cluster.server_lock import KEY
from data.sql.async_engine import create_async_engine
from data.sql.driver_errors import BUSY, translating
from data.sql.errors import Busy, InUse
from data.sql.shield import shielded

log = logging.getLogger(__name__)

_ANSWER: Final = 3.0
"""Timeout of a statement, in seconds."""
_SHARDS: Final = 0x74616263
"""PostgreSQL's first key for shard locks; the second is the shard's number."""
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
        self._engine = create_async_engine(
            url,
            poolclass=NullPool,
            isolation_level="AUTOCOMMIT",
            hide_parameters=True,
            connect_args={
                "timeout": _ANSWER,
                "command_timeout": _ANSWER,
                "server_settings": {"application_name": name},
            },
        )
        self._connection: AsyncConnection | None = None
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
        if not await self.scalar(_SHARED, key=KEY):
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
            if await self.scalar(_LOCK, kind=_SHARDS, number=number):
                continue
            # The server may not have noticed yet that the old connection is gone.
            await self.rows(_END_OLD, kind=_SHARDS, number=number, name=self._name)
            if not await self.scalar(_LOCK, kind=_SHARDS, number=number):
                self._locked.discard(number)

    async def lock(self, number: int) -> bool:
        """Lock a shard, only once: PostgreSQL counts a connection's locks."""
        if number not in self._locked and await self.scalar(_LOCK, kind=_SHARDS, number=number):
            self._locked.add(number)
        return number in self._locked

    async def unlock(self, number: int) -> None:
        """Release a shard, if it is locked."""
        if number in self._locked:
            await self.scalar(_UNLOCK, kind=_SHARDS, number=number)
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

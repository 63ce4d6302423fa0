"""How the store uses PostgreSQL.

Writers run at READ COMMITTED and lock the row that they decide on, a match or a challenge, with
the statement that decides; a writer that waited for the lock sees what the other has done.
Readers run at REPEATABLE READ: they see a single moment.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sqlalchemy.ext.asyncio import create_async_engine

from data.driver_errors import translating
from data.shield import shielded
from data.transaction import roll_back

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy import URL

    from data.transaction import RunSync

CONNECTIONS = 8


class PostgreSQL:
    """The connections to a PostgreSQL database, shared by readers and writers."""

    name = "postgresql"

    def __init__(self, url: URL, patience: float) -> None:
        """Make the pool, which connects when it is used.

        Args:
            url: of a database.
            patience: seconds to wait for a connection, or for the lock of a row.

        """
        self._writing = create_async_engine(
            url,
            connect_args={
                "timeout": max(patience, 5.0),
                "server_settings": {
                    "application_name": "games",
                    "lock_timeout": str(max(1, int(patience * 1000))),
                    "idle_in_transaction_session_timeout": "60000",
                    # A plan for any page of a leaderboard is a bad one for each: it sorts all.
                    "plan_cache_mode": "force_custom_plan",
                },
            },
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=max(patience, 30.0),
            pool_pre_ping=True,  # a restart of the server is noticed before anything is lost
            hide_parameters=True,
        )
        self._reading = self._writing.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    @asynccontextmanager
    async def connect(self, *, writes: bool) -> AsyncIterator[RunSync]:
        """Hold a connection; what is not committed in the end is rolled back."""
        with translating():
            connection = await (self._writing if writes else self._reading).connect()
        try:
            yield connection.run_sync
        finally:
            if not connection.closed:
                await shielded(connection.run_sync(roll_back))

    async def close(self) -> None:
        """Close every connection."""
        await self._writing.dispose()

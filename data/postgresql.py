"""How the store uses PostgreSQL.

Writers run at READ COMMITTED and lock the row that they decide on, a match or a challenge, with
the statement that decides; a writer that waited for the lock sees what the other has done.
Readers run at REPEATABLE READ: they see a single moment.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy.ext.asyncio import create_async_engine

from data.database import Database

if TYPE_CHECKING:
    from sqlalchemy import URL

CONNECTIONS = 8


def database(url: URL, patience: float) -> Database:
    """Make the pool of a PostgreSQL database, which connects when it is used.

    Args:
        url: of a database.
        patience: seconds to wait for a connection, or for the lock of a row.

    """
    engine = create_async_engine(
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
        pool_pre_ping=True,  # a restart of the server is noticed before anything is lost
        hide_parameters=True,
    )
    free = asyncio.Semaphore(CONNECTIONS)
    return Database(
        engine,
        engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True),
        writers=free,
        readers=free,
        patience=patience,
    )

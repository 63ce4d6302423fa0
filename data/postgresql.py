"""How the store uses PostgreSQL.

Writers run at READ COMMITTED and take the lock of the row that they decide on, a match or a
challenge, with the statement that decides; who waited for that lock sees what the other has
done. Readers run at REPEATABLE READ: what they see is one moment.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy.ext.asyncio import create_async_engine

if TYPE_CHECKING:
    from sqlalchemy import URL
    from sqlalchemy.ext.asyncio import AsyncEngine

CONNECTIONS = 8


def engines(url: URL, patience: float) -> tuple[AsyncEngine, AsyncEngine]:
    """Return the engine that writes and the one that reads; they share their connections.

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
                # A plan for any page of a leaderboard is a bad one for each: it sorts everybody.
                "plan_cache_mode": "force_custom_plan",
            },
        },
        pool_size=CONNECTIONS,
        max_overflow=0,
        pool_timeout=max(patience, 30.0),
        pool_pre_ping=True,  # a server that was restarted is noticed before anything is lost
        hide_parameters=True,
    )
    reading = engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
    return engine, reading

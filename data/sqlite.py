"""How the store uses SQLite.

One connection writes and a few read, each in a thread of aiosqlite's. The writers of this process
queue for the writing connection, so SQLite's own waiting, which polls, only concerns other
processes. In WAL mode readers wait for nobody and see the database as it was when they began.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import create_async_engine

from data.database import Database

if TYPE_CHECKING:
    from sqlalchemy import URL, Connection
    from sqlalchemy.engine import AdaptedConnection
    from sqlalchemy.ext.asyncio import AsyncEngine

READERS = 4

# At DEBUG it logs every statement with its parameters, which may be secret.
logging.getLogger("aiosqlite").setLevel(logging.INFO)


def database(url: URL, patience: float) -> Database:
    """Prepare the connections to a SQLite database, which are opened when they are used.

    Args:
        url: of a file; its folder is made if there is none.
        patience: seconds to wait for another process, or for a connection.

    Raises:
        OSError: the folder cannot be made.

    """
    path = url.database or ""
    if not path.startswith("file:"):
        Path(path).absolute().parent.mkdir(parents=True, exist_ok=True)
    return Database(
        _engine(url, 1, patience, "BEGIN IMMEDIATE", "journal_mode=WAL"),
        _engine(url, READERS, patience, "BEGIN", "query_only=ON"),
        writers=asyncio.Semaphore(1),
        readers=asyncio.Semaphore(READERS),
        patience=patience,
    )


def _engine(url: URL, size: int, patience: float, begin: str, pragma: str) -> AsyncEngine:
    engine = create_async_engine(
        url,
        connect_args={"timeout": patience, "isolation_level": None},  # we say BEGIN ourselves
        pool_size=size,
        max_overflow=0,
        pool_reset_on_return=None,  # a connection returns when its transaction has ended
        hide_parameters=True,
    )

    # The driver executes these in one trip to its thread; a cursor of SQLAlchemy's takes three.

    @event.listens_for(engine.sync_engine, "connect")
    def configure(connection: AdaptedConnection, _: Any) -> None:
        settings = f"PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA {pragma}"
        try:
            connection.run_async(lambda driver: driver.executescript(settings))
        except BaseException:
            connection.run_async(lambda driver: driver.close())  # else its thread would stay
            raise

    @event.listens_for(engine.sync_engine, "begin")
    def announce(connection: Connection) -> None:
        adapted: Any = connection.connection.dbapi_connection
        adapted.run_async(lambda driver: driver.execute(begin))

    return engine

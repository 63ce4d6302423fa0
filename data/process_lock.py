"""One program at a time on a database: two bots with one token would both answer everything.

The lock is that of the system on a file beside a SQLite database, or that of a PostgreSQL server.
It goes with the program that holds it, however that ends, so nothing is ever left locked.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from data import private_files
from data.driver_errors import translating
from data.errors import InUse, Unusable
from data.store import address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from typing import BinaryIO, TypeAlias

    from sqlalchemy.engine import URL

    TryLock: TypeAlias = "Callable[[], Awaitable[bool]]"

_IN_USE: Final = (
    "another program works on it already. Two bots would both answer: stop the other one first."
)
_TRY: Final = text("SELECT pg_try_advisory_lock(:key)")
_KEY: Final = 0x7461626C616E01
"""This program's key for the lock on a PostgreSQL server; each database has its own."""
_PAUSE: Final = 0.1
"""Seconds between two attempts."""


@asynccontextmanager
async def process_lock(url: str, *, patience: float = 5.0) -> AsyncIterator[None]:
    """Keep other programs from a database while the block lasts.

    Args:
        url: as for ``Store.open``.
        patience: seconds to wait for another program: one that was killed a moment ago may still
            be ending, and a server takes a moment to notice that it is gone.

    Raises:
        InUse: another program has it.
        Unusable: no database can be had from this address now.

    """
    parsed = address(url)
    candidate = _of_file if parsed.get_backend_name() == "sqlite" else _of_server
    async with candidate(parsed) as try_lock:
        for _ in range(1 + int(patience / _PAUSE)):
            if await try_lock():
                break
            await asyncio.sleep(_PAUSE)
        else:
            raise InUse(_IN_USE)
        yield


@asynccontextmanager
async def _of_file(url: URL) -> AsyncIterator[TryLock]:
    with _opened(Path(f"{url.database}.lock")) as file:

        async def try_lock() -> bool:
            try:
                _lock(file)
            except OSError:
                return False
            return True

        yield try_lock


def _opened(path: Path) -> BinaryIO:
    try:
        private_files.make_folder(path)
        private_files.make(path)
        return path.open("ab")
    except OSError as failure:
        raise Unusable("The folder of the database cannot be written to.") from failure


def _lock(file: BinaryIO) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 -- only there

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 -- not there

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@asynccontextmanager
async def _of_server(url: URL) -> AsyncIterator[TryLock]:
    engine = create_async_engine(
        url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True
    )
    with translating():
        connection = await engine.connect()

    async def try_lock() -> bool:
        with translating():
            return bool(await connection.scalar(_TRY, {"key": _KEY}))

    try:
        yield try_lock
    finally:
        await connection.close()

"""One program at a time on a database: two bots with one token would both answer everything.

The lock is the system's own, of a file beside a SQLite database, or of the server for PostgreSQL:
it goes with the program that holds it, however that ends, so nothing is ever left locked.
"""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from data.errors import InUse, Unusable
from data.failures import translated
from data.store import address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import BinaryIO

    from sqlalchemy.engine import URL

_IN_USE: Final = (
    "another program works on it already. Two bots would both answer: stop the other one first."
)
_NUMBER: Final = 0x7461626C616E01
"""By which programs of this kind know the lock on a PostgreSQL server; each database has its own."""


@asynccontextmanager
async def sole_user(url: str) -> AsyncIterator[None]:
    """Keep other programs from a database while the block lasts.

    Args:
        url: as for ``Store.open``.

    Raises:
        InUse: another program has it.
        Unusable: no database can be had from this address now.

    """
    read = address(url)
    if read.get_backend_name() == "sqlite":
        with _file_lock(read):
            yield
    else:
        async with _server_lock(read):
            yield


@contextmanager
def _file_lock(url: URL) -> Iterator[None]:
    assert url.database is not None
    path = Path(f"{url.database}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("ab")
    except OSError as failure:
        raise Unusable("The folder of the database cannot be written to.") from failure
    with file:
        try:
            _lock(file)
        except OSError as failure:
            raise InUse(_IN_USE) from failure
        yield


def _lock(file: BinaryIO) -> None:
    if sys.platform == "win32":
        import msvcrt  # noqa: PLC0415 -- only there

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl  # noqa: PLC0415 -- not there

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@asynccontextmanager
async def _server_lock(url: URL) -> AsyncIterator[None]:
    engine = create_async_engine(
        url, poolclass=NullPool, isolation_level="AUTOCOMMIT", hide_parameters=True
    )
    try:
        try:
            connection = await engine.connect()
            row = await connection.execute(
                text("SELECT pg_try_advisory_lock(:number)"), {"number": _NUMBER}
            )
        except (SQLAlchemyError, OSError) as failure:
            raise translated(failure) or failure from failure
        try:
            if not row.scalar_one():
                raise InUse(_IN_USE)
            yield
        finally:
            await connection.close()
    finally:
        await engine.dispose()

"""Addresses of databases."""

from __future__ import annotations

from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from data.sql.errors import Unusable

_DRIVERS: Final = {
    "sqlite": "sqlite+aiosqlite",
    "sqlite+aiosqlite": "sqlite+aiosqlite",
    "postgres": "postgresql+asyncpg",
    "postgresql": "postgresql+asyncpg",
    "postgresql+asyncpg": "postgresql+asyncpg",
}
FORMS: Final = "It looks like sqlite:///games.db or postgresql://user:password@host/database."
"""What an address looks like."""


def address(url: str) -> URL:
    """Return a database's address, checked.

    Raises:
        Unusable: it cannot be parsed; the error does not show it.
    """
    try:
        read = make_url(url)
        read = read.set(drivername=_DRIVERS[read.drivername])
    except (ArgumentError, KeyError, ValueError):
        # Not chained: the address must not be shown, as it may contain a password.
        raise Unusable(f"The address of the database cannot be read. {FORMS}") from None
    if read.get_backend_name() == "sqlite" and read.database in {None, "", ":memory:"}:
        raise Unusable(f"The address of the database names no file. {FORMS}")
    return read

"""A gateway and the page's process beside each other on PostgreSQL, each of which is killed."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

import asyncpg  # type: ignore[import-untyped]

from data.store.store import Store
from tests.chaos.pages import PageWorld


class PostgresReader:
    """Reads a PostgreSQL database as SQLite's connections do, while the event loop stands still."""

    def __init__(self, url: str) -> None:
        """Connect."""
        self._thread = ThreadPoolExecutor(1)
        self._runner = asyncio.Runner()
        self._connection: Any = self._done(asyncpg.connect(url))
        self._found: list[Any] = []

    def _done(self, asked: Any) -> Any:
        return self._thread.submit(self._runner.run, asked).result()

    def execute(self, sql: str, values: Sequence[Any]) -> PostgresReader:
        """Run a statement with ``?`` for each value."""
        places = itertools.count(1)
        numbered = re.sub(r"\?", lambda _: f"${next(places)}", sql)
        self._found = [tuple(row) for row in self._done(self._connection.fetch(numbered, *values))]
        return self

    def fetchall(self) -> list[Any]:
        """Return the rows that the last statement has found."""
        return self._found

    def close(self) -> None:
        """Close the connection."""
        self._done(self._connection.close())
        self._thread.submit(self._runner.close).result()
        self._thread.shutdown()


class BesideWorld(PageWorld):
    """A playground, a gateway in one process and the page in another."""

    programs: ClassVar = ("gateway", "web")
    joins = "gateway"
    serves = "web"

    def __init__(self, folder: Path, *, database: str, **server: Any) -> None:
        """Play on a PostgreSQL database with all tables; for the rest see `PageWorld`."""
        super().__init__(folder, **server)
        self._database = database

    @property
    def url(self) -> str:
        """The database URL."""
        return self._database

    async def _new_database(self) -> Store:
        return await Store.open(self.url)

    def _reader(self) -> PostgresReader:
        return PostgresReader(self.url.replace("+asyncpg", ""))

    def instant(self, seconds: float) -> object:
        """Return a moment as the database compares it."""
        return datetime.fromtimestamp(seconds, UTC)

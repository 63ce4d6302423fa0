"""Commits that another process of the cluster has announced, told by PostgreSQL's LISTEN/NOTIFY.

A notification can be lost with its connection, so who listens also looks for itself: after each new
connection, and every now and then (`Store.listen_missed`).
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy import URL

    from data.store import Store

log = logging.getLogger(__name__)

CHANNEL: Final = "games"
LOOK_EVERY: Final = 20.0
"""Seconds after which everybody looks for what was not told."""
MAX_BYTES: Final = 7_900
"""PostgreSQL takes 8,000."""
_AGAIN: Final = 1.0
"""Seconds until a lost connection is made again."""
_EVERYTHING: Final = "*"


def written(process: str, announced: Iterable[tuple[str, int]]) -> str:
    """Return the payload that tells of topics and their numbers."""
    text = "\n".join((process, *(f"{topic}:{number}" for topic, number in announced)))
    return text if len(text) < MAX_BYTES else f"{process}\n{_EVERYTHING}"


class Notifications:
    """Tells a store what other processes have committed."""

    def __init__(self, store: Store, url: URL, process: str, *, every: float = LOOK_EVERY) -> None:
        """Listen at a server; leave out what this process has said itself."""
        self._store = store
        # Only now, like asyncpg below: they take memory that a bot on SQLite does not need.
        from sqlalchemy.dialects.postgresql.asyncpg import dialect  # noqa: PLC0415

        # As SQLAlchemy does for the store: `?ssl=require` and the like mean the same here.
        _, self._arguments = dialect().create_connect_args(url)  # type: ignore[no-untyped-call]
        self._process = process
        self._every = every
        self._tasks: list[asyncio.Task[None]] = []
        self.connected = asyncio.Event()
        """Set while notifications arrive."""

    def start(self) -> None:
        """Listen, in the background."""
        self._tasks = [
            asyncio.create_task(self._listen(), name="notifications"),
            asyncio.create_task(self._look(), name="looks-for-missed"),
        ]

    async def close(self) -> None:
        """Listen no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _look(self) -> None:
        """Let everybody look for what was missed, also while nothing can be heard."""
        while True:
            await asyncio.sleep(self._every)
            self._store.missed()

    async def _listen(self) -> None:
        import asyncpg  # type: ignore[import-untyped] # noqa: PLC0415

        while True:
            try:
                await self._listen_once()
            except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
                # Not the error itself: it may hold a part of the address.
                log.warning("notifications do not arrive now: %s", type(error).__name__)
            self.connected.clear()
            await asyncio.sleep(_AGAIN)

    async def _listen_once(self) -> None:
        import asyncpg  # noqa: PLC0415

        lost = asyncio.Event()
        # SQLAlchemy keeps some for itself, such as `prepared_statement_cache_size`.
        known = inspect.signature(asyncpg.connect).parameters
        arguments = {name: value for name, value in self._arguments.items() if name in known}
        arguments |= {"timeout": 10, "server_settings": {"application_name": "games listen"}}
        connection = await asyncpg.connect(**arguments)
        try:
            connection.add_termination_listener(lambda _: lost.set())
            await connection.add_listener(CHANNEL, self._heard)
            self.connected.set()
            self._store.missed()
            while not lost.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._every):
                        await lost.wait()
                await connection.execute("SELECT 1", timeout=10)
        finally:
            connection.terminate()

    def _heard(self, _: object, __: int, ___: str, payload: str) -> None:
        process, *told = payload.split("\n")  # topics may have spaces
        if process == self._process:
            return
        for one in told:
            if one == _EVERYTHING:
                self._store.missed()
                return
            topic, _colon, number = one.rpartition(":")
            self._store.hear(topic, int(number))

"""Commits announced by other processes of the cluster, through PostgreSQL's LISTEN/NOTIFY.

A notification can be lost with its connection, so listeners also check for themselves: after each
new connection, and at regular intervals (`Store.listen_missed`).
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import Final

from sqlalchemy import URL

from data.store.store import CHANNEL, EVERYTHING, Store

log = logging.getLogger(__name__)

CHECK_EVERY: Final = 20.0
"""Seconds between checks for missed notifications."""
_AGAIN: Final = 1.0
"""Seconds before a lost connection is reopened."""


class Notifications:
    """Passes on to a store what other processes have committed."""

    def __init__(self, store: Store, url: URL, process: str, *, every: float = CHECK_EVERY) -> None:
        """Listen to a server, ignoring this process's own notifications."""
        self._store = store
        # Imported here, like asyncpg below, to save memory for a bot on SQLite.
        from sqlalchemy.dialects.postgresql.asyncpg import dialect  # noqa: PLC0415

        # As SQLAlchemy does for the store, so `sslmode` and the like mean the same here.
        _, self._arguments = dialect().create_connect_args(url)  # type: ignore[no-untyped-call]
        self._process = process
        self._every = every
        self._tasks: list[asyncio.Task[None]] = []
        self.connected = asyncio.Event()
        """Set while notifications are arriving."""

    def start(self) -> None:
        """Start listening in the background."""
        self._tasks = [
            asyncio.create_task(self._listen(), name="notifications"),
            asyncio.create_task(self._check_missed(), name="looks-for-missed"),
        ]

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _check_missed(self) -> None:
        """Trigger checks for missed notifications, also while disconnected."""
        while True:
            await asyncio.sleep(self._every)
            self._store.check_missed()

    async def _listen(self) -> None:
        import asyncpg  # type: ignore[import-untyped] # noqa: PLC0415

        while True:
            try:
                await self._listen_once()
            except (
                asyncpg.PostgresError,
                asyncpg.InterfaceError,
                asyncpg.InternalClientError,  # no host has the target_session_attrs
                OSError,
            ) as error:
                # Not the error itself, which may contain part of the address.
                log.warning("notifications are not arriving: %s", type(error).__name__)
            self.connected.clear()
            await asyncio.sleep(_AGAIN)

    async def _listen_once(self) -> None:
        import asyncpg  # noqa: PLC0415

        lost = asyncio.Event()
        connection = await asyncpg.connect(
            **self._arguments, timeout=10, server_settings={"application_name": "games listen"}
        )
        try:
            connection.add_termination_listener(lambda _: lost.set())
            await connection.add_listener(CHANNEL, self._received)
            self.connected.set()
            self._store.check_missed()
            while not lost.is_set():
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._every):
                        await lost.wait()
                await connection.execute("SELECT 1", timeout=10)
        finally:
            connection.terminate()

    def _received(self, _: object, __: int, ___: str, payload: str) -> None:
        process, *item = payload.split("\n")  # topics may contain spaces
        if process == self._process:
            return
        for one in item:
            if one == EVERYTHING:
                self._store.check_missed()
                return
            topic, _colon, number = one.rpartition(":")
            self._store.notify(topic, int(number))

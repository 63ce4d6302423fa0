"""Looks every few seconds for what other processes have committed.

A commit wakes whoever listens in its own process, and others may be told at once; but whatever tells
them can be lost, so a process that is one of several also looks for itself.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import structlog

from data import outbox
from data.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.shards.ownership import Shards
    from data.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_EVERY: Final = 2.0
"""Seconds between two looks at new jobs."""
_MOMENTS: Final = 5
"""With each so many looks, the moments at which something comes up are read again."""
_LATE: Final = 500
"""A job may be committed after so many others that were numbered after it."""


class Polling:
    """Wakes the parts of this process for what other processes have committed."""

    def __init__(
        self,
        store: Store,
        shards: Shards,
        *,
        wake_match: Callable[[int], None],
        wake_scheduler: Callable[[], None],
        every: float = _EVERY,
    ) -> None:
        """Look at the outbox of a store, as far as its matches are this process's."""
        self._store = store
        self._shards = shards
        self._wake_match = wake_match
        self._wake_scheduler = wake_scheduler
        self._every = every
        self._known: set[int] = set()
        self._last = 0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, where this process is one of several."""
        if self._task is None and self._shards.scope is not None:
            self._task = asyncio.create_task(self._run(), name="polling")

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def look(self) -> None:
        """Wake whoever delivers the jobs that are new here."""
        async with self._store.read() as tx:
            if not self._last:  # what is older was delivered or begun at the start
                self._last = await outbox.newest(tx)
            found = await outbox.newer(tx, self._last - _LATE, scope=self._shards.scope)
        new = {number: match_id for number, match_id in found if number not in self._known}
        self._last = max(self._last, max(new, default=0))
        self._known = {one for one in self._known | new.keys() if one > self._last - _LATE}
        for match_id in dict.fromkeys(new.values()):
            self._wake_match(match_id)

    async def _run(self) -> None:
        looks = 0
        while True:
            await asyncio.sleep(self._every)
            looks += 1
            try:
                await self.look()
            except StoreError as error:
                log.warning("other processes' commits are not seen now", why=str(error))
            if looks % _MOMENTS == 0:
                self._wake_scheduler()

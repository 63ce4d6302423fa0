"""The store, with a moment before and after each commit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from data.sql.transaction import Transaction
from data.store.store import Store

T = TypeVar("T")


class WatchedStore(Store):
    """A store that can be cut off at any moment, like a machine losing power."""

    dead = False
    """Whether the database can no longer be reached."""
    moment: Callable[[str], bool] | None = None
    """Called at each moment before and after a commit; true if the program dies there."""
    latency: Callable[[], float] | None = None
    """Returns the seconds that a commit takes."""

    async def _committed(self) -> None:
        if self.latency is not None:
            await asyncio.sleep(self.latency())
        self._passes("after commit")

    def _passes(self, moment: str) -> None:
        if self.dead or (self.moment is not None and self.moment(moment)):
            raise asyncio.CancelledError

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        """Begin a transaction that may write."""
        if self.dead:
            raise asyncio.CancelledError
        async with super().write() as tx:
            yield tx
            self._passes("before commit")
        await self._committed()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[Transaction]:
        """Begin a read-only transaction."""
        if self.dead:
            raise asyncio.CancelledError
        async with super().read() as tx:
            yield tx

    async def run_write(
        self, work: Callable[[Transaction], Awaitable[T]], *, durable: bool = True
    ) -> T:
        """Run a read-write transaction to its end."""
        self._passes("before commit")
        done = await super().run_write(work, durable=durable)
        await self._committed()
        return done

    async def run_read(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run a read-only transaction."""
        if self.dead:
            raise asyncio.CancelledError
        return await super().run_read(work)

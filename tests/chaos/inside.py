"""The bot in this very process, on its loop's clock, so that it can die at an exact moment."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from contextvars import Context, ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar
from weakref import WeakSet

from discord.gateway import KeepAliveHandler

from bot.app.app import App
from bot.core.interactions.dispatch import Dispatcher
from bot.core.interactions.reply import ACKNOWLEDGE_AFTER
from bot.play.pictures.rendering import Renderer
from data.sql.database import shielded
from data.sql.transaction import Transaction
from data.store.store import Store
from tests.chaos.world import World
from tests.clocks import HandClock

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


@dataclass(eq=False)
class _Life:
    """The tasks begun in one run of the bot."""

    tasks: WeakSet[asyncio.Task[Any]] = field(default_factory=WeakSet)
    over: bool = False


_LIFE: ContextVar[_Life | None] = ContextVar("_LIFE", default=None)


def _task(
    loop: asyncio.AbstractEventLoop,
    work: Coroutine[Any, Any, Any],
    *,
    context: Context | None = None,
) -> asyncio.Task[Any]:
    """Make a task and record the run it belongs to; a dead bot starts none."""
    task: asyncio.Task[Any] = asyncio.Task(work, loop=loop, context=context)
    life = _LIFE.get()
    if life is not None and not _in_database():
        life.tasks.add(task)
        if life.over:
            task.cancel()
    return task


def _in_database() -> bool:
    """Return whether a task was made by `data.sql.database.shielded` and so must not be cancelled.

    Its work is up to the database, which does all of it or none.
    """
    frame: FrameType | None = sys._getframe(1)
    for _ in range(6):
        if frame is not None and frame.f_code is shielded.__code__:
            return True
        frame = None if frame is None else frame.f_back
    return False


class InsideWorld(World):
    """A playground with the bot in the same process."""

    def __init__(self, folder: Path, renderer: Renderer, **server: Any) -> None:
        """Paint with a renderer; for the rest see `World`."""
        super().__init__(folder, **server)
        self._renderer = renderer
        self._life = _Life()
        self._running: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the bot."""
        asyncio.get_running_loop().set_task_factory(_task)  # type: ignore[arg-type] # No generators.
        self._life = life = _Life()
        _LIFE.set(life)
        try:
            store = await WatchedStore.open(self.url)
            assert isinstance(store, WatchedStore)
            self.store = store
            store.moment = self.moment
            store.latency = self.network.latency
            self.app = App(store, self._renderer, clock=HandClock(self.clock))
            self.bot = self.app.client
            # Heartbeats are sent by a thread, on the machine's clock.
            self.bot._connection.heartbeat_timeout = 1e9
            self._running = asyncio.create_task(self.app.run(self.playground.token), name="bot")
        finally:
            _LIFE.set(None)

    async def until_ready(self) -> None:
        """Wait until the bot receives interactions, or has died first."""
        gateway = self.playground.gateway
        while not self.dead and not (gateway.connected and self.bot.is_ready()):
            await self.rest(0.01)

    async def stop(self) -> None:
        """Stop the bot gracefully."""
        if self._running is not None:
            await self.app.close()
            await self._running
            await self.store.close()

    def impatient(self, *, now: bool) -> None:
        """Set whether the bot acknowledges interactions at once, or only when it is slow."""
        self.app.get(Dispatcher).acknowledge_after = 0.0 if now else ACKNOWLEDGE_AFTER

    def kill(self) -> None:
        """Kill the bot immediately; uncommitted and unsent work is lost."""
        self.dead = self._life.over = self.store.dead = True
        self.playground.gateway.drop()
        for task in list(self._life.tasks):
            task.cancel()

    async def bury(self) -> None:
        """Wait until nothing is left of a bot that was killed."""
        while left := [task for task in self._life.tasks if not task.done()]:
            for task in left:
                task.cancel()
            await asyncio.wait(left, timeout=1.0)
        for thread in threading.enumerate():
            if (
                isinstance(thread, KeepAliveHandler)
                and thread.ws._connection is self.bot._connection
            ):
                thread.stop()
                with suppress(Exception):
                    await thread.ws.socket.close()
        with suppress(Exception):
            await self.bot.http.close()
        await self.store.close()
        self._running = None

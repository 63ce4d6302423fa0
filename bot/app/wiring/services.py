"""The services of one process, found by type."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any, ParamSpec, TypeVar

import svcs

from bot.app.client import Client
from bot.core.scheduling.wall_clock import WallClock
from bot.core.shards.ownership import Shards
from bot.core.workers.pool import WorkerPool

T = TypeVar("T")
P = ParamSpec("P")


class Services:
    """The services built so far, and what ends them. Later ones find earlier ones by type."""

    client: Client

    def __init__(self, *, clock: WallClock, shards: Shards) -> None:
        """Begin without services; ``client`` is set before any is built."""
        self._registry = svcs.Registry()
        self.container = svcs.Container(self._registry)
        """Finds services for those who know nothing of how they are built."""
        self._closing = AsyncExitStack()
        self.clock = clock
        self.shards = shards
        self.pools: dict[str, WorkerPool] = {}
        """The worker pools of this process, by what they think about."""

    def get(self, kind: type[T]) -> T:
        """Return a service by its type."""
        return self.container.get(kind)

    def add(self, service: T, kind: type[Any] | None = None) -> T:
        """Add a service, to be found by its type or the kind given; return it."""
        self._registry.register_value(kind or type(service), service)
        return service

    def on_close(
        self, end: Callable[P, Awaitable[object]], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Call this when the bot closes; the last added is called first."""
        self._closing.push_async_callback(end, *args, **kwargs)

    async def close(self) -> None:
        """End services, the last built first."""
        await self._closing.aclose()

"""Which shards are this process's: it answers, delivers and rings the clocks of their servers."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING, Final, Protocol

import structlog

from data.errors import InUse, StoreError
from data.scope import Scope, shard_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

IDENTIFY_SECONDS: Final = 5.5
"""Seconds between two identifies of a bucket, which is the shard's number modulo
``max_concurrency``. Discord takes one in five; half a second more, as each may be late."""
_LATE: Final = 0.4
"""A process that is later than so many seconds, as it was busy or suspended, waits its turn again."""
_BELIEVED: Final = 60.0
"""Seconds for which Discord is believed how many identifies are left: other processes use them, too."""
_FEW: Final = 100
"""With so many identifies left or fewer, Discord is asked before each that comes later than"""
_BELIEVED_OF_FEW: Final = 1.0
"""so many seconds after its last answer."""
_AGAIN: Final = 1.0
"""Seconds until the database, if it does not answer, is asked again whether a shard may identify."""


class Connections(Protocol):
    """What connects shards to Discord: the client."""

    async def ask_limits(self) -> Limits:
        """Ask Discord how many shards there should be and how fast they may connect."""

    async def connect_shard(self, number: int, count: int) -> None:
        """Connect a shard; return when it has identified itself."""

    async def disconnect_shard(self, number: int) -> None:
        """Close the connection of a shard for good."""

    def is_connected(self, number: int) -> bool:
        """Return whether the connection of a shard stands."""


class Work(Protocol):
    """What goes on for a shard while it is this process's."""

    async def prepare(self) -> None:
        """Take notice what an earlier owner may have begun; before anything is done for a shard."""

    def go_on(self, shard: int) -> None:
        """Begin the work for a shard, which is connected."""

    async def finish(self, shard: int, grace: float) -> None:
        """End the work for a shard; break off what has not ended after some seconds."""


class Limits:
    """What Discord says of connecting (``GET /gateway/bot``)."""

    def __init__(self, shards: int, limit: Mapping[str, Any]) -> None:
        """Read what Discord says: how many shards, and the limit of starting sessions."""
        self.shards = shards
        """How many shards it recommends."""
        self.max_concurrency: int = max(1, limit["max_concurrency"])
        """How many shards may identify at the same time."""
        self.remaining: int = limit["remaining"]
        """How many identifies are left until the limit is reset."""
        self.reset_after: float = limit["reset_after"] / 1000
        """Seconds until then."""
        self._told = time.monotonic()

    @property
    def outdated(self) -> bool:
        """Whether Discord is to be asked again before a shard identifies."""
        believed = _BELIEVED if self.remaining > _FEW else _BELIEVED_OF_FEW
        return self.remaining <= 0 or time.monotonic() - self._told >= believed


class Shards(ABC):
    """The shards of this process.

    Attributes:
        count: how many shards the bot has in all processes; 1 until that is known.
        limits: what Discord said last of connecting, ``None`` before it was asked.
    """

    def __init__(self, wanted: int | None = None) -> None:
        """Have as many shards as wanted, or as many as Discord recommends."""
        self._wanted = wanted
        self.count = wanted or 1
        self.limits: Limits | None = None
        self._connections: Connections
        self._ready: set[int] = set()
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()

    def is_connected(self, number: int) -> bool:
        """Return whether presses arrive at a shard."""
        return self._connections.is_connected(number)

    async def wait_ready(self, guild_id: int | None) -> None:
        """Wait until Discord has told of the channels of a server, if that is this process's."""
        while self.owns(guild_id) and shard_of(guild_id, self.count) not in self._ready:
            self._changed.clear()
            await self._changed.wait()

    @property
    @abstractmethod
    def scope(self) -> Scope | None:
        """What is this process's to look after; ``None`` for everything."""

    @abstractmethod
    async def begin(self, connections: Connections, work: Work) -> None:
        """Connect the shards that are this process's, now and from now on."""

    @abstractmethod
    def shard_ready(self, number: int) -> None:
        """Take notice that a shard is connected."""

    @property
    @abstractmethod
    def complete(self) -> bool:
        """Whether this process has shards, and all of them are connected."""

    async def sure(self) -> None:  # noqa: B027 -- who has all of them is sure
        """Return if what this process has is surely still its own.

        Raises:
            StoreError: it is not, or nobody knows.

        """

    async def drain(self, seconds: float) -> None:  # noqa: B027 -- likewise, there is nobody else
        """Give all shards to other processes, as far as that can be done in time."""

    async def close(self) -> None:
        """Connect no more shards."""
        self._closing.set()

    @property
    def max_concurrency(self) -> int:
        """How many shards may identify at the same time, as far as Discord has said."""
        return 1 if self.limits is None else self.limits.max_concurrency

    async def wait_allowed(self) -> None:
        """Wait until Discord allows the bot another identify today.

        Raises:
            discord.DiscordException, aiohttp.ClientError: Discord does not say.

        """
        while self.limits is None or self.limits.outdated:
            self.limits = limits = await self._connections.ask_limits()
            if limits.remaining > 0:
                return
            log.error(  # one more, and Discord takes the token away
                "Discord lets no shard connect for now", seconds=round(limits.reset_after)
            )
            await self._pause(limits.reset_after)

    async def before_identify(self, number: int) -> None:
        """Wait until a shard may identify itself.

        Raises:
            asyncio.CancelledError: this process connects no more shards.
            InUse: this process has lost its place among the gateways.
            discord.DiscordException, aiohttp.ClientError: Discord does not say what it allows.

        """
        while True:
            await self.wait_allowed()
            asked = time.monotonic()
            wait = await self._ask_identify(number)
            if wait > 0:
                await self._pause(wait)
            elif time.monotonic() - asked <= _LATE:
                break
        if self.limits is not None:
            self.limits.remaining -= 1

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._closing.wait()
        if self._closing.is_set():
            raise asyncio.CancelledError  # discord.py then gives up

    async def _ask_identify(self, number: int) -> float:
        """Return 0 if a shard may identify now, else how long to wait before asking again."""
        try:
            return await self._identify(number, number % self.max_concurrency)
        except InUse:
            raise
        except StoreError as error:  # discord.py would end the bot
            log.warning("a shard waits for the database", shard=number, why=str(error))
            return _AGAIN

    @abstractmethod
    async def _identify(self, number: int, bucket: int) -> float:
        """Return 0 if a shard of a bucket may identify now, else how long to wait before asking."""

    def awaits(self, guild_id: int | None) -> bool:
        """Return whether the shard of a server is about to become this process's."""
        del guild_id
        return False

    async def accepts(self, guild_id: int | None, interaction_id: int) -> bool:
        """Return whether this process is to answer an interaction that it has received."""
        del guild_id, interaction_id
        return True

    def owns(self, guild_id: int | None) -> bool:
        """Return whether a server, or direct messages for ``None``, are this process's."""
        scope = self.scope
        return scope is None or shard_of(guild_id, scope.count) in scope.shards

    @property
    def processes(self) -> int:
        """How many processes share what Discord allows the bot."""
        return 1

    def has(self, number: int) -> bool:
        """Return whether a shard is this process's."""
        scope = self.scope
        return scope is None or number in scope.shards

    @property
    def has_direct_messages(self) -> bool:
        """Whether this process looks after what belongs to no server."""
        return self.owns(None)


class AllShards(Shards):
    """All shards in one process, which has the database to itself."""

    def __init__(self, wanted: int | None = None) -> None:
        """Have as many shards as wanted, or as many as Discord recommends."""
        super().__init__(wanted)
        self._next: defaultdict[int, float] = defaultdict(float)
        self._work: Work

    @property
    def scope(self) -> Scope | None:
        """Everything."""
        return None

    @property
    def complete(self) -> bool:
        """Whether all shards are connected."""
        return len(self._ready) == self.count

    async def begin(self, connections: Connections, work: Work) -> None:
        """Connect all shards, as fast as Discord lets them."""
        self._connections, self._work = connections, work
        await work.prepare()
        self.limits = await connections.ask_limits()
        self.count = self._wanted or self.limits.shards
        connecting = (connections.connect_shard(number, self.count) for number in range(self.count))
        try:
            await asyncio.gather(*connecting)
        except asyncio.CancelledError:
            if not self._closing.is_set():
                raise

    def shard_ready(self, number: int) -> None:
        """Go on with the work for a shard."""
        self._ready.add(number)
        self._changed.set()
        self._work.go_on(number)

    async def _identify(self, number: int, bucket: int) -> float:
        del number  # none goes before another
        now = asyncio.get_running_loop().time()
        wait = self._next[bucket] - now
        if wait <= 0:
            self._next[bucket] = now + IDENTIFY_SECONDS
        return max(0.0, wait)

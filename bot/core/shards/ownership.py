"""Which shards this process owns: it answers, delivers and runs the clocks for their servers."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, ClassVar, Final, Protocol

import structlog

from bot.core.background import pause_until
from data.sql.errors import InUse, StoreError
from data.sql.statements import Scope, shard_of

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

IDENTIFY_SECONDS: Final = 5.5
"""Seconds between two identifies of a bucket, which is the shard's number modulo
``max_concurrency``. Discord takes one every five; half a second more, as each may be late."""
_LATE: Final = 0.4
"""Seconds of delay, busy or suspended, after which a process must wait its turn again."""
_BELIEVED: Final = 60.0
"""Seconds to trust Discord's count of identifies left: other processes use them too."""
_FEW: Final = 100
"""With this many identifies left or fewer, Discord's count is only trusted briefly."""
_BELIEVED_OF_FEW: Final = 1.0
"""Seconds to trust Discord's count when few identifies are left."""


class Connections(Protocol):
    """Connects shards to Discord: the client."""

    async def ask_limits(self) -> Limits:
        """Ask Discord how many shards it recommends and how fast they may connect."""

    async def connect_shard(self, number: int, count: int) -> None:
        """Connect a shard; return once it has identified."""

    async def disconnect_shard(self, number: int) -> None:
        """Close the connection of a shard for good."""

    def is_connected(self, number: int) -> bool:
        """Return whether a shard is connected."""


class Work(Protocol):
    """The work for a shard while this process owns it."""

    async def prepare(self) -> None:
        """Note what an earlier owner may have started; call this before any work for a shard."""

    def start(self, shard: int) -> None:
        """Start the work for a shard, which is connected."""

    async def finish(self, shard: int, grace: float) -> None:
        """End the work for a shard; cancel what has not ended after ``grace`` seconds."""


class Limits:
    """What Discord says about connecting (``GET /gateway/bot``)."""

    def __init__(self, shards: int, limit: Mapping[str, Any]) -> None:
        """Read Discord's answer: the number of shards, and the limit on starting sessions."""
        self.shards = shards
        """The recommended number of shards."""
        self.max_concurrency: int = max(1, limit["max_concurrency"])
        """Number of shards that may identify at the same time."""
        self.remaining: int = limit["remaining"]
        """Identifies left until the limit is reset."""
        self.reset_after: float = limit["reset_after"] / 1000
        """Seconds until then."""
        self._read_at = time.monotonic()

    @property
    def outdated(self) -> bool:
        """Whether to ask Discord again before a shard identifies."""
        believed = _BELIEVED if self.remaining > _FEW else _BELIEVED_OF_FEW
        return self.remaining <= 0 or time.monotonic() - self._read_at >= believed


class Shards(ABC):
    """The shards of this process.

    Attributes:
        count: the bot's shards in all processes; 1 until that is known.
        limits: Discord's latest answer about connecting; ``None`` before it was asked.
        pause: seconds between attempts to ask the database if a shard may identify.
        share: which part of the requests that Discord allows the bot this process may send.
        told: whether Discord tells this process of its servers; one without shards asks instead.
    """

    told: ClassVar[bool] = True

    def __init__(self, wanted: int | None = None) -> None:
        """Set the total number of shards, by default as Discord recommends."""
        self._wanted = wanted
        self.count = wanted or 1
        self.limits: Limits | None = None
        self.pause = 1.0
        self.share = 1.0
        self._connections: Connections
        self._ready: set[int] = set()
        self._changed = asyncio.Event()
        self._closing = asyncio.Event()

    def is_connected(self, number: int) -> bool:
        """Return whether presses arrive at a shard."""
        return self._connections.is_connected(number)

    def is_ready(self, guild_id: int | None) -> bool:
        """Return whether the shard of a server has connected; before, the server is unknown."""
        return shard_of(guild_id, self.count) in self._ready

    async def wait_ready(self, guild_id: int | None) -> None:
        """Wait until Discord has sent the channels of a server, if this process owns it."""
        while self.owns(guild_id) and not self.is_ready(guild_id):
            self._changed.clear()
            await self._changed.wait()

    @property
    @abstractmethod
    def scope(self) -> Scope | None:
        """What this process owns; ``None`` for everything."""

    @abstractmethod
    async def begin(self, connections: Connections, work: Work) -> None:
        """Connect the shards of this process, now and later."""

    @abstractmethod
    def shard_ready(self, number: int) -> None:
        """Called when a shard has connected."""

    @property
    @abstractmethod
    def complete(self) -> bool:
        """Whether this process's shards are connected; without any, whether others have them all."""

    @property
    def in_doubt(self) -> bool:
        """Whether another process may have taken this one's place."""
        return False

    async def replaced(self) -> bool:
        """Return whether another process has certainly taken this one's place.

        Unlike `confirm`, it does not wait long for a database that does not answer.
        """
        return False

    async def confirm(self) -> None:  # noqa: B027 -- the owner of all shards never loses any
        """Check that this process still owns what it has.

        Raises StoreError if it does not, or that is unknown.
        """

    async def drain(self, seconds: float) -> None:  # noqa: B027 -- the owner of all is alone
        """Hand all shards over to other processes, as far as time allows."""

    async def close(self) -> None:
        """Connect no more shards."""
        self._closing.set()

    @property
    def max_concurrency(self) -> int:
        """Number of shards that may identify at the same time, as far as known."""
        return 1 if self.limits is None else self.limits.max_concurrency

    async def wait_allowed(self) -> None:
        """Wait until Discord allows the bot another identify today.

        Raises discord.DiscordException, aiohttp.ClientError if Discord does not say.
        """
        while self.limits is None or self.limits.outdated:
            self.limits = limits = await self._connections.ask_limits()
            if limits.remaining > 0:
                return
            log.error(  # with one more, Discord would reset the token
                "Discord is not letting shards connect", seconds=round(limits.reset_after)
            )
            await self._pause(limits.reset_after)

    async def before_identify(self, number: int) -> None:
        """Wait until a shard may identify.

        Raises asyncio.CancelledError if this process connects no more shards, and InUse if this
        process has lost its place among the gateways, and discord.DiscordException,
        aiohttp.ClientError if Discord does not say what it allows.
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
        await pause_until(self._closing, seconds)
        if self._closing.is_set():
            raise asyncio.CancelledError  # discord.py then gives up

    async def _ask_identify(self, number: int) -> float:
        """Return 0 if a shard may identify now, else the seconds before asking again."""
        try:
            return await self._identify(number, number % self.max_concurrency)
        except InUse:
            raise
        except StoreError as error:  # uncaught, discord.py would end the bot
            log.warning("a shard is waiting for the database", shard=number, reason=str(error))
            return self.pause

    @abstractmethod
    async def _identify(self, number: int, bucket: int) -> float:
        """Return 0 if a shard of a bucket may identify now, else the seconds before asking again."""

    def awaits(self, guild_id: int | None) -> bool:
        """Return whether the shard of a server is about to become this process's."""
        del guild_id
        return False

    async def accepts(self, guild_id: int | None, interaction_id: int) -> bool:
        """Return whether this process should answer an interaction it has received."""
        del guild_id, interaction_id
        return True

    def owns(self, guild_id: int | None) -> bool:
        """Return whether this process owns a server, or direct messages for ``None``."""
        scope = self.scope
        return scope is None or shard_of(guild_id, scope.count) in scope.shards

    @property
    def gateways(self) -> int:
        """Number of gateways, which share the shards."""
        return 1

    def has(self, number: int) -> bool:
        """Return whether this process owns a shard."""
        scope = self.scope
        return scope is None or number in scope.shards


class AllShards(Shards):
    """All shards in one process, which has the database to itself."""

    def __init__(self, wanted: int | None = None) -> None:
        """Set the total number of shards, by default as Discord recommends."""
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
        """Connect all shards, as fast as Discord allows."""
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
        """Start the work for a shard."""
        self._ready.add(number)
        self._changed.set()
        self._work.start(number)

    async def _identify(self, number: int, bucket: int) -> float:
        del number  # all shards are equal
        now = asyncio.get_running_loop().time()
        wait = self._next[bucket] - now
        if wait <= 0:
            self._next[bucket] = now + IDENTIFY_SECONDS
        return max(0.0, wait)

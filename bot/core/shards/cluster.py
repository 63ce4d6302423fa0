"""The shards of one gateway among several, on one PostgreSQL database.

With every heartbeat each gateway looks at the cluster and acts for itself: it takes shards without
an owner or with a silent one, and takes over others until all have about as many. One that still
waits to connect is simply left. Any other changes hands without a gap: the new owner connects first,
so that Discord sends events to both; the old one finishes, says which interactions it has handled,
and gives the shard away; the new one then answers the rest, which it has kept until then.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from contextlib import suppress
from typing import Final

import structlog

from bot.core.background import MIN_PAUSE, cancel, until
from bot.core.shards import plan
from bot.core.shards.ownership import IDENTIFY_SECONDS, Connections, Shards, Work
from data.cluster.cluster import Cluster, Shard
from data.cluster.lease import HEARTBEAT_SECONDS, Lease
from data.sql.errors import InUse, StoreError
from data.sql.statements import Scope, shard_of

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_KEPT: Final = 8.0
"""Maximum seconds an interaction waits for its shard."""
_IN_DOUBT: Final = 0.5
"""Seconds an interaction and its answers wait, after a silence, to learn whether this process still
has its place: if the database does not answer, the player must still get an answer in time."""
_REMEMBERED: Final = 10.0
"""Seconds in which an interaction may arrive twice, over the connections of two processes."""
_OTHERS_FIRST: Final = 1.0
"""Head start in seconds, when identifying, of unconnected shards over those that have an owner."""
_FINISHING: Final = 1.5
"""Seconds to finish the work for a shard that is given away."""


class ClusterShards(Shards):
    """The shards held under a lease."""

    def __init__(self, lease: Lease, wanted: int | None = None) -> None:
        """Take shards under a lease; ``wanted`` is the total, by default as Discord recommends."""
        super().__init__(wanted)
        self._lease = lease
        self._owned: frozenset[int] = frozenset()
        self._work: Work
        self._connecting: dict[int, asyncio.Task[None]] = {}
        self._given: set[int] = set()
        """Shards that another process has, or is about to have, instead of this one."""
        self._handled: deque[tuple[float, int, int]] = deque()
        """Handled interactions: when, of which shard, and which; latest last."""
        self._elsewhere: set[int] = set()
        """Interactions that a shard's owner handled before it gave the shard away."""
        self._taken: Counter[int] = Counter()
        """How often each shard was taken from an owner who could not say what it had handled."""
        self._woken = asyncio.Event()
        self._loop: asyncio.Task[None] | None = None
        self._spare = False
        """Whether there is no shard for this process until another one ends."""
        self._gateways = 1
        self._others_stay = False
        """Whether another gateway lives that is not shutting down, too."""

    @property
    def scope(self) -> Scope | None:
        """The shards this process owns now."""
        return Scope(self.count, self._owned)

    @property
    def gateways(self) -> int:
        """Number of gateways, which share the shards."""
        return self._gateways

    @property
    def complete(self) -> bool:
        """Whether this process's shards are connected; without any, whether others have them all."""
        return self._owned <= self._ready if self._owned else self._spare

    async def begin(self, connections: Connections, work: Work) -> None:
        """Start taking shards, now and later."""
        self._connections, self._work = connections, work
        self.limits = await connections.ask_limits()
        recommended = self.limits.shards
        self.count = await self._lease.agree(self._wanted or recommended)
        if self._wanted is None and self.count < recommended:
            log.warning(
                "the gateways share fewer shards than Discord recommends: stop all of them for ten "
                "seconds, then start them",
                shards=self.count,
                recommended=recommended,
            )
        self._loop = asyncio.create_task(self._run(), name="shards")

    async def confirm(self) -> None:
        """Check that this process still owns what it has."""
        await self._lease.confirm()

    def shard_ready(self, number: int) -> None:
        """Called when a shard has connected."""
        self._ready.add(number)
        self._changed.set()
        if number in self._owned:
            self._work.start(number)
        self._woken.set()

    def awaits(self, guild_id: int | None) -> bool:
        """Return whether the shard of a server is about to become this process's."""
        number = shard_of(guild_id, self.count)
        return number in self._connecting and number not in self._owned | self._given

    async def accepts(self, guild_id: int | None, interaction_id: int) -> bool:
        """Return whether this process should answer an interaction it has received.

        It waits for the shard if this process is about to own it.
        """
        number = shard_of(guild_id, self.count)
        if number in self._given or await self.replaced():
            return False
        taken = self._taken[number]
        with suppress(TimeoutError):
            async with asyncio.timeout(_KEPT):
                while self.awaits(guild_id):
                    self._changed.clear()
                    await self._changed.wait()
        if number in self._given or self.awaits(guild_id) or self._taken[number] != taken:
            log.warning("interaction left to another process", request=interaction_id, shard=number)
            return False
        if interaction_id in self._elsewhere:
            return False
        now = time.monotonic()
        self._handled.append((now, number, interaction_id))
        while self._handled[0][0] < now - _REMEMBERED:
            self._handled.popleft()
        return True

    @property
    def in_doubt(self) -> bool:
        """Whether another process may have taken this one's place."""
        return self._lease.in_doubt

    async def replaced(self) -> bool:
        """Return whether another process has certainly taken this one's place."""
        if not self._lease.in_doubt:
            return False
        asking = asyncio.create_task(self._lease.confirm())
        asking.add_done_callback(lambda asked: asked.cancelled() or asked.exception())
        await asyncio.wait({asking}, timeout=_IN_DOUBT)
        return asking.done() and isinstance(asking.exception(), InUse)

    async def drain(self, seconds: float) -> None:
        """Hand all shards over to other gateways, as far as time allows."""
        self._lease.draining = True
        self._woken.set()
        end = time.monotonic() + seconds
        while self._owned and self._others_stay and (left := end - time.monotonic()) > 0:
            self._changed.clear()
            await until(self._changed)(left)

    async def close(self) -> None:
        """Take no more shards, and answer nothing that arrives from now on."""
        await super().close()
        self._given |= self._connecting.keys()
        self._changed.set()
        await cancel(*self._connecting.values(), self._loop)
        for number in self._lease.locked:
            with suppress(StoreError):
                await self._lease.release(number)
        self._owned = frozenset()

    async def before_identify(self, number: int) -> None:
        """Wait until a shard may identify."""
        if number not in self._connecting:
            raise asyncio.CancelledError  # discord.py then gives up: the shard was given away
        await super().before_identify(number)

    async def _identify(self, number: int, bucket: int) -> float:
        later = 0.0 if number in self._owned else _OTHERS_FIRST
        return await self._lease.identify(bucket, IDENTIFY_SECONDS, later=later)

    async def _run(self) -> None:
        while True:
            self._woken.clear()
            try:
                await self._step(await self._lease.send_heartbeat())
            except InUse:
                log.error(  # noqa: TRY400 -- a traceback would tell nothing
                    "this process was silent for too long and has lost its shards"
                )
                for number in self._owned:
                    await self._lose(number)
                return
            except StoreError as error:
                log.warning("could not read the state of the cluster", reason=str(error))
                await asyncio.sleep(MIN_PAUSE)
            except Exception:
                log.exception("cluster upkeep failed")
                await asyncio.sleep(MIN_PAUSE)
            await until(self._woken)(HEARTBEAT_SECONDS)

    async def _step(self, cluster: Cluster) -> None:
        me = self._lease.id
        living = plan.living(cluster)
        self._gateways = len(living)
        self.share = plan.share_of_requests(cluster, self._lease.role)
        self._others_stay = any(one.id != me and not one.draining for one in living)
        if not self._others_stay:
            self._changed.set()  # a drain waits for nothing more
        shards = {one.number: one for one in cluster.shards if one.number < self.count}
        for number in self._owned:
            if number not in self._lease.locked or shards[number].owner != me:
                await self._lose(number)
        for shard in shards.values():
            await self._respond(shard)
        for number in plan.left(cluster, me, self.count, self._waiting()):
            await self._leave(number)
        for shard, silent in plan.free(cluster, me, self.count):
            if await self._lease.take(shard, dismissing=silent):
                log.info("shard taken", shard=shard.number, from_=shard.owner)
                self._taken[shard.number] += 1
                await self._own(shard.number)
        for gateway in plan.silent(cluster, self._lease.role):
            await self._lease.dismiss(gateway, plan.DISMISS_AFTER)
        found = plan.wanted(cluster, me, self.count)
        if found is not None and await self._lease.request(found):
            self._connect(found.number)
        others = {one.id for one in living if one.id != me}
        self._spare = found is None and all(
            one.owner in others and one.wanted_by != me for one in shards.values()
        )

    async def _respond(self, shard: Shard) -> None:
        """Do what another process waits for, or has made possible."""
        number, me = shard.number, self._lease.id
        if shard.owner == me and number not in self._owned:
            await self._receive(number)
        elif number in self._owned and shard.connected:
            await self._give(shard)
        elif shard.wanted_by == me:
            self._connect(number)
            if number in self._ready and not shard.connected:
                await self._lease.mark_connected(number)
        elif number in self._connecting and number not in self._owned:
            log.info("shard taken by another process", shard=number)
            self._given.add(number)
            await self._disconnect(number)

    async def _receive(self, number: int) -> None:
        """Take over a shard that was given to this process."""
        handled = await self._lease.receive(number)
        if handled is not None:
            log.info("shard taken over", shard=number)
            self._elsewhere |= handled
            asyncio.get_running_loop().call_later(
                _REMEMBERED, self._elsewhere.difference_update, handled
            )
            await self._own(number)

    async def _own(self, number: int) -> None:
        await self._work.prepare()
        self._given.discard(number)
        self._owned |= {number}
        self._connect(number)
        if number in self._ready:
            self._work.start(number)
        self._changed.set()

    async def _give(self, shard: Shard) -> None:
        """Finish the work for a shard, and give it to the process that wants it."""
        number = shard.number
        await self._finish(number, _FINISHING)
        handled = [one for _, of, one in self._handled if of == number]
        await self._lease.hand_over(number, handled)
        log.info("shard given away", shard=number, to=shard.wanted_by)
        await self._disconnect(number)

    def _waiting(self) -> frozenset[int]:
        """Return the shards of this process that are still waiting for their turn to connect."""
        idle = self._owned - self._ready
        return frozenset(one for one in idle if not self._connections.is_connected(one))

    async def _leave(self, number: int) -> None:
        """Leave a shard that has not connected yet to whoever has too few."""
        log.info("shard left to others", shard=number)
        await self._finish(number, 0.0)
        await self._lease.release(number)
        await self._disconnect(number)

    async def _lose(self, number: int) -> None:
        log.warning("shard lost", shard=number)
        await self._finish(number, 0.0)
        await self._disconnect(number)

    async def _finish(self, number: int, grace: float) -> None:
        self._given.add(number)
        self._owned -= {number}  # so that no new work starts for it
        await self._work.finish(number, grace)

    def _connect(self, number: int) -> None:
        if number not in self._connecting:
            self._given.discard(number)
            connecting = self._connections.connect_shard(number, self.count)
            task = asyncio.create_task(connecting, name=f"connects-shard-{number}")
            self._connecting[number] = task

    async def _disconnect(self, number: int) -> None:
        await cancel(self._connecting.pop(number, None))
        self._ready.discard(number)
        await self._connections.disconnect_shard(number)
        self._changed.set()

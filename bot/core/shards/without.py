"""A process without shards beside gateways: it serves the page, and Discord tells it nothing.

It may commit anything, as every process may; the gateways write the messages and run the clocks.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from bot.core.background import MIN_PAUSE, cancel, until
from bot.core.shards import plan
from bot.core.shards.ownership import Connections, Shards, Work
from data.cluster.cluster import WEB
from data.cluster.lease import HEARTBEAT_SECONDS, Lease
from data.sql.errors import InUse, StoreError
from data.sql.statements import Scope

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_NOTHING: Final = frozenset[int]()
_UNKNOWN: Final = 0.1
"""The share of Discord's limit before the other processes are known."""


class NoShards(Shards):
    """Keeps a process without shards in the cluster."""

    def __init__(self, lease: Lease) -> None:
        """Live under a lease."""
        super().__init__()
        self._lease = lease
        self._share = _UNKNOWN
        self._loop: asyncio.Task[None] | None = None

    @property
    def scope(self) -> Scope | None:
        """Nothing."""
        return Scope(self.count, _NOTHING)

    @property
    def complete(self) -> bool:
        """Whether all of its shards are connected: there are none."""
        return True

    @property
    def told(self) -> bool:
        """Whether Discord tells this process of its servers: never."""
        return False

    @property
    def share(self) -> float:
        """Which part of the requests that Discord allows the bot this process may send."""
        return self._share

    @property
    def in_doubt(self) -> bool:
        """Whether another process may have dismissed this one."""
        return self._lease.in_doubt

    async def begin(self, connections: Connections, work: Work) -> None:
        """Send heartbeats from now on."""
        del connections, work  # there is nothing to connect, and nothing to resume
        await self._step()
        self._loop = asyncio.create_task(self._run(), name="heartbeats")

    async def confirm(self) -> None:
        """Check that no other process has dismissed this one."""
        await self._lease.confirm()

    def shard_ready(self, number: int) -> None:
        """Do nothing: no shard ever connects."""

    async def drain(self, seconds: float) -> None:
        """Say that this process ends; it hands nothing over."""
        del seconds
        self._lease.draining = True

    async def close(self) -> None:
        """Send no more heartbeats."""
        await super().close()
        await cancel(self._loop)

    async def _run(self) -> None:
        while True:
            await until(self._closing)(HEARTBEAT_SECONDS)
            try:
                await self._step()
            except InUse:
                log.warning("this process was silent for too long and starts over")
                return
            except StoreError as error:
                log.warning("could not read the state of the cluster", reason=str(error))
                await asyncio.sleep(MIN_PAUSE)
            except Exception:
                log.exception("keeping this process's place in the cluster failed")
                await asyncio.sleep(MIN_PAUSE)

    async def _step(self) -> None:
        cluster = await self._lease.send_heartbeat()
        self._share = plan.share_of_requests(cluster, WEB)
        for one in cluster.processes:
            if one.role == WEB and one.silent > plan.DISMISS_AFTER:
                await self._lease.dismiss(one, plan.DISMISS_AFTER)

    async def _identify(self, number: int, bucket: int) -> float:
        del number, bucket
        raise AssertionError("it has no shard that could identify")

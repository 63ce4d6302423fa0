"""A process without shards beside gateways: a worker, or the page's, which Discord tells nothing.

It may commit anything, as every process may; the gateways write the messages and run the clocks.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from bot.core.background import cancel
from bot.core.shards import plan
from bot.core.shards.ownership import Connections, Shards, Work
from data.cluster.cluster import WEB, Cluster
from data.cluster.lease import HEARTBEAT_SECONDS, Lease
from data.sql.errors import InUse, StoreError
from data.sql.statements import Scope

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_NOTHING: Final = frozenset[int]()
_UNKNOWN: Final = 0.1
"""The share of Discord's limit before the other processes are known."""


async def keep_place(lease: Lease, hear: Callable[[Cluster], None] = lambda _: None) -> None:
    """Send heartbeats until another process has dismissed this one, and hear of the others.

    It dismisses those of its own role that are silent for long: gateways do that among themselves.
    """
    while True:
        try:
            cluster = await lease.send_heartbeat()
            hear(cluster)
            for one in plan.silent(cluster, lease.role):
                await lease.dismiss(one, plan.DISMISS_AFTER)
        except InUse:
            log.warning("this process was silent for too long and starts over")
            return
        except StoreError as error:
            log.warning("could not read the state of the cluster", reason=str(error))
        except Exception:
            log.exception("keeping this process's place in the cluster failed")
        await asyncio.sleep(HEARTBEAT_SECONDS)


class NoShards(Shards):
    """Keeps a process without shards in the cluster."""

    told = False

    def __init__(self, lease: Lease) -> None:
        """Live under a lease."""
        super().__init__()
        self._lease = lease
        self.share = _UNKNOWN
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
    def in_doubt(self) -> bool:
        """Whether another process may have dismissed this one."""
        return self._lease.in_doubt

    async def begin(self, connections: Connections, work: Work) -> None:
        """Send heartbeats from now on."""
        del connections, work  # there is nothing to connect, and nothing to resume
        self._loop = asyncio.create_task(keep_place(self._lease, self._hear), name="heartbeats")

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

    def _hear(self, cluster: Cluster) -> None:
        self.share = plan.share_of_requests(cluster, WEB)

    async def _identify(self, number: int, bucket: int) -> float:
        del number, bucket
        raise AssertionError("it has no shard that could identify")

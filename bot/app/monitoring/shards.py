"""The metrics read from the connection to Discord on request."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
import structlog
from prometheus_client import Metric
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.core.metrics import PREFIX

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_ASK_EVERY: Final = 300.0
"""Seconds before asking Discord again how many identifies are left."""


class ShardFigures(Collector):
    """The shards of this process."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        """Start without a connection."""
        self.client: discord.Client | None = None
        """The connection to Discord, once there is one."""
        self._monotonic = monotonic
        self._limits: SessionStartLimit | None = None
        self._asked_at = float("-inf")
        self._asking: asyncio.Task[None] | None = None

    async def refresh(self) -> None:
        """Ask Discord, in the background, for what only it knows, if that is due."""
        client = self.client
        due = self._monotonic() - self._asked_at >= _ASK_EVERY
        if client is not None and client.application_id is not None and due:
            self._asked_at = self._monotonic()
            self._asking = asyncio.create_task(self._ask(client), name="identifies left")

    async def close(self) -> None:
        """Stop asking."""
        if self._asking is not None:
            self._asking.cancel()
            await asyncio.gather(self._asking, return_exceptions=True)

    async def _ask(self, client: discord.Client) -> None:
        try:
            _, _, self._limits = await client.http.get_bot_gateway()
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("Discord did not say how many identifies are left", reason=str(error))

    def collect(self) -> Iterator[Metric]:
        """Yield the state of the shards."""
        if self._limits is not None:
            yield GaugeMetricFamily(
                f"{PREFIX}identifies_left",
                "Session starts left today.",
                value=self._limits["remaining"],
            )
        if self.client is not None:
            yield from _shards(self.client)


def _shards(client: discord.Client) -> Iterator[Metric]:
    up = GaugeMetricFamily(
        f"{PREFIX}shard_up", "Whether a shard is connected: 1 or 0.", labels=["shard"]
    )
    latency = GaugeMetricFamily(
        f"{PREFIX}shard_latency_seconds", "Heartbeat round-trip time.", labels=["shard"]
    )
    latencies = (
        client.latencies
        if isinstance(client, discord.AutoShardedClient)
        else [(client.shard_id or 0, client.latency)]
    )
    for shard, seconds in latencies:
        up.add_metric([str(shard)], float(math.isfinite(seconds)))
        if math.isfinite(seconds):
            latency.add_metric([str(shard)], seconds)
    yield up
    yield latency
    yield GaugeMetricFamily(
        f"{PREFIX}servers", "Servers on this process's shards.", value=len(client.guilds)
    )

"""The metrics of a process's connections to Discord."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Iterator
from typing import Final

import aiohttp
import discord
import structlog
from prometheus_client import Metric

from bot.app.client import Client
from bot.app.figures import Source, gauge, labelled
from bot.core.background import cancel
from bot.core.shards.ownership import Shards

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_ASK_EVERY: Final = 300.0
"""Seconds before asking Discord again how many identifies are left."""


class ShardFigures(Source):
    """The shards of this process."""

    def __init__(self) -> None:
        """Start without a connection."""
        self._client: Client | None = None
        self._shards: Shards
        self._left: int | None = None
        self._asked_at = float("-inf")
        self._asking: asyncio.Task[None] | None = None

    def watch(self, client: Client, shards: Shards) -> None:
        """Report on this connection to Discord from now on."""
        self._client, self._shards = client, shards

    async def refresh(self) -> None:
        """Ask Discord, in the background, for what only it knows, if that is due."""
        client = self._client
        due = time.monotonic() - self._asked_at >= _ASK_EVERY
        if client is not None and client.application_id is not None and due:
            self._asked_at = time.monotonic()
            self._asking = asyncio.create_task(self._ask(client), name="identifies left")

    async def close(self) -> None:
        """Stop asking."""
        await cancel(self._asking)

    async def _ask(self, client: discord.Client) -> None:
        try:
            _, _, limits = await client.http.get_bot_gateway()
            self._left = limits["remaining"]
        except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
            log.warning("Discord did not say how many identifies are left", reason=str(error))

    def collect(self) -> Iterator[Metric]:
        """Yield the state of the shards."""
        if self._left is not None:
            yield gauge("identifies_left", "Session starts left today.", self._left)
        if self._client is None:
            return
        latencies = dict(self._client.latencies)
        # Those that moved to another process have no figures here, and those still to be connected do.
        scope = self._shards.scope
        owned = range(self._shards.count) if scope is None else sorted(scope.shards)
        up = {shard for shard in owned if math.isfinite(latencies.get(shard, math.nan))}
        yield labelled(
            "shard_up",
            "Whether a shard of this process is connected: 1 or 0.",
            ("shard",),
            {(str(shard),): float(shard in up) for shard in owned},
        )
        yield labelled(
            "shard_latency_seconds",
            "Heartbeat round-trip time.",
            ("shard",),
            {(str(shard),): latencies[shard] for shard in sorted(up)},
        )
        yield gauge("servers", "Servers on this process's shards.", len(self._client.guilds))

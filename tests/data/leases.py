"""Gateways that share shards, and one that falls silent."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.engine import make_url

from data.cluster.cluster import GATEWAY
from data.cluster.lease import Lease
from data.store.address import address


@asynccontextmanager
async def joined(url: str) -> AsyncIterator[Lease]:
    """Join the cluster as a process for a while."""
    made = Lease(address(url), GATEWAY)
    await made.begin()
    try:
        yield made
    finally:
        await made.close()


@asynccontextmanager
async def server(url: str) -> AsyncIterator[asyncpg.Connection]:
    """Connect to the server as its administrator."""
    plain = make_url(url).set(drivername="postgresql")
    connection = await asyncpg.connect(plain.render_as_string(hide_password=False))
    try:
        yield connection
    finally:
        await connection.close()


async def silence(url: str, process: Lease, seconds: float) -> None:
    """Age a process's heartbeat by some seconds, as if it had been suspended."""
    async with server(url) as admin:
        await admin.execute(
            "UPDATE processes SET heartbeat_at = clock_timestamp() - make_interval(secs => $2) "
            "WHERE id = $1",
            process.id,
            seconds,
        )


async def age_identifies(url: str, seconds: float) -> None:
    """Age the last identify of each bucket by some seconds."""
    async with server(url) as admin:
        await admin.execute(
            "UPDATE identifies SET next_at = next_at - make_interval(secs => $1)", seconds
        )

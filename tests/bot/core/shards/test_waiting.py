"""Interactions for a shard that is about to move here wait for it."""

from __future__ import annotations

import asyncio

import pytest

from bot.core.shards.cluster import ClusterShards
from tests.data.leases import joined


@pytest.mark.parametrize("told", [True, False])
async def test_an_interaction_is_answered_only_if_the_owner_said_what_it_answered(
    postgresql_url: str, *, told: bool
) -> None:
    async with joined(postgresql_url) as lease:
        shards = ClusterShards(lease)
        shards._connecting[0] = asyncio.create_task(asyncio.sleep(3600))
        waiting = asyncio.create_task(shards.accepts(None, 1))
        await asyncio.sleep(0)
        assert shards.awaits(None)
        if not told:  # it was killed, perhaps with the answer on its way
            shards._taken[0] += 1
        shards._owned = frozenset({0})
        shards._changed.set()
        assert await waiting is told
        assert await shards.accepts(None, 2), "later interactions are answered here"
        shards._connecting[0].cancel()


async def test_closing_stops_waiting(postgresql_url: str) -> None:
    async with joined(postgresql_url) as lease:
        shards = ClusterShards(lease)
        shards._connecting[0] = asyncio.create_task(asyncio.sleep(3600))
        waiting = asyncio.create_task(shards.accepts(None, 1))
        await asyncio.sleep(0)
        await shards.close()
        assert not await waiting
        assert not await shards.accepts(None, 2)

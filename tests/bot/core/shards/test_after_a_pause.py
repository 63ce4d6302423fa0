"""A process that was suspended leaves presses to the new owner of its shards."""

from __future__ import annotations

import time

from bot.core.shards.cluster import ClusterShards
from data.cluster.lease import CERTAIN_SECONDS, DEAD
from tests.data.leases import joined, silence


async def test_an_interaction_after_a_pause_is_answered_by_the_current_owner(
    postgresql_url: str,
) -> None:
    async with joined(postgresql_url) as paused, joined(postgresql_url) as other:
        shards = ClusterShards(paused)
        assert await shards.accepts(None, 1)
        paused._confirmed = time.monotonic() - CERTAIN_SECONDS - 1
        assert await shards.accepts(None, 2), "no one has taken its place"
        await silence(postgresql_url, paused, DEAD + 1)
        silent = (await other.send_heartbeat()).process(paused.id)
        assert silent is not None
        await other.dismiss(silent, DEAD)
        paused._confirmed = time.monotonic() - CERTAIN_SECONDS - 1
        assert not await shards.accepts(None, 3)

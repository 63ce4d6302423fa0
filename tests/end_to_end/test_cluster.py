"""A short form of `make cluster`: processes die, hang and are replaced while people play."""

from __future__ import annotations

import asyncio
import copy
import time
from pathlib import Path

import pytest

from tests.cluster import checks
from tests.cluster.cluster import Cluster
from tests.cluster.faults import TAKEOVER, Fault, Faults
from tests.cluster.suspensions import suspend

SHARDS = 2
"""As many as Discord lets identify at once, so that none has to wait."""
PAUSE = 0.5
"""Maximum seconds between two presses in a channel."""
SUSPENDED = 10.0
"""Seconds; long enough for another gateway to take over."""
MOVES = 50
"""So many that every fault meets moves; a busy machine needs longer for them."""


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.usefixtures("kernels")  # a worker that has to compile them takes minutes to begin
async def test_nothing_is_lost_or_done_twice_whichever_process_dies(tmp_path: Path) -> None:
    cluster = Cluster(tmp_path, seed=1, shards=SHARDS, servers=4, forks=True)
    faults = Faults(cluster)
    async with cluster.running(tables=1):
        gateways = [await cluster.start("gateway") for _ in range(2)]
        await cluster.ready()
        assert await suspend(cluster, faults, "request", seconds=SUSPENDED) == []
        worker = await cluster.start("worker")
        cluster.play(PAUSE)
        await asyncio.sleep(2)
        await faults.kill(worker)
        await faults.cut_connections()
        await asyncio.sleep(1)
        await faults.kill(gateways[0])
        await asyncio.sleep(1)  # so that its shards are seen as lost
        await cluster.ready(TAKEOVER)
        await faults.over()
        await cluster.ready()
        await faults.restart_postgresql()
        await asyncio.sleep(1)
        await cluster.ready()
        deployed = cluster.clock.time()
        assert await faults.deploy() <= 10.0
        while await accepted_moves(cluster) < MOVES:  # noqa: ASYNC110 -- no event to await
            await asyncio.sleep(0.5)
        await asyncio.sleep(2)
        await cluster.rise()
        assert await checks.problems(cluster, faults.done) == []
        failed = cluster.playground.interactions.failed
        assert [one for one in failed if one.created_at > deployed] == []
        await look_at_once(cluster)


async def look_at_once(cluster: Cluster) -> None:
    """Check that what is sent in a match is counted in one place, whoever looks at it first."""
    stranger = copy.copy(cluster)
    stranger._matches = {}
    first, second = await asyncio.gather(stranger.read(), stranger.read())
    assert first
    assert all(one is other for one, other in zip(first, second, strict=True))


async def accepted_moves(cluster: Cluster) -> int:
    return sum(sent.accepted for match in await cluster.read() for sent in match.sent)


def test_a_failed_press_is_excused_if_its_gateway_was_hit() -> None:
    now = time.time()
    kill = Fault(now, "kill", frozenset({1}), now + TAKEOVER)
    taker = Fault(now + 5, "kill", frozenset({0, 1}), now + 5 + TAKEOVER)
    after = now + TAKEOVER + 1
    assert checks.excused(now - 2, 1, [kill])
    assert checks.excused(now + 14, 1, [kill])
    assert not checks.excused(after, 1, [kill])
    assert checks.excused(after, 1, [kill, taker])
    assert not checks.excused(now + 1, 0, [kill])
    assert not checks.excused(now - 4, 1, [kill])
    one_after_the_other = [now + 10, now + 15, now + 20]
    assert checks.excused(now + 24, 1, [kill], one_after_the_other, 5.0)
    assert not checks.excused(now + 28, 1, [kill], one_after_the_other, 5.0)
    assert not checks.excused(now + 24, 1, [kill], [now + 10, now + 20], 5.0)

"""Checks that everything is in order after everyone has stopped."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

from playground.interaction import Interaction
from playground.interactions import ACKNOWLEDGE_SECONDS
from tests.cluster.cluster import Cluster
from tests.cluster.faults import Fault
from tests.cluster.tables import Played

Reached: TypeAlias = Callable[[], Awaitable[object]]

_NOT_SAVED: Final = "I couldn't save that"
"""What a player may be told just after PostgreSQL or their process was unreachable."""
_BETWEEN: Final = 2.5
"""Seconds beyond Discord's minimum allowed between two identifies while shards wait."""
_RECENT: Final = 30.0
"""Seconds for which a fault is reported beside a failed press."""
SETTLED: Final = 90.0
"""Seconds until everything is delivered and done, even on a busy machine."""


async def problems(cluster: Cluster, faults: Sequence[Fault]) -> list[str]:
    """Return what is wrong; wait for what may still be delivered or done."""
    found = await unsettled(cluster)
    for match in await cluster.read():
        wrong = Counter(match.problems())
        found += [f"{_where(match)}: {count} x {problem}" for problem, count in wrong.items()]
    starts = cluster.playground.gateway.starts
    found += [f"an identify came too soon: {one}" for one in starts.refused]
    found += [f"a press failed: {one}" for one in unexcused(cluster, faults)]
    found += [f"violation: {one}" for one in cluster.playground.violations]
    found += [
        f"told: {text} ({detail})"
        for text, detail in cluster.boards.wrong
        if not text.startswith(_NOT_SAVED)
    ]
    return found


async def unsettled(cluster: Cluster, seconds: float = SETTLED) -> list[str]:
    """Return what is still undone or shown wrongly once everything had some seconds to settle."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while (found := await _undone(cluster)) and loop.time() < until:  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.5)
    return found


async def _undone(cluster: Cluster) -> list[str]:
    found = await cluster.tasks()
    for match in await cluster.read():
        found += [f"{_where(match)}: {problem}" for problem in match.board_problems()]
    return found


def _where(match: Played) -> str:
    return f"match {match.number} ({match.slug})"


def unexcused(cluster: Cluster, faults: Sequence[Fault]) -> list[str]:
    """Return presses that failed though no gateway of their shard was hit."""
    return [
        f"{_told(one)} at {one.created_at:.1f}, shard {cluster.shard(one)}: {one.failure}"
        + _before(one.created_at, faults)
        for one in cluster.playground.interactions.failed
        if not _excused(cluster, one, faults)
    ]


def waited_for_discord(cluster: Cluster, faults: Sequence[Fault]) -> int:
    """Count the presses that failed only because Discord limits how fast shards connect."""
    return sum(
        not excused(one.created_at, cluster.shard(one), faults) and _excused(cluster, one, faults)
        for one in cluster.playground.interactions.failed
    )


def _excused(cluster: Cluster, press: Interaction, faults: Sequence[Fault]) -> bool:
    starts = cluster.playground.gateway.starts
    shard = cluster.shard(press)
    bucket = shard % starts.max_concurrency
    times = [at for at, number in starts.times if number % starts.max_concurrency == bucket]
    return excused(press.created_at, shard, faults, times, starts.seconds)


def excused(
    at: float,
    shard: int,
    faults: Sequence[Fault],
    identifies: Sequence[float] = (),
    seconds: float = 0.0,
) -> bool:
    """Return whether a fault explains a failed press.

    The gateway taking over a shard may have to wait until Discord lets it connect.

    Args:
        at: when it was made, seconds since 1970.
        shard: the shard it went to.
        faults: those injected.
        identifies: when shards of the same bucket identified.
        seconds: the minimum between two of those.
    """
    until = 0.0
    for fault in faults:
        if fault.at > at + ACKNOWLEDGE_SECONDS:
            break
        if shard in fault.shards:
            until = max(until, fault.until)
            if at < fault.at:
                return True
    longest = seconds + _BETWEEN
    since = [until - longest, *(one for one in identifies if until - longest < one < at), at]
    return at < until or all(next_ - one < longest for one, next_ in pairwise(since))


def _before(at: float, faults: Sequence[Fault]) -> str:
    """Return the faults shortly before, as likely causes of a failed press."""
    found = [
        f"{at - one.at:.1f} s after {one.what} {sorted(one.shards) or ''}".strip()
        for one in faults
        if abs(at - one.at) < _RECENT
    ]
    return f" ({', '.join(found)})" if found else ""


def _told(interaction: Interaction) -> str:
    data = interaction.data
    return f"{interaction.user.display} using {data.get('custom_id') or data.get('name')}"

"""Decides which shards a gateway takes next, so that all end up with about as many."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from data.cluster.cluster import GATEWAY, WEB, Cluster, Process, Shard
from data.cluster.lease import DEAD, UNLOCKED

DISMISS_AFTER: Final = 20.0
"""Seconds of silence after which a process without shards is dismissed, so that it leaves no trace."""
_NEEDS: Final = {GATEWAY: 1.0, WEB: 0.25}
"""How many requests processes need, compared with each other: the page asks Discord little."""


def living(cluster: Cluster) -> tuple[Process, ...]:
    """Return the living gateways, oldest first."""
    return tuple(one for one in cluster.gateways if one.silent <= UNLOCKED)


def share_of_requests(cluster: Cluster, role: str) -> float:
    """Return which part of the requests that Discord allows the bot a living process may send."""
    alive = (one for one in cluster.processes if one.silent <= UNLOCKED)
    needed = sum(_NEEDS.get(one.role, 0.0) for one in alive)
    return _NEEDS[role] / max(needed, _NEEDS[role])


def silent(cluster: Cluster, role: str) -> tuple[Process, ...]:
    """Return the processes of a role that have long been silent and have no shards for others to take."""
    owners = {shard.owner for shard in cluster.shards}
    return tuple(
        one
        for one in cluster.processes
        if one.role == role and one.silent > DISMISS_AFTER and one.id not in owners
    )


def shares(cluster: Cluster, count: int) -> Mapping[str, int]:
    """Return how many of all shards each living gateway should have.

    A gateway that is shutting down should have none, nor one older than a gateway that replaces it,
    unless there are no others.
    """
    alive = living(cluster)
    staying = [one for one in alive if not one.draining]
    newest = next((i for i, one in reversed(list(enumerate(staying))) if one.replaces), 0)
    taking = staying[newest:] or alive
    least, more = divmod(count, len(taking)) if taking else (0, 0)
    given = {one.id: least + (number < more) for number, one in enumerate(taking)}
    return {one.id: given.get(one.id, 0) for one in alive}


def free(cluster: Cluster, me: str, count: int) -> Sequence[tuple[Shard, Process | None]]:
    """Return the shards to take that have no owner or a silent one, each with that owner.

    A gateway that was to take one over, and is connected already, gets it before all others.
    """
    wanted = shares(cluster, count).get(me, 0)
    mine = sum(one.owner == me for one in cluster.shards if one.number < count)
    ready: list[tuple[Shard, Process | None]] = []
    found: list[tuple[Shard, Process | None]] = []
    for shard in cluster.shards:
        if shard.number >= count or shard.owner == me:
            continue
        owner, taker = cluster.process(shard.owner), cluster.process(shard.wanted_by)
        if owner is not None and owner.silent <= UNLOCKED:
            continue
        if shard.connected and taker is not None and taker.silent <= UNLOCKED:
            if taker.id == me:
                ready.append((shard, owner))
        else:
            found.append((shard, owner))
    return ready + found[: max(0, wanted - mine - len(ready))]


def wanted(cluster: Cluster, me: str, count: int) -> Shard | None:
    """Return a shard to take over from a gateway that has more than its share.

    One at a time, so that each is handed over before the next; the last first, as gateways connect
    theirs in order, and one that is not connected yet is left to others at once (see `left`).
    """
    given = shares(cluster, count)
    held = [one for one in cluster.shards if one.number < count]
    if any(one.wanted_by == me for one in held):
        return None
    number = {process: sum(one.owner == process for one in held) for process in given}
    if number.get(me, 0) >= given.get(me, 0):
        return None
    found = (
        shard
        for shard in held
        if shard.owner not in {None, me}
        and number.get(shard.owner, 0) > given.get(shard.owner, 0)
        and not _lives(cluster.process(shard.wanted_by))
    )
    return max(found, key=lambda shard: shard.number, default=None)


def left(cluster: Cluster, me: str, count: int, waiting: Collection[int]) -> Sequence[int]:
    """Return which shards a gateway leaves to others because they are still waiting to connect.

    Once another gateway wants one of its shards, it keeps no more than its share. Those that wait
    are left at once: nothing is interrupted, and each identifies only once.
    """
    mine = [one for one in cluster.shards if one.owner == me and one.number < count]
    asked = {one.number for one in mine if _lives(cluster.process(one.wanted_by))}
    if not asked:
        return ()
    more = len(mine) - shares(cluster, count).get(me, 0) - len(asked.difference(waiting))
    last_first = sorted(waiting, key=lambda number: (number in asked, number), reverse=True)
    return last_first[: max(0, more)]


def _lives(taker: Process | None) -> bool:
    return taker is not None and taker.silent <= DEAD

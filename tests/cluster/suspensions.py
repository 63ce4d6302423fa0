"""Suspends one of two gateways while people play, and looks at every board once it has resumed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from playground.request_log import Request
from tests.cluster import checks
from tests.cluster.cluster import Cluster
from tests.cluster.faults import Faults
from tests.cluster.programs import Program

SHORTEST: Final = 1.0
LONGEST: Final = 15.0
PAUSE: Final = 0.4
"""Maximum seconds between two presses in a channel."""
_QUIET: Final = 2.0
"""Seconds before or after the gateway resumes when people stop moving."""
_HANDLING: Final = 0.3
"""Seconds within which a gateway handles a press and shows the board."""
_ACKNOWLEDGES: Final = 1.05
"""Seconds after which a gateway acknowledges a press that it has not answered."""
_PRESSED_WITHIN: Final = 30.0


MOMENTS: Final = ("any", "press", "request", "late request", "stutter")
"""When a gateway is suspended: at any moment, while it handles a press, while it waits for Discord's
response, while a request is still on its way when it resumes, or twice, once just after a press."""


async def suspend(
    cluster: Cluster, faults: Faults, moment: str, *, seconds: float | None = None
) -> list[str]:
    """Suspend a gateway while people play; return what is wrong after it has resumed.

    Args:
        cluster: with gateways that all have shards.
        faults: record the suspension.
        moment: one of `MOMENTS`.
        seconds: how long, by default `SHORTEST` to `LONGEST`.
    """
    dice = cluster.dice
    seconds = dice.uniform(SHORTEST, LONGEST) if seconds is None else seconds
    cluster.play(PAUSE)
    await asyncio.sleep(dice.uniform(0.5, 2.0))
    async with asyncio.timeout(_PRESSED_WITHIN):
        program = await _victim(cluster, moment, seconds)
    await faults.suspend(program, seconds)
    # Half of the time nobody moves when it resumes, so that nothing covers up what it writes then.
    until_quiet = seconds + (_QUIET if dice.random() < 0.5 else -_QUIET)
    await asyncio.sleep(max(0.0, until_quiet))
    await asyncio.gather(cluster.rise(), faults.over())
    found = await checks.unsettled(cluster)
    found += await _ends(program)
    if not program.alive:
        await program.start()
    await cluster.until(_shared(cluster), 60.0, "all gateways have shards")
    return found


async def _victim(cluster: Cluster, moment: str, seconds: float) -> Program:
    """Return a gateway at a moment to suspend it, perhaps suspended already."""
    dice = cluster.dice
    gateways = {one: cluster.shards_of(one) for one in cluster.gateways}

    def owner(shard: int) -> Program:
        return next(one for one in gateways if shard in gateways[one])

    if moment == "any":
        return dice.choice(list(gateways))
    program = owner(await cluster.next_press())
    if moment == "press":
        await asyncio.sleep(dice.uniform(0.0, _HANDLING))
    elif moment == "stutter":
        await asyncio.sleep(dice.uniform(0.0, _HANDLING / 3))
        program.suspend()
        await asyncio.sleep(_ACKNOWLEDGES)
        program.resume()
        await asyncio.sleep(dice.uniform(0.0, _HANDLING / 3))
    else:
        late = seconds + 0.2 if moment == "late request" else 0.0
        program = await _at_request(cluster, owner, late)
    return program


async def _at_request(cluster: Cluster, owner: Callable[[int], Program], late: float) -> Program:
    """Suspend a gateway as its next request arrives, which is carried out late; return it."""
    found: asyncio.Future[Program] = asyncio.get_running_loop().create_future()

    def arrives(request: Request) -> bool:
        shard = cluster.shard_of_request(request)
        # What is late edits a board: Discord refuses first answers after three seconds.
        wanted = request.route.startswith("PATCH" if late else ("PATCH", "POST"))
        if found.done() or shard is None or not wanted:
            return False
        owner(shard).suspend()
        found.set_result(owner(shard))
        return True

    cluster.playground.faults.delay("*", late, when=arrives)
    program = await found
    cluster.playground.faults.clear()
    return program


async def _ends(program: Program) -> list[str]:
    """Ask a process to end; return what is wrong about that."""
    if not program.alive:
        return [f"{program.name} has ended by itself"]
    try:
        await program.stop()
    except TimeoutError as error:
        return [str(error)]
    return []


def _shared(cluster: Cluster) -> checks.Reached:
    async def reached() -> bool:
        owners = await cluster.rows(
            "SELECT DISTINCT s.owner FROM shards s JOIN processes p ON p.id = s.owner"
        )
        connections = cluster.playground.gateway.connections_of
        alone = all(connections(number) == 1 for number in range(cluster.count))
        return alone and len(owners) == len(cluster.gateways)

    return reached

"""Suspends one of two gateways while people play, and looks at every board once it has resumed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from tests.cluster import checks

if TYPE_CHECKING:
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
_PRESSED_WITHIN: Final = 20.0


async def suspend(
    cluster: Cluster, faults: Faults, *, seconds: float | None = None, after_a_press: bool
) -> list[str]:
    """Suspend a gateway while people play; return what is wrong after it has resumed.

    Args:
        cluster: with gateways that all have shards.
        faults: record the suspension.
        seconds: how long, by default `SHORTEST` to `LONGEST`.
        after_a_press: whether to do so while it handles a press, rather than at any moment.
    """
    dice = cluster.dice
    cluster.play(PAUSE)
    await asyncio.sleep(dice.uniform(0.5, 2.0))
    gateways = {one: cluster.shards_of(one) for one in cluster.gateways}
    program = dice.choice(list(gateways))
    if after_a_press:
        async with asyncio.timeout(_PRESSED_WITHIN):
            shard = await cluster.next_press()
        program = next(one for one in gateways if shard in gateways[one])
        await asyncio.sleep(dice.uniform(0.0, _HANDLING))
    seconds = dice.uniform(SHORTEST, LONGEST) if seconds is None else seconds
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

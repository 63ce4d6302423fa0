"""Runs scenarios, many per world, until there are enough."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Final

from bot.play.pictures.rendering import Renderer
from tests.chaos import scenarios
from tests.chaos.inside import InsideWorld
from tests.chaos.lasting import Evening, Lasting, Report
from tests.chaos.match import Match
from tests.chaos.presses import Burst, Crowd
from tests.chaos.scenarios import Outcome, Scenario

BATCH: Final = 40
"""Scenarios per world."""
CROWD: Final = 2000
"""Presses per world."""
_MEMORY: Final = Path("/dev/shm")


@asynccontextmanager
async def world_of(
    renderer: Renderer, server: tuple[str, bool], seed: int
) -> AsyncIterator[InsideWorld]:
    """Open a world, with its database in memory if there is room."""
    memory = _MEMORY if _MEMORY.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="chaos-", dir=memory) as folder:
        board, threads = server
        world = InsideWorld(Path(folder), renderer, seed=seed, board=board, threads=threads)
        await world.open()
        await world.until_ready()
        try:
            yield world
        finally:
            await world.close()


@dataclass(slots=True)
class Tally:
    """The scenarios run and their findings."""

    until: float
    """When to stop in any case, by the machine's clock."""
    run: Counter[str] = field(default_factory=Counter)
    moments: Counter[str] = field(default_factory=Counter)
    """The moments at which the bot was killed, with counts."""
    found: Counter[str] = field(default_factory=Counter)
    failures: list[Outcome] = field(default_factory=list)
    bursts: list[tuple[str, Burst]] = field(default_factory=list)

    @property
    def late(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.until

    def add(self, outcome: Outcome) -> None:
        """Count a scenario's outcome."""
        if not outcome.struck:
            return
        self.run[f"{outcome.scenario.kind}s"] += 1
        if outcome.killed:
            self.moments[outcome.killed] += 1
        if outcome.problems:
            self.failures.append(outcome)
            self.found.update(set(outcome.problems))


async def several(
    renderer: Renderer, stories: Iterator[Scenario], wanted: int, tally: Tally
) -> None:
    """Run scenarios until the wanted number have struck."""
    waiting: dict[tuple[str, bool], list[Scenario]] = {}
    struck, seeds = 0, count()
    while struck < wanted and not tally.late:
        story = next(stories)
        batch = waiting.setdefault(story.server, [])
        batch.append(story)
        if len(batch) < min(BATCH, wanted):
            continue
        del waiting[story.server]
        async with world_of(renderer, story.server, next(seeds)) as world:
            going_on: dict[tuple[str, int], Match | None] = {}
            for one in batch:
                if struck >= wanted or tally.late:
                    break
                table = (one.game, one.players)
                outcome = await scenarios.run(world, one, going_on.get(table))
                going_on[table] = outcome.match
                tally.add(outcome)
                struck += outcome.struck


async def alone(renderer: Renderer, story: Scenario) -> Outcome:
    """Run one scenario in its own world."""
    async with world_of(renderer, story.server, story.seed) as world:
        return await scenarios.run(world, story)


async def shortest(renderer: Renderer, story: Scenario) -> Outcome | None:
    """Find the shortest story with the same failure; ``None`` if it does not recur."""
    for turns in [t for t in scenarios.TURNS if t <= story.turns]:
        for seed in range(story.seed, story.seed + 3):
            outcome = await alone(renderer, replace(story, turns=turns, seed=seed))
            if outcome.problems:
                return outcome
            await asyncio.sleep(0)
    return None


async def lasting(renderer: Renderer, fault: Lasting) -> Report:
    """Let one route fail for long in a world of its own."""
    async with world_of(renderer, fault.server, fault.seed) as world:
        return await Evening(world, fault).run()


async def pressed(renderer: Renderer, wanted: int, seed: int, tally: Tally) -> None:
    """Press at random the wanted number of times, with a new crowd for each world."""
    servers = [("new", False), ("edit", False), ("new", True), ("edit", True)]
    for number in count():
        if tally.run["presses"] >= wanted or tally.late:
            return
        story = f"presses={min(CROWD, wanted)} seed={seed + number}"
        async with world_of(renderer, servers[number % len(servers)], seed + number) as world:
            crowd = Crowd(world, seed + number)
            while crowd.presses < min(CROWD, wanted) and not tally.late:
                for burst in await crowd.round():
                    tally.bursts.append((story, burst))
                    tally.found.update(set(burst.problems))
            tally.run["presses"] += crowd.presses

"""One route of Discord fails for a while under two gateways, and one of them dies meanwhile."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from bot.core.posts.failing_routes import MAX_RETRIES_A_MINUTE
from playground.errors import Impossible, InteractionFailed, NothingHappened
from playground.people import Person
from tests.chaos import lasting
from tests.chaos.boards import controls
from tests.chaos.lasting import MAX_RECOVERY, Lasting
from tests.chaos.world import DEADLINE
from tests.cluster import checks
from tests.cluster.cluster import Cluster
from tests.cluster.faults import Faults
from tests.cluster.tables import AWAY, Played

PAUSE: Final = 2.0
"""Maximum seconds between two presses in a channel."""
_BEFORE_DEATH: Final = 15.0
_AFTER_DEATH: Final = 35.0
_QUIET: Final = 65.0
"""Seconds without presses at the end of a fault, in which only the bot's own retries are counted."""
_RETRY_AFTER: Final = 30.0
"""Seconds that Discord says to wait, where it limits a route."""


def stories(dice: random.Random) -> Iterator[Lasting]:
    """Draw faults without end: each route and failure in turn."""
    while True:
        drawn = list(itertools.product(lasting.ROUTES, lasting.FAILURES))
        dice.shuffle(drawn)
        for route, failure in drawn:
            seed = dice.randrange(1_000_000)
            yield Lasting(route=route, failure=failure, hours=0, board="", threads=False, seed=seed)


@dataclass
class Outage:
    """A route that fails under a cluster, and what it did."""

    cluster: Cluster
    faults: Faults
    fault: Lasting
    hits: list[float] = field(default_factory=list)
    """When the dead route was asked."""
    problems: list[str] = field(default_factory=list)
    recovered: float = 0.0
    """Seconds from the end of the fault until all was in order."""
    followed: list[tuple[Played, Person]] = field(default_factory=list)
    _late: dict[int, float] = field(default_factory=dict)
    """Since when a match's board has not shown its turn."""

    async def run(self) -> None:
        """Play before, during and after the fault, and kill a gateway in the middle."""
        cluster, faults = self.cluster, self.faults
        cluster.play(PAUSE)
        await cluster.until(self._all_play, 60.0, "every table plays")
        await self._follow()
        began = cluster.clock.time()
        lasting.strike(
            cluster.playground.faults, self.fault, self.hits.append, retry_after=_RETRY_AFTER
        )
        await self._watch(_BEFORE_DEATH)
        await faults.kill(cluster.dice.choice([one for one in cluster.gateways if one.healthy]))
        await self._watch(_AFTER_DEATH)
        await asyncio.gather(cluster.rise(), faults.over())
        quiet = cluster.clock.time()
        await asyncio.sleep(_QUIET)
        cluster.playground.faults.clear()
        ended = cluster.clock.time()
        self._count(quiet)
        limit = MAX_RECOVERY + (_RETRY_AFTER if self.fault.failure == "429" else 0.0)
        left = await checks.unsettled(cluster, limit)
        while self._letters() and cluster.clock.time() < ended + limit:  # noqa: ASYNC110 -- no event to await
            await asyncio.sleep(0.5)
        self.recovered = cluster.clock.time() - ended
        self.problems += [f"a minute after its end: {one}" for one in left]
        self.problems += [
            one
            for one in await checks.problems(cluster, faults.done)
            if not (one.startswith("a press failed") and self.fault.route == "callback")
        ]
        self.problems += self._letters()
        for press in list(cluster.playground.interactions.failed):
            if began <= press.created_at <= ended:
                cluster.playground.interactions.failed.remove(press)

    async def _all_play(self) -> bool:
        return all(table.match is not None for table in self.cluster.tables)

    async def _follow(self) -> None:
        """Let somebody follow each match, so that its end brings a letter."""
        cluster = self.cluster
        for table in cluster.tables:
            if (match := table.match) is None:
                continue
            guild = table.channel.guild
            person = cluster.playground.add_person(f"F{cluster.dice.random()}", guild=guild)
            try:
                options = {"match": match.number}
                reply = await person.slash("/watch", channel=table.channel, options=options)
            except (Impossible, InteractionFailed, NothingHappened):
                continue
            if "follow" in reply.text.lower():
                self.followed.append((match, person))

    async def _watch(self, seconds: float) -> None:
        """Note each board that comes late, while people play."""
        clock = self.cluster.clock
        until = clock.time() + seconds
        while clock.time() < until:
            await asyncio.sleep(1.0)
            try:
                matches = await self.cluster.read()
            except AWAY:
                continue
            for match in matches:
                self._look(match, clock.time())

    def _look(self, match: Played, now: float) -> None:
        truth, boards = match.truth, self.cluster.boards
        live = [boards.shown[match.number][one] for one in boards.live[match.number]]
        shown = {c.version for board in live for c in controls(board)}
        if truth.finished or truth.version in shown:
            self._late.pop(match.number, None)
            return
        since = self._late.setdefault(match.number, now)
        hit = any(one.at - DEADLINE < now < one.until + DEADLINE for one in self.faults.done)
        if self.fault.route != "post" and not hit and now - since > DEADLINE:
            self._late[match.number] = float("inf")  # said once
            self.problems.append(f"match {match.number}: no board for {now - since:.0f} s")

    def _count(self, since: float) -> None:
        """Check how often the bot asked the dead route while nobody pressed anything."""
        minutes = Counter(int((at - since) // 60) for at in self.hits if at >= since)
        most = MAX_RETRIES_A_MINUTE * len(self.cluster.gateways)
        if minutes[0] > most:
            self.problems.append(f"the dead route was asked {minutes[0]} times in a minute")

    def _letters(self) -> list[str]:
        """Return what is wrong with the letters to those who follow."""
        world, found = self.cluster.playground.world, []
        for match, person in self.followed:
            channel = world.dm_channel(person.user, world.bot)
            number = len(channel.messages)
            if match.truth.finished and number != 1:
                found.append(f"match {match.number}: {number} letters to a follower")
        return found

    def __str__(self) -> str:
        """Say what it cost."""
        ended = sum(match.truth.finished for match, _ in self.followed)
        return (
            f"{self.fault.route} {self.fault.failure}: asked {len(self.hits)} times, in order"
            f" {self.recovered:.0f} s later, {ended} of {len(self.followed)} followed matches ended"
        )

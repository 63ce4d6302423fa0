"""Faults injected into the processes and PostgreSQL while people play."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import asyncpg  # type: ignore[import-untyped]

from tests.cluster.cluster import Cluster
from tests.cluster.programs import Program

TAKEOVER: Final = 15.0
"""Seconds until another gateway has taken over the shards of a lost one."""
_LONGEST_PAUSE: Final = 20.0
_UNTIL_AGAIN: Final = 5.0
"""Seconds until all processes have reconnected to PostgreSQL."""
_UNTIL_RESTART: Final = 5.0
_LEFT: Final = 1
"""Minimum number of gateways left alone at any time."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An injected fault."""

    at: float
    """Seconds since 1970."""
    what: str
    shards: frozenset[int] = frozenset()
    """Shards whose presses may fail because of it."""
    until: float = 0.0
    """When it is over. A press just before `at`, within the time Discord waits, may fail too."""


class Faults:
    """Injects faults into a cluster.

    Attributes:
        done: the faults injected so far.
    """

    def __init__(self, cluster: Cluster) -> None:
        """Take the randomness from a cluster's dice."""
        self._cluster = cluster
        self._later: set[asyncio.Task[None]] = set()
        self.done: list[Fault] = []

    async def at_random(self) -> None:
        """Inject a random fault; return once it is injected, not when it is over.

        Processes that ended by themselves are restarted first, as an operator's supervisor does.
        """
        for program in self._cluster.programs:
            if program.has_given_up:
                await program.start()
        kinds: dict[Callable[[], Awaitable[None]], int] = {
            self.kill: 10,
            self.suspend: 8,
            self.cut_connections: 3,
        }
        (fault,) = self._cluster.dice.choices(list(kinds), list(kinds.values()))
        await fault()

    def _victim(self) -> Program | None:
        """Pick a process that may be hit."""
        cluster = self._cluster
        healthy = [one for one in cluster.programs if one.healthy]
        gateways = [one for one in healthy if one.role == "gateway"]
        found = [one for one in healthy if one.role == "worker" or len(gateways) > _LEFT]
        return cluster.dice.choice(found) if found else None

    def _hit(self, program: Program) -> set[int]:
        """Return the shards that suffer when a process is hit.

        They are its own, plus those without another owner: it may be about to take them over.
        """
        cluster = self._cluster
        if program.role != "gateway":
            return set()
        others = [one for one in cluster.gateways if one.healthy and one is not program]
        answered = set().union(*(cluster.shards_of(one) for one in others))
        return cluster.shards_of(program) | (set(range(cluster.count)) - answered)

    def _note(self, what: str, shards: set[int], lasts: float) -> None:
        now = self._cluster.clock.time()
        self.done.append(Fault(now, what, frozenset(shards), now + lasts))

    async def kill(self, program: Program | None = None) -> None:
        """Kill a process, and restart it a while later."""
        program = program or self._victim()
        if program is None:
            return
        self._note(f"kill {program.name}", self._hit(program), TAKEOVER)
        await program.kill()
        self._do_later(self._restart(program))

    async def _restart(self, program: Program) -> None:
        await asyncio.sleep(self._cluster.dice.uniform(0.0, _UNTIL_RESTART))
        if not self._cluster.closing:
            await program.start()

    async def suspend(self, program: Program | None = None, seconds: float | None = None) -> None:
        """Suspend a process for a while."""
        program = program or self._victim()
        if program is None:
            return
        pause = self._cluster.dice.uniform(1.0, _LONGEST_PAUSE) if seconds is None else seconds
        self._note(f"suspend {program.name} for {pause:.1f} s", self._hit(program), TAKEOVER)
        program.suspend()
        self._do_later(self._resume(program, pause))

    async def _resume(self, program: Program, pause: float) -> None:
        await asyncio.sleep(pause)
        program.resume()

    async def cut_connections(self) -> None:
        """Cut the connections of all processes to PostgreSQL, one by one."""
        self._note("cut all connections", set(), 0.0)
        pids = await self._cluster.rows(
            "SELECT pid FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        for (pid,) in pids:
            with suppress(OSError, asyncpg.PostgresError):
                await self._cluster.rows("SELECT pg_terminate_backend($1)", pid)

    async def restart_postgresql(self) -> None:
        """Stop PostgreSQL and start it again."""
        # Presses need the database: a press meanwhile gets an error message or no answer.
        cluster = self._cluster
        every, began = frozenset(range(cluster.count)), cluster.clock.time()
        await asyncio.to_thread(cluster.server.stop)
        await asyncio.to_thread(cluster.server.ensure_postgres_running)
        until = cluster.clock.time() + _UNTIL_AGAIN
        self.done.append(Fault(began, "restart PostgreSQL", every, until))

    async def deploy(self) -> float:
        """Start one gateway more than needed in place of all of them, then end the old ones.

        Returns:
            The longest time in seconds that an old one took to end.
        """
        cluster = self._cluster
        old = [one for one in cluster.gateways if one.healthy]
        self._note("deploy", set(), 0.0)
        new = await cluster.start("gateway", "--replace")
        await cluster.until(self._has_all(new), 90.0, "the new gateway has all shards")
        seconds = await asyncio.gather(*(one.stop() for one in old))
        for _ in old[1:]:
            await cluster.start("gateway")
        return max(seconds)

    def _has_all(self, program: Program) -> Callable[[], Awaitable[object]]:
        async def reached() -> bool:
            cluster = self._cluster
            every = set(range(cluster.count))
            alone = all(cluster.playground.gateway.connections_of(one) == 1 for one in every)
            return alone and cluster.shards_of(program) == every

        return reached

    def _do_later(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)

    async def over(self) -> None:
        """Wait until all processes that were hit are running again."""
        while self._later:
            await asyncio.gather(*self._later)

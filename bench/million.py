"""A million open matches on PostgreSQL, served by two gateways.

Their clocks fall due as in a day with two decisions a match: a fifth of them each day, nine in ten for a
reminder and the others for their deadline. Meanwhile people at other tables press at a given rate.
Then one gateway is killed, and the other takes over its shards.

It needs 10 GB of disk, and at least half an hour. docs/scaling.md has the figures of one run.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import asyncpg  # type: ignore[import-untyped]

from bench import million_matches, postgresql
from bench.end_to_end import challenge
from bench.loopback.load import Load, LoadGenerator
from bench.loopback.program import Program
from bench.row import Row
from data.store.store import Store
from playground.app import Playground

MATCHES: Final = int(os.environ.get("MATCHES", "1_000_000"))
SERVERS: Final = 10_000
SHARDS: Final = 16
RATE: Final = float(os.environ.get("RATE", "50"))
"""Presses per second."""
SECONDS: Final = float(os.environ.get("SECONDS", "600"))
TABLES: Final = 64
GATEWAYS: Final = 2
WITHIN: Final = timedelta(days=5)
"""In which each clock falls due once."""
STARTING: Final = 600.0
SHARED: Final = (
    "SELECT count(*) FROM (SELECT FROM shards WHERE owner IS NOT NULL GROUP BY owner "
    f"HAVING count(*) = {SHARDS // GATEWAYS}) AS even"
)
"""Counts the gateways that have their share of the shards."""
SLOW: Final = 100
"""Milliseconds from which a statement counts as slow."""
_MB: Final = 1_000_000


def run(*, scale: float = 1.0) -> list[Row]:
    """Fill the database, measure and return the figures.

    Args:
        scale: the share of the usual matches, servers and load.
    """
    with postgresql.started() as server, tempfile.TemporaryDirectory(prefix="bench-") as folder:
        server.psql("CREATE DATABASE million")
        server.psql(f"ALTER SYSTEM SET log_min_duration_statement = {SLOW}")
        server.psql("SELECT pg_reload_conf()")
        url = server.get_uri(database="million", driver="asyncpg")
        return asyncio.run(_Run(url, Path(folder), scale).measure())


class _Run:
    """One measurement, and its figures."""

    def __init__(self, url: str, folder: Path, scale: float) -> None:
        self._url, self._folder = url, folder
        self._matches = max(100, round(MATCHES * scale))
        self._servers = max(SHARDS, round(SERVERS * scale))
        self._presses = max(20, round(RATE * SECONDS * scale))
        self._tables = max(4, round(TABLES * scale))
        self._rows: list[Row] = []
        self._waits: list[float] = []

    def _note(self, name: str, value: float, unit: str, note: str = "") -> None:
        load = f"load average {os.getloadavg()[0]:.1f}"
        self._rows.append(Row(f"million: {name}", value, unit, f"{note}; {load}".lstrip("; ")))

    async def measure(self) -> list[Row]:
        """Return the figures."""
        await (await Store.open(self._url)).close()
        async with AsyncExitStack() as stack:
            playground = await stack.enter_async_context(Playground())
            playground.gateway.shards = SHARDS
            playground.gateway.starts.max_concurrency = SHARDS
            guilds = [playground.add_server(f"Server {n}", ["Owner"]) for n in range(self._servers)]
            for guild in guilds:  # known for long: none gets a welcome
                playground.world.invite_bot(guild)
                guild.members[playground.world.bot.id].joined_at = datetime(2026, 1, 1, tzinfo=UTC)
            places = [(guild.id, next(iter(guild.channels))) for guild in guilds]
            began = time.perf_counter()
            await million_matches.fill(self._url, places, self._matches)
            self._note("filling the database", time.perf_counter() - began, "s")
            start = datetime.now(UTC) + timedelta(minutes=5)
            await million_matches.wind(self._url, start, WITHIN)
            await self._settle()
            size = await self._asked("SELECT pg_database_size(current_database())")
            self._note("the database", size / 2**30, "GB", f"{self._matches:,} open matches")

            generator = LoadGenerator(
                playground, challenge, tables=self._tables, spare=8, guilds=guilds
            )
            began = time.perf_counter()
            gateways = [
                await stack.enter_async_context(self._gateway(playground, number))
                for number in range(GATEWAYS)
            ]
            await _all_connected(playground)
            self._note("start", time.perf_counter() - began, "s", "until all shards are connected")
            await self._shared()
            self._note("shards shared", time.perf_counter() - began, "s", "evenly, since the start")
            await generator.prepare()
            spent = [one.processor_seconds() for one in gateways]
            watching = asyncio.create_task(self._watch())
            load = await generator.paced(RATE, self._presses)
            watching.cancel()
            self._pressed(load)
            used = sum(one.processor_seconds() for one in gateways) - sum(spent)
            self._note(
                "processor time of the gateways", 1000 * used / load.presses, "ms", "a press"
            )
            for number, one in enumerate(gateways, start=1):
                self._note(f"memory of gateway {number}", one.memory() / _MB, "MB")
            self._fallen_due()
            began = time.perf_counter()
            gateways[0].kill()
            await _all_connected(playground, wanted=False)
            await _all_connected(playground)
            self._note("takeover", time.perf_counter() - began, "s", "after one was killed")
        return self._rows

    def _gateway(self, playground: Playground, number: int) -> Program:
        home = self._folder / str(number)
        home.mkdir()
        settings = {"DATABASE_URL": self._url, "ANALYSE_MATCHES": "false"}
        return Program(playground, home, "bot", "gateway", settings=settings)

    async def _shared(self) -> None:
        """Wait until each gateway has as many shards: the first to come had all of them."""
        async with asyncio.timeout(STARTING):
            while await self._asked(SHARED) < GATEWAYS:  # noqa: ASYNC110 -- no event to await
                await asyncio.sleep(0.1)

    def _pressed(self, load: Load) -> None:
        name = f"{RATE:.0f} presses a second"
        self._note(f"{name}: reached", load.rate, "/s", f"{load.presses:,} presses")
        for what, seconds in (("acknowledge", load.acknowledged), ("next board", load.answered)):
            for percent in (50, 99):
                value = 1000 * _percentile(seconds, percent)
                self._note(f"{name}: p{percent} to {what}", value, "ms")

    async def _watch(self) -> None:
        """Note again and again for how long what fell due first has been waiting."""
        while True:
            self._waits.append(await self._asked(million_matches.LONGEST_WAIT))
            await asyncio.sleep(1)

    def _fallen_due(self) -> None:
        for percent in (50, 99):
            wait = _percentile(self._waits, percent)
            self._note(f"clocks: p{percent} of the longest wait", wait, "s", "asked each second")

    async def _settle(self) -> None:
        """Do what a database that has grown over months has done long ago."""
        began = time.perf_counter()
        for work in ("VACUUM (ANALYZE)", "CHECKPOINT"):
            await self._asked_all(work)
        await asyncio.to_thread(os.sync)
        self._note("vacuum and checkpoint", time.perf_counter() - began, "s")

    async def _asked(self, question: str) -> float:
        return float((await self._asked_all(question))[0][0])

    async def _asked_all(self, question: str, *values: object) -> Sequence[asyncpg.Record]:
        connection = await asyncpg.connect(self._url.replace("+asyncpg", ""))
        try:
            found: Sequence[asyncpg.Record] = await connection.fetch(question, *values)
            return found
        finally:
            await connection.close()


async def _all_connected(playground: Playground, *, wanted: bool = True) -> None:
    """Wait until each shard has one connection, or until one has not."""
    gateway, connected = playground.gateway, not wanted
    async with asyncio.timeout(STARTING):
        while connected is not wanted:
            await asyncio.sleep(0.1)
            connected = all(gateway.connections_of(number) == 1 for number in range(SHARDS))


def _percentile(values: Sequence[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]

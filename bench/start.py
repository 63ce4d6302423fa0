"""The cost of a start, and the time until the first player is answered.

The bot runs as usual, ``python -m bot`` in its own process on a SQLite file, connected to a
playground: it migrates nothing, registers its commands, connects and continues a match it finds
there. *At rest* means it has nothing left to do. Then it is started again, and a press is made the
moment it is connected, while everything is cold: the next board has never been painted.

This is done on a store with this one match, then with 100,000 open matches beside it, each a full
copy of the first. The figures are medians of three starts.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.end_to_end import GAME, RULES
from bench.loopback.load import LoadGenerator
from bench.loopback.program import Program
from bench.loopback.tables import Table
from bench.row import Row
from playground.app import Playground

STORES = (1, 100_000)
"""The numbers of open matches in the stores."""
TIMES = 3
MADE = 4
"""Presses made in the match beforehand."""
QUIET = 1.0
"""A process using hardly any processor time for this many seconds is at rest."""
HARDLY = 0.03
MOST_SECONDS, MOST_MB, MOST_MS = 2.0, 120.0, 600.0
"""Limits on a start's processor time, its memory, and the time to answer the first press."""
_MIB: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Start:
    """One start, and another one with a press."""

    listening: float
    """Seconds of processor time until it is connected."""
    rest: float
    """Seconds of processor time until it is at rest."""
    memory: float
    """MB of its own or shared memory, at rest."""
    answered: float
    """Milliseconds from the first press to its answer."""
    board: float
    """Milliseconds from the first press to the next board."""
    played: float
    """MB after that board."""


def run() -> list[Row]:
    """Measure and return the figures."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[Row]:
    file = folder / "games.db"
    async with Playground() as playground:
        generator = LoadGenerator(playground, _challenge, tables=1, spare=0)
        async with _bot(playground, file):
            await generator.prepare()
            for _ in range(MADE):
                await generator.tables[0].press()
        await playground.gateway.wait_connected(present=False)
        rows = []
        for matches in STORES:
            fill(file, matches)
            starts = [await _start(generator, playground, file) for _ in range(TIMES)]
            name = "start" if matches == 1 else f"start with {matches:,} open matches"
            rows += _rows(name, starts)
        if playground.violations:
            raise RuntimeError(f"Discord would refuse this: {playground.violations[0]}")
    return rows


async def _challenge(table: Table) -> None:
    one, other = table.people
    line = f"/{GAME} challenge"
    reply = await one.slash(line, channel=table.channel, opponent=other, rules=RULES)
    await other.press(await reply.filled(), "Accept")


def _bot(playground: Playground, file: Path) -> Program:
    return Program(playground, file.parent, "bot", settings={"DATABASE_URL": f"sqlite:///{file}"})


async def _start(generator: LoadGenerator, playground: Playground, file: Path) -> Start:
    async with _bot(playground, file) as bot:
        listening = bot.processor_seconds()
        rest = await _rest(bot)
        memory = bot.memory() / _MIB
    await playground.gateway.wait_connected(present=False)
    async with _bot(playground, file) as bot:
        began = time.perf_counter()
        reply, _ = await generator.tables[0].press()
        board = time.perf_counter() - began
        answered = reply.interaction.acknowledged_after or board
        await _rest(bot)
        played = bot.memory() / _MIB
    await playground.gateway.wait_connected(present=False)
    return Start(listening, rest, memory, 1000 * answered, 1000 * board, played)


async def _rest(bot: Program) -> float:
    """Wait until a program has nothing to do; return its processor time until then."""
    while True:
        before = bot.processor_seconds()
        await asyncio.sleep(QUIET)
        spent = bot.processor_seconds()
        if spent - before <= HARDLY:
            return before


def _rows(name: str, starts: list[Start]) -> list[Row]:
    def median(figure: str) -> float:
        return float(statistics.median(getattr(start, figure) for start in starts))

    return [
        Row(f"{name}: processor time until connected", median("listening"), "s"),
        Row(
            f"{name}: processor time until idle",
            median("rest"),
            "s",
            f"median of {len(starts)}",
            at_most=MOST_SECONDS,
        ),
        Row(f"{name}: idle memory", median("memory"), "MB", "resident", at_most=MOST_MB),
        Row(
            f"{name}: the first answer",
            median("answered"),
            "ms",
            "to a press the moment it is connected",
            at_most=MOST_MS,
        ),
        Row(f"{name}: the first board", median("board"), "ms", "to the same press"),
        Row(f"{name}: memory after the first board", median("played"), "MB", "resident"),
    ]


def fill(file: Path, matches: int) -> None:
    """Copy a SQLite file's match, with everything that belongs to it, up to a number of matches."""
    with closing(sqlite3.connect(file)) as database:
        (match,) = database.execute("SELECT min(id) FROM matches").fetchone()
        for table, changed in _COPIES.items():
            columns = [name for _, name, *_ in database.execute(f"PRAGMA table_info({table})")]
            copied = [column for column in columns if column != _NUMBERED.get(table)]
            values = ", ".join(changed.get(column, column) for column in copied)
            database.execute(
                f"WITH RECURSIVE copies(n) AS (SELECT 1 WHERE :copies > 0 UNION ALL SELECT n + 1 FROM copies"
                f" WHERE n < :copies) INSERT INTO {table} ({', '.join(copied)})"
                f" SELECT {values} FROM {table}, copies"
                f" WHERE {'id' if table == 'matches' else 'match_id'} = :match",
                {"copies": matches - 1, "match": match},
            )
        database.execute("ANALYZE")
        database.commit()


_MATCH: Final = {"match_id": "match_id + n"}
_COPIES: Final[dict[str, dict[str, str]]] = {
    "matches": {"id": "id + n", "channel_id": "channel_id + n", "challenge_id": "challenge_id + n"},
    "challenges": _MATCH | {"id": "id + n", "message_id": "message_id + n"},
    "players": _MATCH | {"user_id": "user_id + 10 * n"},
    "moves": _MATCH,
    "boards": _MATCH | {"message_id": "message_id + n", "channel_id": "channel_id + n"},
    "clocks": _MATCH | {"user_id": "user_id + 10 * n"},
    "outbox": _MATCH | {"nonce": "nonce || '-' || n"},
}
"""The tables with a match's data, and what differs in the copies."""
_NUMBERED: Final = {"outbox": "id"}
"""Autoincrement columns."""

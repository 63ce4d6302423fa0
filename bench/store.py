"""The cost of the store: a turn's transaction, and loading a match with its log.

A turn writes what the bot writes: three entries of the log (a move and the throws that follow), the
length of the match and one job for Discord. It is compared with bare sqlite3 running the same
statements in one thread, both with the disk's confirmation (synchronous=FULL), alternating.
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from bench.row import Row
from data.matches import match_log, matches, outbox
from data.matches.match import Entry, Match, Player
from data.store.store import Store, Transaction

TURNS = 300
ENTRIES = 3
LOADS = 40
PLIES = 300
NOW = datetime(2026, 1, 1, tzinfo=UTC)
STAMP = NOW.isoformat(timespec="microseconds")


def run() -> list[Row]:
    """Measure and return the figures."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[Row]:
    store = await Store.open(f"sqlite:///{folder}/games.db")
    with closing(sqlite3.connect(folder / "games.db", isolation_level=None)) as bare:
        bare.execute("PRAGMA synchronous=FULL")
        bare.execute("PRAGMA foreign_keys=ON")
        try:
            return [*await _turns(store, bare), await _loading(store)]
        finally:
            await store.close()


async def _turns(store: Store, bare: sqlite3.Connection) -> list[Row]:
    ours, theirs = await _match(store), await _match(store)

    async def turn(number: int) -> None:
        first = number * ENTRIES + 1

        async def work(tx: Transaction) -> None:
            await match_log.append(tx, ours, _entries(first))
            await outbox.put(
                tx, match_id=ours, kind="board", payload={"ply": first}, nonce=f"o{first}", at=NOW
            )

        await store.run_write(work)

    async def bare_turn(number: int) -> None:
        _bare_turn(bare, theirs, number * ENTRIES + 1)

    for number in range(20):
        await turn(number)
        await bare_turn(number)
    walls: list[float] = []
    processor: list[float] = []
    bare_walls: list[float] = []
    for number in range(20, 20 + TURNS):
        wall, spent = await _timed(turn, number)
        walls.append(wall)
        processor.append(spent)
        wall, _ = await _timed(bare_turn, number)
        bare_walls.append(wall)
    wall, least = statistics.median(walls), statistics.median(bare_walls)
    note = f"{ENTRIES} entries and a job for Discord, with the disk's confirmation"
    return [
        Row("store: a turn's transaction", wall, "ms", note),
        Row("store: the same on bare sqlite3", least, "ms", "one thread, no event loop"),
        Row("store: a turn against bare sqlite3", wall / least, "×", "lower is better"),
        Row(
            "store: processor time of a turn in the event loop",
            statistics.median(processor),
            "ms",
            "what other presses must wait for",
        ),
    ]


async def _loading(store: Store) -> Row:
    number = await _match(store)
    async with store.write() as tx:
        for first in range(1, PLIES, ENTRIES):
            await match_log.append(tx, number, _entries(first))

    async def load(_: int) -> None:
        async with store.read() as tx:
            await matches.get(tx, number)
            log = await match_log.read(tx, number)
        assert len(log) == PLIES

    walls = [(await _timed(load, turn))[0] for turn in range(LOADS)]
    return Row(
        "store: load a match", statistics.median(walls), "ms", f"with a log of {PLIES} plies"
    )


async def _timed(work: Callable[[int], Awaitable[None]], number: int) -> tuple[float, float]:
    wall, spent = time.perf_counter(), time.thread_time()
    await work(number)
    return (time.perf_counter() - wall) * 1000, (time.thread_time() - spent) * 1000


async def _match(store: Store) -> int:
    async with store.write() as tx:
        seated = tuple(Player(seat, user) for seat, user in enumerate((11, 12)))
        return await matches.add(
            tx,
            Match(
                0,
                game="bench",
                rules_version=1,
                options={},
                guild_id=1,
                channel_id=2,
                seed=b"",
                commitment="",
                created_at=NOW,
                players=seated,
            ),
        )


def _entries(first: int) -> list[Entry]:
    return [Entry(ply, None, "l1-l2,k1-l1", NOW) for ply in range(first, first + ENTRIES)]


def _bare_turn(bare: sqlite3.Connection, match: int, first: int) -> None:
    bare.execute("BEGIN IMMEDIATE")
    bare.execute(
        "UPDATE matches SET plies = ? WHERE id = ? AND plies = ? AND finished_at IS NULL",
        (first - 1 + ENTRIES, match, first - 1),
    )
    bare.executemany(
        "INSERT INTO moves (match_id, ply, actor, notation, made_at) VALUES (?, ?, ?, ?, ?)",
        [(match, first + number, None, "l1-l2,k1-l1", STAMP) for number in range(ENTRIES)],
    )
    bare.execute(
        "INSERT INTO outbox (match_id, kind, payload, nonce, created_at, attempts)"
        " VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        (match, "board", f'{{"ply":{first}}}', f"b{first}", STAMP, 0),
    ).fetchone()
    bare.execute("COMMIT")

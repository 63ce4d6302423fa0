"""The cost of a leaderboard page and of a result after a million rated results.

The program itself computes the ratings, which takes most of the time. `bench.rated_results` has the
results.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import func, select

from bench import postgresql, rated_results
from bench.rated_results import GAMES, NOW
from bench.row import Row
from bot.core.scheduling.scheduler import WallClock
from bot.features.leaderboards.profiles import Profiles
from bot.features.leaderboards.service import PER_PAGE, Leaderboards
from bot.play.matches.endings import void
from bot.play.ratings import recomputing
from bot.play.ratings.service import rate
from bot.play.ratings.skill import active_since
from data.matches import matches
from data.matches.match import Match, Player
from data.ratings import leaderboards, ratings
from data.ratings.rating import EVERYWHERE, results
from data.ratings.rating import ratings as ratings_table
from data.ratings.scores import rivals, scores
from data.sql.transaction import Record
from data.store.store import Store

TIMES = 15
_PAUSE = 0.01
_LARGEST = (
    select(ratings_table.c.scope)
    .where(ratings_table.c.scope != EVERYWHERE)
    .group_by(ratings_table.c.scope)
    .order_by(func.count().desc())
    .limit(1)
)
_FIRST = (
    select(results.c.match_id).where(results.c.game == GAMES[0]).order_by(results.c.id).limit(1)
)
_number = func.sum(scores.c.won + scores.c.drawn + scores.c.lost)
_BUSIEST = (
    select(scores.c.user_id, _number.label("number"))
    .where(scores.c.scope == EVERYWHERE)
    .group_by(scores.c.user_id)
    .order_by(_number.desc())
    .limit(1)
)


def run() -> list[Row]:
    """Measure on both databases and return the figures."""
    return [*asyncio.run(_on_sqlite()), *asyncio.run(_on_postgresql())]


async def _on_sqlite() -> list[Row]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        store = await Store.open(f"sqlite:///{path}")
        try:
            rated_results.fill_sqlite(path)
            return await _measure(store, "SQLite")
        finally:
            await store.close()


async def _on_postgresql() -> list[Row]:
    async with AsyncExitStack() as stack:
        server = stack.enter_context(postgresql.started())
        store = await Store.open(server.get_uri(driver="asyncpg"))
        stack.push_async_callback(store.close)
        bare = await asyncpg.connect(server.get_uri())
        stack.push_async_callback(bare.close)
        await rated_results.fill_postgresql(bare)
        return await _measure(store, "PostgreSQL", after=bare)


async def _measure(store: Store, where: str, after: asyncpg.Connection | None = None) -> list[Row]:
    started = time.perf_counter()
    count = await recomputing.recompute_everything(store)
    spent = time.perf_counter() - started
    assert count == rated_results.RESULTS
    if after is not None:
        await after.execute("VACUUM ANALYZE")
    note = f"{rated_results.RESULTS:,} results, {rated_results.PLAYERS:,} players, {rated_results.SERVERS:,} servers"
    return [
        Row(f"leaderboards, {where}: recompute all ratings", spent, "s", note),
        *await measured(store, where),
    ]


async def measured(store: Store, where: str) -> list[Row]:
    """Measure reads from a full store, and the cost of a result there."""
    async with store.read() as tx:
        largest = await tx.row(_LARGEST)
        busiest = await tx.row(_BUSIEST)
        assert largest is not None
        assert busiest is not None
    rows: list[Row] = []
    for scope, name in ((largest.scope, "the largest server"), (EVERYWHERE, "all servers")):
        rows += [replace(row, name=f"{row.name}, {name}") for row in await _pages(store, scope)]
    rows += [await _profile(store, busiest), await _rivals(store, busiest.user_id)]
    rows.append(await _result(store))
    rows += await _void(store)
    return [replace(row, name=f"leaderboards, {where}: {row.name}") for row in rows]


async def _pages(store: Store, scope: int) -> list[Row]:
    """Measure pages of a board, each with the place of its last player."""
    boards = Leaderboards(store, clock=_Clock())
    since = active_since(NOW)
    async with store.read() as tx:
        histogram = await ratings.read_histogram(tx, scope, GAMES[0], ratings.day(since))
        players = await tx.row(
            select(func.count()).where(
                ratings_table.c.scope == scope, ratings_table.c.game == GAMES[0]
            )
        )
        assert players is not None
        last = await leaderboards.ranked(
            tx, scope, GAMES[0], histogram, since=since, limit=1, offset=max(0, histogram.total - 1)
        )
    reader = last[0].user_id if last else 1
    ranked, others = histogram.total, min(players[0] - histogram.total, leaderboards.MAX_UNRANKED)
    pages = {
        "the first page": 0,
        "the middle ranked page": ranked // PER_PAGE // 2,
        "the first provisional page": ranked // PER_PAGE,
        "the last provisional page": max(0, ranked + others - 1) // PER_PAGE,
        "a page beyond the last": ranked + others,
    }
    rows = []
    for which, page in pages.items():
        read = partial(boards.read, scope, GAMES[0], reader=reader, page=page)
        what = f"{ranked:,} ranked of {players[0]:,} players; including the reader's own rank"
        rows.append(Row(which, await _median(read), "ms", what, at_most=20))
    return rows


async def _profile(store: Store, busiest: Record) -> Row:
    read = partial(
        Profiles(store, clock=_Clock()).read, busiest.user_id, None, game=GAMES[0], whole=True
    )
    note = f"of the most active player: {busiest.number:,} matches"
    return Row("profile", await _median(read), "ms", note, at_most=20)


async def _rivals(store: Store, user_id: int) -> Row:
    """Measure two players who met once: all matches of one of them are searched."""
    async with store.read() as tx:
        rival = await tx.row(
            select(rivals.c.rival_id)
            .where(rivals.c.user_id == user_id, rivals.c.scope == EVERYWHERE, rivals.c.games == 1)
            .limit(1)
        )
    assert rival is not None
    read = partial(Profiles(store, clock=_Clock()).rivalry, user_id, rival.rival_id, None)
    note = "the most active player against an opponent met once"
    return Row("head to head", await _median(read), "ms", note, at_most=20)


async def _result(store: Store) -> Row:
    dice = random.Random(2)
    walls = [await _finish(store, dice) for _ in range(TIMES)]
    note = "in the transaction that ends the match, before its commit"
    return Row("count and rate a result", statistics.median(walls), "ms", note, at_most=20)


async def _finish(store: Store, dice: random.Random) -> float:
    """Finish a match; return how many milliseconds its scores and ratings took."""
    async with store.write() as tx:
        people = dice.sample(range(1, rated_results.PLAYERS), 2)
        seated = tuple(Player(seat, user, "") for seat, user in enumerate(people))
        number = await matches.add(
            tx,
            Match(
                0,
                game=GAMES[0],
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
        await matches.finish(tx, number, ranks={0: 1, 1: 2}, reason="", at=NOW)
        match = await matches.get_existing(tx, number)
        begun = time.perf_counter()
        await rate(tx, match, NOW)
        return (time.perf_counter() - begun) * 1000


async def _void(store: Store) -> list[Row]:
    """Measure recomputing everything after the first match, and how long other work waits."""
    async with store.write() as tx:
        first = await tx.row(_FIRST)
        assert first is not None
        await void(tx, first.match_id, reason="", by=0, at=NOW)
    begun = time.perf_counter()
    recomputing_all = asyncio.create_task(recomputing.recompute_outdated(store))
    dice = random.Random(3)
    finishing = asyncio.create_task(_waits(recomputing_all, partial(_finish, store, dice)))
    pauses = await _waits(recomputing_all, partial(asyncio.sleep, _PAUSE))
    spent = time.perf_counter() - begun
    finished = await finishing
    note = "99th percentile"
    return [
        Row("recompute after voiding the first match", spent, "s"),
        Row("event loop lag meanwhile", _p99(pauses) - 1000 * _PAUSE, "ms", note),
        Row("finish a match meanwhile", _p99(finished), "ms", note),
    ]


async def _waits(until: asyncio.Task[Any], work: Callable[[], Awaitable[object]]) -> list[float]:
    """Return the milliseconds some work takes, repeated until a task is done."""
    walls = []
    while not until.done():
        begun = time.perf_counter()
        await work()
        walls.append((time.perf_counter() - begun) * 1000)
        await asyncio.sleep(_PAUSE)
    return walls


def _p99(walls: list[float]) -> float:
    return sorted(walls)[len(walls) * 99 // 100]


async def _median(work: Callable[[], Awaitable[object]]) -> float:
    walls = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        await work()
        walls.append((time.perf_counter() - begun) * 1000)
    return statistics.median(walls)


class _Clock(WallClock):
    """A stopped clock."""

    def __call__(self) -> datetime:
        return NOW

"""Ratings recomputed while matches go on, and while the program is stopped."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from functools import partial
from itertools import count
from typing import Any

import pytest

from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.pool import WorkerFailure
from bot.core.workers.task_queue import Lane, TaskRunner
from bot.play.ratings import recomputing
from data import computer_tasks, locks, privacy
from data.computer_tasks import Kind
from data.ratings import ratings
from data.sql.errors import Busy
from data.store.store import Store, Transaction
from tests.bot.play.ratings.season import (
    Season,
    all_of,
    check_recomputed,
    on_sqlite,
    played,
    unequal_game,
    voided,
)
from tests.data.people import ANN, BEN, CAROL, NOW, SERVER


class Killed(Exception):
    """The program is stopped."""


class Watched:
    """A store that runs a hook after each write transaction."""

    def __init__(self, store: Store, then: Callable[[int], Awaitable[None]]) -> None:
        """Call ``then`` with each transaction's number once it is committed."""
        self._store = store
        self._then = then
        self._number = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[Transaction]:
        """Begin a transaction; its hook runs once it is committed."""
        async with self._store.write() as tx:
            yield tx
        self._number += 1
        await self._then(self._number)


def watched(store: Store, then: Callable[[int], Awaitable[None]]) -> Any:
    """Return a store that runs a hook after each write transaction."""
    return Watched(store, then)


async def season(db: Store, number: int) -> Season:
    """Play some random matches."""
    found = Season(random.Random(8))
    await db.run_write(partial(found.play, number))
    return found


async def outdated_games(db: Store) -> list[str]:
    """Return the games with outdated ratings."""
    async with db.read() as tx:
        return [one.game for one in await ratings.all_outdated(tx)]


@on_sqlite
async def test_nothing_is_recomputed_without_a_mark(db: Store) -> None:
    await season(db, 5)
    before = await all_of(db)
    assert await recomputing.recompute_outdated(db) == []
    assert await all_of(db) == before


async def test_interrupted_after_any_transaction_it_resumes_with_the_same_result(db: Store) -> None:
    played = await season(db, 16)
    for _ in range(3):
        await voided(db, played.ended.pop(4))

    async def kill(number: int) -> None:
        if number >= patience:
            raise Killed

    patience = 0
    while await outdated_games(db):
        patience += 1
        try:
            await recomputing.recompute_outdated(watched(db, kill), batch=3)
        except Killed:
            continue
    assert patience > 4
    await check_recomputed(db)


async def test_results_during_a_recomputation_are_rated_too(db: Store) -> None:
    going_on = await season(db, 16)
    await voided(db, going_on.ended.pop(4))

    async def more(number: int) -> None:
        if number < 9:
            await db.run_write(partial(going_on.play, 2))

    await recomputing.recompute_outdated(watched(db, more), batch=4)
    assert await outdated_games(db) == []
    await check_recomputed(db)


@on_sqlite
async def test_voiding_a_games_only_match_leaves_no_ratings(db: Store) -> None:
    slug = unequal_game()
    async with db.write() as tx:
        number = await played(tx, [ANN, BEN], [1, 2], game=slug)
        assert len(await ratings.sides(tx, slug, SERVER)) == 2
    await voided(db, number)
    await recomputing.recompute_outdated(db)
    found = await check_recomputed(db)
    assert not any(found.values())


async def test_a_void_and_a_deletion_during_a_recomputation_are_not_lost(db: Store) -> None:
    going_on = await season(db, 30)
    await voided(db, going_on.ended.pop(9))

    async def happen(number: int) -> None:
        if number in {1, 4}:
            await voided(db, going_on.ended.pop(5))
        if number in {2, 5, 7}:
            gone = going_on.people.pop(0)
            await db.run_write(partial(privacy.erase, user_id=gone, stranger=-number))

    await recomputing.recompute_outdated(watched(db, happen), batch=4)
    found = await check_recomputed(db)
    users = {row[0] for row in found["ratings"]} | {row[0] for row in found["rating_changes"]}
    assert not users & {ANN, BEN, CAROL}
    assert {-2, -5, -7} <= users


async def test_data_deleted_between_read_and_write_is_not_written_back(db: Store) -> None:
    """The recomputation has read the id of a player who has since been erased."""
    async with db.write() as tx:
        first = await played(tx, [ANN, BEN], [1, 2])
        for hour in range(6):
            await played(tx, [ANN, BEN], [1, 2], at=NOW + timedelta(hours=hour))
    await voided(db, first)
    erased = asyncio.Event()

    class Erasing:
        """A store that erases a player once the first results have been read."""

        write = db.write

        @asynccontextmanager
        async def read(self) -> AsyncIterator[Transaction]:
            async with db.read() as tx:
                yield tx
            if next(reads) == 1:  # outdated ratings are read first, then the first results
                erased.set()
                await db.run_write(partial(privacy.erase, user_id=ANN, stranger=-9))

    reads = count()
    store: Any = Erasing()
    await recomputing.recompute_outdated(store, batch=4)
    assert erased.is_set()
    found = await check_recomputed(db)
    assert all(
        row[0] != ANN for rows in (found["ratings"], found["rating_changes"]) for row in rows
    )


def recomputing_of(db: Store, *, batch: int, through: Any = None) -> TaskRunner:
    """Return a background recomputation of a store's ratings, optionally through another store."""
    lanes = [Lane(1, {Kind.RATINGS: partial(recomputing.do_task, through or db, batch=batch)})]
    return TaskRunner(db, lanes, clock=WallClock())


@on_sqlite
async def test_outdated_ratings_are_recomputed_at_startup_and_after_every_void(db: Store) -> None:
    going_on = await season(db, 15)
    await voided(db, going_on.ended.pop(3))
    runner = recomputing_of(db, batch=3)
    await runner.idle()
    assert await outdated_games(db) != []
    await runner.start()
    await runner.idle()
    assert await outdated_games(db) == []
    await voided(db, going_on.ended.pop(3))
    await runner.idle()
    assert await outdated_games(db) == []
    async with db.read() as tx:
        assert await computer_tasks.queue_lengths(tx) == ()
    await runner.close()
    await runner.close()
    await check_recomputed(db)


async def test_it_can_be_stopped_at_any_time(db: Store) -> None:
    going_on = await season(db, 12)
    for steps in [0, 1, 3, 9, 27, 81]:
        await voided(db, going_on.ended.pop(3))
        runner = recomputing_of(db, batch=2)
        await runner.start()
        for _ in range(steps):
            await asyncio.sleep(0)
        await runner.close()
        await check_recomputed(db)


@on_sqlite
async def test_it_retries_after_a_while_if_the_store_fails(db: Store) -> None:
    going_on = await season(db, 15)
    await voided(db, going_on.ended.pop(3))

    async def fail(_: int) -> None:
        failures.append(1)
        if len(failures) < 3:
            raise Busy("not now")

    failures: list[int] = []
    runner = recomputing_of(db, batch=2, through=watched(db, fail))
    await runner.start()
    while await outdated_games(db):  # noqa: ASYNC110 -- it waits a moment by itself
        await asyncio.sleep(0.05)
    await runner.idle()
    await runner.close()
    assert len(failures) >= 3
    await check_recomputed(db)


@on_sqlite
async def test_ratings_outdated_as_a_recomputation_ends_are_recomputed_again(
    db: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    going_on = await season(db, 10)
    await voided(db, going_on.ended[3])
    async with db.write() as tx:
        task = await computer_tasks.claim(tx, [Kind.RATINGS], 1000)
    assert task is not None

    recompute = recomputing.recompute_outdated

    async def too_early(store: Store, game: str, *, batch: int) -> list[str]:
        found = await recompute(store, game, batch=batch)
        async with store.write() as tx:  # the task is leased, so it is not added a second time
            await locks.lock_results(tx, game)
            await ratings.outdate(tx, game, 0)
        return found

    with monkeypatch.context() as patch:
        patch.setattr(recomputing, "recompute_outdated", too_early)
        with pytest.raises(WorkerFailure, match="again"):
            await recomputing.do_task(db, task, lambda _: None)
    assert await outdated_games(db) == [task.name]
    await recomputing.do_task(db, task, lambda _: None)
    assert await outdated_games(db) == []
    async with db.read() as tx:
        assert await computer_tasks.queue_lengths(tx) == ()


@on_sqlite
async def test_a_new_formula_recomputes_every_game_once(db: Store) -> None:
    await season(db, 15)
    before = await all_of(db)
    assert await recomputing.check_formula(db)
    games = await outdated_games(db)
    assert len(games) == 3
    assert not await recomputing.check_formula(db)
    assert await recomputing.recompute_outdated(db, batch=3) == games
    assert await all_of(db) == before

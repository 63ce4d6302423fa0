"""Running ratings compared with recomputed ones, on both databases."""

from __future__ import annotations

import asyncio
import random
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from bot.play.matches.endings import void
from bot.play.ratings import recomputing
from bot.play.ratings.calculator import FULL, MAX_PER_WEEK
from bot.play.ratings.service import rate
from data import privacy
from data.matches import matches
from data.ratings import leaderboards, ratings, results
from data.ratings.rating import EVERYWHERE
from data.store.store import Store, Transaction
from tests.bot.play.ratings.season import (
    Season,
    all_of,
    check_recomputed,
    on_sqlite,
    own,
    played,
    unequal_game,
    voided,
)
from tests.data.people import ANN, BEN, CAROL, DAN, NOW, SERVER, match


async def test_running_ratings_equal_recomputed_ones_over_many_results(db: Store, url: str) -> None:
    """With voids whose consequences are computed at once, later or in small slices."""
    season = Season(random.Random(5))
    for turn in range(12):
        await db.run_write(partial(season.play, 10))
        if turn % 4 == 3:
            for _ in range(season.dice.choice([1, 2])):
                await voided(db, season.void())
            if turn % 8 == 3:
                await recomputing.recompute_outdated(db, batch=season.dice.choice([2, 20, 400]))
        if turn % 10 == 5:
            gone = season.people.pop(season.dice.randrange(len(season.people)))
            await db.run_write(partial(privacy.erase, user_id=gone, stranger=-turn))
            season.people.append(gone + 5000)  # a new player in their place
    found = await check_recomputed(db)
    assert len(found["rating_changes"]) > len(season.ended)
    assert any(not row[5] for row in found["rating_changes"]), (
        "some games are too many against one opponent to be rated"
    )
    assert found["side_ratings"]
    assert found["rating_histogram"]


@on_sqlite
async def test_voiding_the_first_result_changes_all_later_ratings(db: Store) -> None:
    async with db.write() as tx:
        first = await played(tx, [ANN, BEN], [1, 2])
        await played(tx, [BEN, CAROL], [1, 2], at=NOW + timedelta(days=1))
        await played(tx, [CAROL, DAN], [1, 2], at=NOW + timedelta(days=2))
    before = await own(db, DAN)
    await voided(db, first)
    assert await own(db, ANN) is None, "without another rated match, the place is lost at once"
    await recomputing.recompute_outdated(db)
    after = await own(db, DAN)
    ben = await own(db, BEN, EVERYWHERE)
    assert before is not None
    assert after is not None
    assert before.mu != after.mu
    assert ben is not None
    assert (ben.games, ben.won, ben.opponents) == (1, 1, 1)
    await check_recomputed(db)


async def test_voiding_a_match_twice_or_an_unrated_match_changes_no_rating(db: Store) -> None:
    async with db.write() as tx:
        number = await played(tx, [ANN, BEN], [1, 2], unrated=True)
        await played(tx, [ANN, BEN], [1, 2])
    before = await all_of(db)
    await voided(db, number)
    async with db.write() as tx:
        assert await void(tx, number, reason="no", by=ANN, at=NOW) is None
        assert await void(tx, 999_999, reason="no", by=ANN, at=NOW) is None
        assert await ratings.all_outdated(tx) == ()
    after = await all_of(db)
    assert [after[name] for name in ("rating_changes", "ratings")] == [
        before[name] for name in ("rating_changes", "ratings")
    ]
    await check_recomputed(db)


@on_sqlite
@pytest.mark.parametrize(
    ("match", "count"),
    [
        ({"ending": "resigned", "moves": 1}, 1),
        ({"ending": "forfeited", "moves": 1}, 1),
        ({"ending": None, "moves": 1}, 1),
        ({"unrated": True}, 0),
    ],
)
async def test_losses_and_matches_ended_by_the_rules_count_unless_unrated(
    db: Store, match: dict[str, Any], count: int
) -> None:
    """Those that had hardly begun are ``aborted``, see tests/bot/play/matches/test_leaving."""
    async with db.write() as tx:
        await played(tx, [ANN, BEN], [1, 2], **match)
        assert await results.count_rated(tx) == count
    await check_recomputed(db)


@on_sqlite
async def test_a_match_without_a_result_is_not_rated(db: Store) -> None:
    async with db.write() as tx:
        number = await match(tx, [ANN, BEN])
        await matches.finish(tx, number, ranks={}, reason="void", at=NOW, ending="aborted")
        assert not await rate(tx, await matches.get_existing(tx, number), NOW)


@on_sqlite
async def test_each_result_is_rated_as_if_all_before_it_were_known(db: Store) -> None:
    """What is read of them: the limit of a pair, who has met how many, and the balance of sides."""

    async def meet(tx: Transaction) -> None:
        for turn in range(FULL + 1):
            for people in ([ANN, BEN], [BEN, 2000 + turn]):
                at = NOW + timedelta(hours=turn)
                await played(tx, people, [1, 2], game=unequal_game(), at=at)

    await db.run_write(meet)
    found = await check_recomputed(db)
    assert not all(row[5] for row in found["rating_changes"]), "two meet too often"
    assert any(row[10] == 1 for row in found["rating_changes"]), "one has met enough to count fully"


@on_sqlite
async def test_voiding_a_rated_match_rates_one_that_was_over_the_limit(db: Store) -> None:
    async with db.write() as tx:
        numbers = [
            await played(tx, [ANN, BEN], [1, 2], at=NOW + timedelta(hours=hour))
            for hour in range(MAX_PER_WEEK + 1)
        ]
    await voided(db, numbers[3])
    await recomputing.recompute_outdated(db)
    ann = await own(db, ANN)
    assert ann is not None
    assert ann.games == MAX_PER_WEEK
    await check_recomputed(db)


async def test_deleting_a_player_does_not_change_their_opponents_ratings(db: Store) -> None:
    async with db.write() as tx:
        for hour in range(4):
            await played(tx, [ANN, BEN], [1, 2], at=NOW + timedelta(hours=hour))
        first = await played(tx, [CAROL, BEN], [1, 2], at=NOW + timedelta(hours=9))
        before = await ratings.get(tx, "nim", SERVER, BEN)
        await privacy.erase(tx, ANN, -7)
        assert await ratings.get(tx, "nim", SERVER, BEN) == before
        assert await ratings.get(tx, "nim", SERVER, ANN) is None
        shown = await leaderboards.unranked(tx, SERVER, "nim", since=NOW, limit=9, offset=0)
        assert [one.user_id for one in shown] == [BEN, CAROL]
    await voided(db, first)
    await recomputing.recompute_outdated(db)
    ben = await own(db, BEN)
    assert ben is not None
    assert (ben.games, ben.opponents) == (4, 1)
    await check_recomputed(db)


async def test_simultaneous_results_of_the_same_players_are_rated_in_turn(db: Store) -> None:
    async def one(number: int) -> None:
        people = [ANN, BEN] if number % 2 else [BEN, CAROL]
        async with db.write() as tx:
            await played(tx, people, [1, 2], at=NOW + timedelta(seconds=number))

    await asyncio.gather(*(one(number) for number in range(8)))
    async with db.read() as tx:
        ben = await ratings.get(tx, "nim", SERVER, BEN)
    assert ben is not None
    assert (ben.games, ben.opponents) == (8, 2)
    await check_recomputed(db)


async def test_a_simultaneous_result_and_void_leave_correct_ratings(db: Store) -> None:
    async with db.write() as tx:
        numbers = [
            await played(tx, [ANN, BEN], [1, 2], at=NOW + timedelta(hours=hour))
            for hour in range(4)
        ]

    async def more() -> None:
        async with db.write() as tx:
            await played(tx, [BEN, CAROL], [1, 2], at=NOW + timedelta(hours=9))

    await asyncio.gather(voided(db, numbers[0]), more(), voided(db, numbers[2]), more())
    found = await check_recomputed(db)
    assert len({row[3] for row in found["rating_changes"]}) == 4

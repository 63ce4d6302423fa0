"""Pages and places by the crowd, against the same sorted naively."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from data import crowd, leaderboards, ratings
from data.ratings import Stand
from tests.data.people import NOW, SERVER

if TYPE_CHECKING:
    from data.store import Store

TODAY = NOW.replace(hour=0, minute=0, second=0, microsecond=0)
SINCE = TODAY - timedelta(days=60)
PER_PAGE = 10


def stand(user_id: int, mu: float, *, games: int, last_at: datetime, settled: bool) -> Stand:
    """Return where somebody stands."""
    return Stand(
        user_id=user_id,
        scope=SERVER,
        game="nim",
        mu=mu,
        sigma=2.0,
        games=games,
        won=games,
        drawn=0,
        lost=0,
        streak=games,
        best=games,
        form="w" * min(games, 10),
        last_at=last_at,
        opponents=3,
        settled=settled,
    )


def people(dice: random.Random, number: int) -> list[Stand]:
    """Return people of every kind, many with the same mean, and some on the edge of a bucket."""
    return [
        stand(
            user_id if dice.random() < 0.97 else -user_id,
            dice.choice([25.0, 25.25, 24.999, -0.25, dice.gauss(25, 3), dice.gauss(25, 3)]),
            games=dice.randrange(1, 30),
            last_at=dice.choice([TODAY, SINCE])
            + timedelta(seconds=dice.randrange(-90_000, 90_000)),
            settled=dice.random() < 0.7,
        )
        for user_id in range(1, number + 1)
    ]


async def test_every_page_and_every_place_is_that_of_a_naive_sort(db: Store) -> None:
    everybody = people(random.Random(3), 400)
    shown = [one for one in everybody if one.user_id > 0]
    listed = [one for one in shown if one.settled and one.last_at >= SINCE]
    listed.sort(key=lambda one: (one.mu, one.games, one.user_id), reverse=True)
    new = [one for one in shown if not one.settled]
    new.sort(key=lambda one: (one.games, one.mu, one.user_id), reverse=True)
    idle = [one for one in shown if one.settled and one.last_at < SINCE]
    idle.sort(key=lambda one: (one.last_at, one.user_id), reverse=True)
    waiting = [*new, *idle]
    async with db.write() as tx:
        await ratings.stand(tx, "nim", {(SERVER, one.user_id): one for one in everybody})
        many = await crowd.read(tx, SERVER, "nim", crowd.day(SINCE))
        assert many.number == len(listed)
        for first in range(0, len(listed) + PER_PAGE, 7):
            page = await leaderboards.listed(
                tx, SERVER, "nim", many, since=SINCE, limit=PER_PAGE, offset=first
            )
            assert [one.user_id for one in page] == [
                one.user_id for one in listed[first : first + PER_PAGE]
            ]
        for first in range(0, len(waiting) + PER_PAGE, 7):
            page = await leaderboards.waiting(
                tx, SERVER, "nim", since=SINCE, limit=PER_PAGE, offset=first
            )
            assert [one.user_id for one in page] == [
                one.user_id for one in waiting[first : first + PER_PAGE]
            ]
        places = {one.user_id: place for place, one in enumerate(listed, start=1)}
        for one in everybody:
            own = await leaderboards.own(tx, SERVER, "nim", one.user_id)
            assert own is not None
            place = await leaderboards.place(tx, SERVER, "nim", own, many, since=SINCE)
            assert place == places.get(one.user_id)


async def test_the_crowd_moves_with_those_who_move_and_leaves_nothing_behind(db: Store) -> None:
    dice = random.Random(4)
    everybody = {(SERVER, one.user_id): one for one in people(dice, 60)}
    async with db.write() as tx:
        await ratings.stand(tx, "nim", everybody)
        for _ in range(20):
            changed: dict[tuple[int, int], Stand | None] = {}
            for key in dice.sample(sorted(everybody), 5):
                (again,) = people(dice, 1)
                gone = dice.random() < 0.2
                changed[key] = None if gone else again._replace(user_id=key[1])
            await ratings.stand(tx, "nim", changed)
            counted = await crowd.counted(tx, "nim")
            many = await crowd.read(tx, SERVER, "nim", 0)
            assert many.number == sum(counted.values())
            buckets = Counter[int]()
            for (_, _, bucket), players in counted.items():
                buckets[bucket] += players
            assert dict(many.buckets) == buckets
        await ratings.stand(tx, "nim", dict.fromkeys(everybody))
        assert (await crowd.read(tx, SERVER, "nim", 0)).buckets == ()


async def test_of_those_who_wait_only_so_many_are_shown(db: Store) -> None:
    most = leaderboards.MOST_WAITING
    new = [stand(user, 25.0, games=1, last_at=TODAY, settled=False) for user in range(1, most + 9)]
    old = stand(most + 20, 25.0, games=1, last_at=SINCE - timedelta(1), settled=True)
    async with db.write() as tx:
        await ratings.stand(tx, "nim", {(SERVER, one.user_id): one for one in (*new, old)})
        page = await leaderboards.waiting(
            tx, SERVER, "nim", since=SINCE, limit=PER_PAGE, offset=most - 3
        )
        assert len(page) == 4
        assert page[-1].user_id == old.user_id
        beyond = most * 3
        assert not await leaderboards.waiting(
            tx, SERVER, "nim", since=SINCE, limit=PER_PAGE, offset=beyond
        )

"""Pages and ranks from the histogram, compared with a naive sort."""

from __future__ import annotations

import random
from collections import Counter
from datetime import datetime, timedelta

from data.ratings import leaderboards, ratings
from data.ratings.rating import Rating
from data.store.store import Store
from tests.data import derived
from tests.data.people import NOW, SERVER

TODAY = NOW.replace(hour=0, minute=0, second=0, microsecond=0)
SINCE = TODAY - timedelta(days=60)
PER_PAGE = 10


def rating(user_id: int, mu: float, *, games: int, last_at: datetime, established: bool) -> Rating:
    """Return a player's standing."""
    return Rating(
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
        established=established,
    )


def people(dice: random.Random, number: int) -> list[Rating]:
    """Return players of every kind, many with equal means, and some on the edge of a bucket."""
    return [
        rating(
            user_id if dice.random() < 0.97 else -user_id,
            dice.choice([25.0, 25.25, 24.999, -0.25, dice.gauss(25, 3), dice.gauss(25, 3)]),
            games=dice.randrange(1, 30),
            last_at=dice.choice([TODAY, SINCE])
            + timedelta(seconds=dice.randrange(-90_000, 90_000)),
            established=dice.random() < 0.7,
        )
        for user_id in range(1, number + 1)
    ]


async def test_every_page_and_rank_matches_a_naive_sort(db: Store) -> None:
    everybody = people(random.Random(3), 200)
    shown = [one for one in everybody if one.user_id > 0]
    listed = [one for one in shown if one.established and one.last_at >= SINCE]
    listed.sort(key=lambda one: (one.mu, one.games, one.user_id), reverse=True)
    new = [one for one in shown if not one.established]
    new.sort(key=lambda one: (one.games, one.mu, one.user_id), reverse=True)
    idle = [one for one in shown if one.established and one.last_at < SINCE]
    idle.sort(key=lambda one: (one.last_at, one.user_id), reverse=True)
    waiting = [*new, *idle]
    async with db.write() as tx:
        await ratings.put(tx, "nim", {(SERVER, one.user_id): one for one in everybody})
        histogram = await ratings.read_histogram(tx, SERVER, "nim", ratings.day(SINCE))
        assert histogram.total == len(listed)
        for first in range(0, len(listed) + PER_PAGE, 7):
            page = await leaderboards.ranked(
                tx, SERVER, "nim", histogram, since=SINCE, limit=PER_PAGE, offset=first
            )
            assert [one.user_id for one in page] == [
                one.user_id for one in listed[first : first + PER_PAGE]
            ]
        for first in range(0, len(waiting) + PER_PAGE, 7):
            page = await leaderboards.unranked(
                tx, SERVER, "nim", since=SINCE, limit=PER_PAGE, offset=first
            )
            assert [one.user_id for one in page] == [
                one.user_id for one in waiting[first : first + PER_PAGE]
            ]
        places = {one.user_id: place for place, one in enumerate(listed, start=1)}
        for one in everybody:
            own = await ratings.get(tx, "nim", SERVER, one.user_id)
            assert own is not None
            place = await leaderboards.rank(tx, own, histogram, since=SINCE)
            assert place == places.get(one.user_id)


async def test_the_histogram_follows_every_change_and_leaves_nothing_behind(db: Store) -> None:
    dice = random.Random(4)
    everybody = {(SERVER, one.user_id): one for one in people(dice, 60)}
    async with db.write() as tx:
        await ratings.put(tx, "nim", everybody)
        for _ in range(20):
            changed: dict[tuple[int, int], Rating | None] = {}
            for key in dice.sample(sorted(everybody), 5):
                (again,) = people(dice, 1)
                gone = dice.random() < 0.2
                changed[key] = None if gone else again._replace(user_id=key[1])
            await ratings.put(tx, "nim", changed)
            counted = await derived.histogram(tx, "nim")
            histogram = await ratings.read_histogram(tx, SERVER, "nim", 0)
            assert histogram.total == sum(counted.values())
            buckets = Counter[int]()
            for (_, _, bucket), players in counted.items():
                buckets[bucket] += players
            assert dict(histogram.buckets) == buckets
        await ratings.put(tx, "nim", dict.fromkeys(everybody))
        assert (await ratings.read_histogram(tx, SERVER, "nim", 0)).buckets == ()


async def test_the_number_of_unranked_players_shown_is_limited(db: Store) -> None:
    most = leaderboards.MAX_UNRANKED
    new = [
        rating(user, 25.0, games=1, last_at=TODAY, established=False) for user in range(1, most + 9)
    ]
    old = rating(most + 20, 25.0, games=1, last_at=SINCE - timedelta(1), established=True)
    async with db.write() as tx:
        await ratings.put(tx, "nim", {(SERVER, one.user_id): one for one in (*new, old)})
        page = await leaderboards.unranked(
            tx, SERVER, "nim", since=SINCE, limit=PER_PAGE, offset=most - 3
        )
        assert len(page) == 4
        assert page[-1].user_id == old.user_id
        beyond = most * 3
        assert not await leaderboards.unranked(
            tx, SERVER, "nim", since=SINCE, limit=PER_PAGE, offset=beyond
        )

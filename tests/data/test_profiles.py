"""Players' results, opponents, rating histories and places."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from data.matches import matches
from data.ratings import leaderboards, rating_changes, ratings, results, scores
from data.ratings.rating import Rating, RatingChange, Result
from data.store.store import Store, Transaction
from tests.data import derived, people
from tests.data.people import ANN, BEN, CAROL, DAN, NOW, SERVER

ELSEWHERE = 12


async def record_match(
    tx: Transaction,
    users: Sequence[int],
    ranks: Sequence[int],
    *,
    game: str = "nim",
    guild_id: int | None = SERVER,
    rated: bool = True,
) -> Result:
    """Record a whole match and count it."""
    number = await people.match(tx, users, game=game, guild_id=guild_id)
    await matches.finish(tx, number, ranks=dict(enumerate(ranks)), reason="", at=NOW)
    match = await matches.get(tx, number)
    assert match is not None
    times = {seat: (seat + 1, 10 * seat) for seat in range(len(users))}
    stored = await results.add(tx, match, at=NOW, rated=rated, times=times)
    await scores.add(tx, stored)
    return stored


def rating_after(
    result: Result, user_id: int, games: int, mu: float, *, rated: bool = True
) -> RatingChange:
    """Return a player's standing on the server after a result."""
    at = NOW + timedelta(days=games)
    return RatingChange(user_id, SERVER, "nim", result.id, at, rated, mu, 2.0, games)


async def test_a_player_without_matches_has_nothing(db: Store) -> None:
    async with db.read() as tx:
        for scope in (0, SERVER):
            assert await scores.of_player(tx, scope, ANN) == ()
            assert await scores.most_met(tx, scope, ANN, 5) == ()
            assert await scores.head_to_head(tx, scope, ANN, BEN) == ()
            assert await rating_changes.history(tx, scope, "nim", ANN, 9) == ()
            assert await results.latest(tx, scope, ANN, 5) == ()
            assert await results.meetings(tx, scope, ANN, BEN, 5) == ()
        assert await rating_changes.of_match(tx, 7) == ()


async def test_results_are_counted_by_game_and_side_per_server_and_overall(db: Store) -> None:
    async with db.write() as tx:
        await record_match(tx, [ANN, BEN], [1, 2])
        await record_match(tx, [BEN, ANN], [1, 1], rated=False)
        await record_match(tx, [ANN, BEN, CAROL], [2, 3, 1], game="pig", guild_id=ELSEWHERE)
        await record_match(tx, [ANN, BEN], [1, 1], guild_id=None)
        found = {
            scope: [
                (row.game, row.seat, row.won, row.drawn, row.lost, row.moves, row.seconds)
                for row in await scores.of_player(tx, scope, ANN)
            ]
            for scope in (0, SERVER, ELSEWHERE)
        }
    assert found == {
        0: [("nim", 0, 1, 1, 0, 2, 0), ("nim", 1, 0, 1, 0, 2, 10), ("pig", 0, 0, 0, 1, 1, 0)],
        SERVER: [("nim", 0, 1, 0, 0, 1, 0), ("nim", 1, 0, 1, 0, 2, 10)],
        ELSEWHERE: [("pig", 0, 0, 0, 1, 1, 0)],
    }


async def test_results_against_an_opponent_compare_the_ranks_of_the_two(tx: Transaction) -> None:
    await record_match(tx, [ANN, BEN, CAROL, DAN], [3, 1, 3, 4])
    await record_match(tx, [ANN, BEN], [1, 2], rated=False)
    await record_match(tx, [ANN, DAN], [1, 2], game="pig")
    met = await scores.most_met(tx, SERVER, ANN, 2)
    told = [(row.rival_id, row.game, row.rated, row.won, row.drawn, row.lost) for row in met]
    assert sorted(told) == sorted(
        [(BEN, "nim", 1, 1, 0, 1), (DAN, "nim", 1, 1, 0, 0), (DAN, "pig", 1, 1, 0, 0)]
    ) or {row.rival_id for row in met} == {BEN, CAROL}
    (carol,) = await scores.head_to_head(tx, SERVER, ANN, CAROL)
    assert (carol.games, carol.won, carol.drawn, carol.lost) == (1, 0, 1, 0)
    assert len(await scores.head_to_head(tx, SERVER, ANN, DAN)) == 2
    assert await scores.head_to_head(tx, ELSEWHERE, ANN, DAN) == ()


async def test_removing_results_leaves_the_others_unchanged(db: Store) -> None:
    dice = random.Random(6)
    everybody = [ANN, BEN, CAROL, DAN]
    async with db.write() as tx:
        kept = []
        for _ in range(30):
            users = dice.sample(everybody, dice.randrange(2, 5))
            stored = await record_match(
                tx,
                users,
                [dice.randrange(1, 3) for _ in users],
                game=dice.choice(["nim", "pig"]),
                guild_id=dice.choice([SERVER, ELSEWHERE, None]),
                rated=dice.random() < 0.5,
            )
            if dice.random() < 0.5:
                kept.append(stored)
                continue
            await scores.add(tx, stored, -1)
            (match,) = [
                one.match_id
                for one in await results.latest(tx, 0, users[0], 1)
                if one.id == stored.id
            ]
            await results.remove(tx, match)
        games = Counter((place.user_id, one.game) for one in kept for place in one.players)
        for user in everybody:
            rows = await scores.of_player(tx, 0, user)
            for game in ("nim", "pig"):
                number = sum(r.won + r.drawn + r.lost for r in rows if r.game == game)
                assert number == games[user, game]
            assert (
                len(await results.latest(tx, 0, user, 99))
                == games[user, "nim"] + games[user, "pig"]
            )
        before = [await scores.most_met(tx, scope, ANN, 9) for scope in (0, SERVER)]
        await scores.rebuild(tx)
        assert [await scores.most_met(tx, scope, ANN, 9) for scope in (0, SERVER)] == before


async def test_the_latest_matches_come_first_on_one_server_or_everywhere(tx: Transaction) -> None:
    first = await record_match(tx, [ANN, BEN], [1, 2])
    there = await record_match(tx, [CAROL, ANN], [1, 2], guild_id=ELSEWHERE, rated=False)
    alone = await record_match(tx, [BEN, ANN, CAROL], [1, 2, 3], guild_id=None)
    await record_match(tx, [BEN, CAROL], [1, 2])
    everywhere = await results.latest(tx, 0, ANN, 9)
    assert [one.id for one in everywhere] == [alone.id, there.id, first.id]
    assert [one.rated for one in everywhere] == [True, False, True]
    assert [place.user_id for place in everywhere[0].players] == [BEN, ANN, CAROL]
    assert [one.id for one in await results.latest(tx, 0, ANN, 1)] == [alone.id]
    assert [one.id for one in await results.latest(tx, SERVER, ANN, 9)] == [first.id]
    met = await results.meetings(tx, 0, ANN, CAROL, 9)
    assert [one.id for one in met] == [alone.id, there.id]
    met = await results.meetings(tx, ELSEWHERE, CAROL, ANN, 9)
    assert [(one.id, one.guild_id) for one in met] == [(there.id, ELSEWHERE)]


@pytest.mark.parametrize("number", [1, 2, 9, 10, 60])
async def test_a_history_is_thinned_but_keeps_its_ends_and_extremes(db: Store, number: int) -> None:
    dice = random.Random(number)
    most = 10
    async with db.write() as tx:
        rows = [
            rating_after(await record_match(tx, [ANN, BEN], [1, 2]), ANN, turn, dice.gauss(25, 3))
            for turn in range(1, number + 1)
        ]
        too_often = rating_after(
            await record_match(tx, [ANN, BEN], [1, 2]), ANN, number, 99.0, rated=False
        )
        await rating_changes.put(tx, [*rows, too_often])
        points = await rating_changes.history(tx, SERVER, "nim", ANN, most)
        assert await rating_changes.history(tx, 0, "nim", ANN, most) == ()
    received = [point.games for point in points]
    assert received == sorted(set(received))
    if number <= most:
        assert received == list(range(1, number + 1))
    means = [row.mu for row in rows]
    assert {1, number, 1 + means.index(min(means)), 1 + means.index(max(means))} <= set(received)
    assert most - 4 <= len(received) <= most or number < most


async def test_a_matchs_rating_changes_include_the_ratings_before(db: Store) -> None:
    async with db.write() as tx:
        first, second = [await record_match(tx, [ANN, BEN], [1, 2]) for _ in range(2)]
        await rating_changes.put(
            tx,
            [
                rating_after(first, ANN, 1, 27.0),
                rating_after(second, ANN, 2, 28.0),
                rating_after(second, BEN, 0, 25.0, rated=False),
            ],
        )
        numbers = [one.match_id for one in await results.latest(tx, 0, ANN, 2)]
        ann, ben = await rating_changes.of_match(tx, numbers[0])
        (begun,) = await rating_changes.of_match(tx, numbers[1])
    assert (ann.after.user_id, ben.after.user_id) == (ANN, BEN)
    assert ann.before is not None
    assert (ann.before.mu, ann.after.mu, ann.after.games, ann.after.rated) == (27.0, 28.0, 2, True)
    assert (ben.before, ben.after.rated, ben.established) == (None, False, False)
    assert (begun.before, begun.after.mu) == (None, 27.0)


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


def rated_players(dice: random.Random, number: int) -> list[Rating]:
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
    everybody = rated_players(random.Random(3), 200)
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
    everybody = {(SERVER, one.user_id): one for one in rated_players(dice, 60)}
    async with db.write() as tx:
        await ratings.put(tx, "nim", everybody)
        for _ in range(20):
            changed: dict[tuple[int, int], Rating | None] = {}
            for key in dice.sample(sorted(everybody), 5):
                (again,) = rated_players(dice, 1)
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

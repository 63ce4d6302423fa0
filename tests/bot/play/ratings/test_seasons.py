"""Seasons: how they start, which results count, and what voids and erasures leave of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations, count

import pytest

from bot.features.leaderboards.service import LeaderboardPage, Leaderboards, titles
from bot.play.ratings import recomputing
from bot.play.ratings.seasons import MIN_GAMES, MIN_OPPONENTS, MIN_RANKED, Season, compressed
from bot.play.ratings.skill import MU, SIGMA, START, Skill
from data import privacy
from data.people import exclusions
from data.ratings import season_ratings
from data.ratings.rating import SeasonRating
from data.store.store import Store, Transaction
from tests.bot.features.leaderboards.clock import StoppedClock
from tests.bot.play.ratings.season import check_recomputed, on_sqlite, own, played, voided
from tests.data.people import ANN, BEN, CAROL, DAN, SERVER
from tests.data.schema import everything

AUTUMN = datetime(2026, 10, 1, tzinfo=UTC)
SUMMER = AUTUMN - timedelta(days=60)
WINTER = datetime(2027, 1, 1, tzinfo=UTC)
FOUR = [ANN, BEN, CAROL, DAN]


async def tournament(
    db: Store, order: Sequence[int], begin: datetime, *, rounds: int = 2, game: str = "nim"
) -> list[int]:
    """Have everyone beat all players after them, this many times, from a moment on."""

    async def play(tx: Transaction) -> list[int]:
        pairs = [*combinations(order, 2)] * rounds
        hours = (begin + timedelta(hours=hour) for hour in count(1))
        return [
            await played(tx, pair, [1, 2], game=game, at=at)
            for pair, at in zip(pairs, hours, strict=False)
        ]

    return await db.run_write(play)


async def table(db: Store, now: datetime, season: Season | None = None) -> LeaderboardPage:
    """Return the first page of a season as Ann sees it, the current one by default."""
    boards = Leaderboards(db, clock=StoppedClock(now))
    return await boards.read(SERVER, "nim", season or boards.season(), reader=ANN)


async def won(db: Store, user_id: int, now: datetime) -> list[str]:
    """Return the seasons a player has won."""
    async with db.read() as tx:
        found = await titles(tx, SERVER, user_id, now=now, limit=5)
    return [f"{one.season.year} Q{one.season.quarter}" for one in found]


def places(page: LeaderboardPage) -> list[tuple[int, int | None]]:
    """Return a page's players with their places."""
    return [(one.rating.user_id, one.rank) for one in page.standings]


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        (datetime(2026, 7, 1, tzinfo=UTC), (2026, 3)),
        (datetime(2026, 9, 30, 23, 59, 59, 999999, tzinfo=UTC), (2026, 3)),
        (datetime(2026, 12, 31, 23, 59, tzinfo=UTC), (2026, 4)),
        (datetime.fromisoformat("2027-01-01T01:30:00+02:00"), (2026, 4)),
    ],
)
def test_a_season_is_a_calendar_quarter_in_utc(moment: datetime, told: tuple[int, int]) -> None:
    season = Season.at(moment)
    assert (season.year, season.quarter) == told
    assert season.start <= moment < season.end
    assert Season.at(season.end) == Season(season.number + 1)


def test_a_season_starts_halfway_to_a_beginners_rating_and_less_certain() -> None:
    strong = Skill(MU + 7.5, 2.0)
    begun = compressed(strong)
    assert (strong.points, strong.margin) == (1800, 80)
    assert (begun.points, begun.margin) == (1650, 291)
    assert compressed(START) == pytest.approx(START)
    # All players together stay as spread as before: the variance of means plus uncertainties.
    spread = SIGMA**2 - 2.0**2
    assert 0.25 * spread + begun.sigma**2 == pytest.approx(SIGMA**2)


async def test_a_season_ranks_anew_and_leaves_all_time_ratings_alone(db: Store) -> None:
    await tournament(db, FOUR, SUMMER)
    before = [await own(db, one) for one in FOUR]
    assert (await table(db, AUTUMN)).standings == ()
    await tournament(db, FOUR[::-1], AUTUMN, rounds=2)
    board = await table(db, AUTUMN + timedelta(days=9))
    assert places(board) == [(DAN, 1), (CAROL, 2), (BEN, 3), (ANN, 4)]
    past = await table(db, AUTUMN, Season.at(SUMMER))
    assert places(past) == [(ANN, 1), (BEN, 2), (CAROL, 3), (DAN, 4)]
    after = await own(db, ANN)
    assert before[0] is not None
    assert after is not None
    assert after.games == before[0].games + 6
    await check_recomputed(db)


@on_sqlite
async def test_a_season_starts_from_the_rating_before_it(db: Store) -> None:
    await tournament(db, FOUR, SUMMER, rounds=3)
    async with db.write() as tx:
        await played(tx, [ANN, 99], [1, 2], at=AUTUMN)
        await played(tx, [DAN, 98], [1, 2], at=AUTUMN)
    board = await table(db, AUTUMN)
    mine = {one.rating.user_id: one.skill.points for one in board.standings}
    assert mine[ANN] > mine[DAN], "last season's best start a little ahead"
    strong = await own(db, ANN)
    assert strong is not None
    assert mine[ANN] < Skill(strong.mu, strong.sigma).points


@on_sqlite
async def test_a_match_counts_in_the_season_it_ended_in(db: Store) -> None:
    async with db.write() as tx:
        await played(tx, [ANN, BEN], [1, 2], at=AUTUMN - timedelta(microseconds=1))
        await played(tx, [ANN, BEN], [1, 2], at=AUTUMN)
    for season in (Season.at(SUMMER), Season.at(AUTUMN)):
        board = await table(db, WINTER, season)
        assert [one.rating.games for one in board.standings] == [1, 1]
    assert (await table(db, WINTER)).standings == ()


@on_sqlite
async def test_a_place_requires_games_and_opponents(db: Store) -> None:
    async with db.write() as tx:
        for turn in range(MIN_GAMES + 2):
            at = AUTUMN + timedelta(hours=turn)
            await played(tx, [BEN, 101 + turn % (MIN_OPPONENTS - 1)], [1, 2], at=at)
        for turn in range(MIN_GAMES - 1):
            await played(tx, [CAROL, 111 + turn], [1, 2], at=AUTUMN + timedelta(hours=turn))
    board = await table(db, AUTUMN + timedelta(days=1))
    assert all(one.rank is None for one in board.standings)
    async with db.write() as tx:
        await played(tx, [CAROL, 119], [2, 1], at=AUTUMN + timedelta(days=1))
        await played(tx, [BEN, 118], [2, 1], at=AUTUMN + timedelta(days=1))
    board = await table(db, AUTUMN + timedelta(days=2))
    assert {one.rating.user_id for one in board.standings if one.rank} == {BEN, CAROL}
    # Too few have a place for there to be a champion.
    assert MIN_RANKED > 2
    assert (await table(db, WINTER, Season.at(AUTUMN))).champions == ()
    assert await won(db, BEN, WINTER) == []


async def test_the_leader_is_champion_once_the_season_is_over(db: Store) -> None:
    await tournament(db, FOUR, AUTUMN)
    last = WINTER - timedelta(seconds=1)
    assert (await table(db, last)).champions == ()
    assert await won(db, ANN, last) == []
    assert (await table(db, WINTER, Season.at(AUTUMN))).champions == (ANN,)
    assert await won(db, ANN, WINTER) == ["2026 Q4"]
    assert await won(db, BEN, WINTER) == []
    async with db.read() as tx:
        assert await titles(tx, 4711, ANN, now=WINTER, limit=5) == ()
        assert len(await titles(tx, None, ANN, now=WINTER, limit=5)) == 1


@on_sqlite
async def test_a_voided_match_changes_a_past_season(db: Store) -> None:
    numbers = await tournament(db, FOUR, AUTUMN)
    async with db.write() as tx:
        extra = [
            await played(tx, [BEN, one], [1, 2], at=AUTUMN + timedelta(days=20, hours=hour))
            for hour, one in enumerate([ANN, ANN, ANN, ANN, CAROL, DAN])
        ]
        await played(tx, [ANN, BEN], [1, 2], at=WINTER)
    assert await won(db, BEN, WINTER) == ["2026 Q4"]
    for number in extra:
        await voided(db, number)
    await recomputing.recompute_outdated(db)
    assert await won(db, BEN, WINTER) == []
    assert await won(db, ANN, WINTER) == ["2026 Q4"]
    for number in numbers:
        await voided(db, number)
    assert (await table(db, WINTER, Season.at(AUTUMN))).standings == (), "immediately"
    await check_recomputed(db)


async def test_an_excluded_player_has_no_place_in_the_season_while_excluded(db: Store) -> None:
    await tournament(db, FOUR, AUTUMN)
    async with db.write() as tx:
        await exclusions.exclude(tx, SERVER, ANN, by=BEN, at=WINTER - timedelta(days=1))
        await exclusions.exclude(tx, SERVER, BEN, by=CAROL, at=WINTER + timedelta(days=1))
    later = WINTER + timedelta(days=2)
    past = await table(db, later, Season.at(AUTUMN))
    assert places(past) == [(BEN, 1), (CAROL, 2), (DAN, 3)]
    assert past.own is None
    assert past.champions == (BEN,), "decisions after the season do not affect it"
    assert await won(db, ANN, later) == []
    assert await won(db, BEN, later) == ["2026 Q4"]
    async with db.write() as tx:
        await exclusions.readmit(tx, SERVER, ANN)
    assert await won(db, ANN, later) == ["2026 Q4"]
    assert await won(db, BEN, later) == []


@on_sqlite
async def test_a_deleted_players_place_stays_taken(db: Store) -> None:
    await tournament(db, FOUR, AUTUMN)
    async with db.write() as tx:
        told = await everything(tx, ANN)
        assert [row["season"] for row in told["seasons"]] == [Season.at(AUTUMN).number]
        await privacy.erase(tx, ANN, -5)
        assert (await everything(tx, ANN))["seasons"] == []
    past = await table(db, WINTER, Season.at(AUTUMN))
    assert places(past) == [(-5, 1), (BEN, 2), (CAROL, 3), (DAN, 4)]
    assert past.champions == (-5,)
    assert await won(db, BEN, WINTER) == []
    await check_recomputed(db)


def rating(user_id: int, points: int, games: int = 6, *, ranked: bool = True) -> SeasonRating:
    """Return a row of the season."""
    season, mu = Season.at(AUTUMN).number, MU + (points - 1500) / 40
    return SeasonRating(
        user_id, SERVER, "nim", season, mu, 2.0, points, games, 3, 0, 3, "wl", 3, ranked
    )


async def test_equal_points_share_a_place_across_pages_and_the_title(db: Store) -> None:
    lines = [rating(100 + n, 1700 - 10 * max(0, n - 1)) for n in range(9)]
    lines += [rating(200 + n, 1500) for n in range(4)]
    lines += [rating(300, 1900, ranked=False)]
    async with db.write() as tx:
        new = {(one.season, one.scope, one.user_id): one for one in lines}
        await season_ratings.put(tx, "nim", {**new})
    tables = Leaderboards(db, clock=StoppedClock(WINTER))
    season = Season.at(AUTUMN)
    first = await tables.read(SERVER, "nim", season, reader=201)
    assert [one.rank for one in first.standings] == [1, 1, 3, 4, 5, 6, 7, 8, 9, 10]
    assert first.page.more
    assert first.champions == (100, 101)
    assert first.own is not None
    assert first.own.rank == 10
    second = await tables.read(SERVER, "nim", season, reader=201, page=1)
    assert [one.rank for one in second.standings] == [10, 10, 10, None]
    assert await tables.page_of(SERVER, "nim", 300, season) == 1
    assert await tables.page_of(SERVER, "nim", 100, season) == 0
    assert await tables.page_of(SERVER, "nim", 999, season) is None
    assert await won(db, 100, WINTER) == await won(db, 101, WINTER) == ["2026 Q4"]
    assert await won(db, 102, WINTER) == []

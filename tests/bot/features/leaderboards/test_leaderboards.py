"""Leaderboards: who is ranked, what the others need, and the reader's own place."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest

from bot.features.leaderboards import text as words
from bot.features.leaderboards.service import (
    PER_PAGE,
    AnyStanding,
    LeaderboardPage,
    Leaderboards,
    standing,
)
from bot.play.ratings.skill import MAX_PAUSE, MIN_GAMES
from data import privacy
from data.ratings import ratings
from data.ratings.rating import EVERYWHERE
from data.store.store import Store, Transaction
from engine import registry
from engine.phrase import lines
from tests.bot.features.leaderboards.clock import READY, StoppedClock
from tests.bot.play.ratings.season import on_sqlite, played
from tests.data.people import ANN, NOW, SERVER


def ranked(board: LeaderboardPage) -> list[AnyStanding]:
    """Return the ranked players of a page."""
    return [one for one in board.standings if one.rank is not None]


def unranked(board: LeaderboardPage) -> list[AnyStanding]:
    """Return the players of a page without a rank."""
    return [one for one in board.standings if one.rank is None]


def people(standings: Iterable[AnyStanding]) -> list[int]:
    """Return the players of standings."""
    return [one.rating.user_id for one in standings]


async def season(tx: Transaction, strong: int, others: list[int], games: int) -> None:
    """Have one player win this many games against the others in turn, one a day."""
    for turn in range(games):
        at = NOW + timedelta(days=turn, seconds=strong % 1000)
        await played(tx, [strong, others[turn % len(others)]], [1, 2], at=at)


@on_sqlite
async def test_ranking_takes_ten_games_three_opponents_and_recent_play(db: Store) -> None:
    clock = StoppedClock(NOW + timedelta(days=12))
    async with db.write() as tx:
        await season(tx, ANN, [101, 102, 103], MIN_GAMES)
        await season(tx, 201, [111, 112], MIN_GAMES)  # only two opponents
        await season(tx, 202, [121, 122, 123], MIN_GAMES - 1)  # one game too few
    board = await Leaderboards(db, clock=clock).read(SERVER, "nim", reader=202)
    assert people(ranked(board)) == [ANN]
    assert people(unranked(board)[:2]) == [201, 202]
    lacks = {one.rating.user_id: words.missing_for_rank(one) for one in unranked(board)}
    assert lacks[201] == "1 more opponent"
    assert lacks[202] == "1 more game"
    assert board.own is not None
    assert board.own.rank is None

    clock.now += MAX_PAUSE
    board = await Leaderboards(db, clock=clock).read(EVERYWHERE, "nim", reader=ANN)
    assert ranked(board) == []
    assert board.own is not None
    assert board.own.rank is None
    own = words.line(board.own)
    assert "a recent game" in own
    assert "?" not in own


@on_sqlite
async def test_a_few_lucky_games_do_not_top_the_table(db: Store) -> None:
    async with db.write() as tx:
        await season(tx, ANN, [101, 102, 103], MIN_GAMES)
        for hour in range(4):
            await played(tx, [300, ANN], [1, 2], at=NOW + timedelta(days=11, hours=hour))
    board = await Leaderboards(db, clock=StoppedClock(NOW + timedelta(days=12))).read(
        SERVER, "nim", reader=300
    )
    lucky = next(one for one in unranked(board) if one.rating.user_id == 300)
    assert lucky.rating.mu > ranked(board)[0].rating.mu
    assert people(ranked(board)) == [ANN]


async def test_pages_show_each_player_once_in_order_and_agree_with_their_place(db: Store) -> None:
    known = list(range(1, 15))
    stored = [READY._replace(user_id=one, mu=20 + one * 7 % 15) for one in known]
    stored += [
        READY._replace(user_id=new, games=1 + new % 7, opponents=1, established=False)
        for new in range(50, 65)
    ]
    async with db.write() as tx:
        await ratings.put(tx, "nim", {(one.scope, one.user_id): one for one in stored})
    boards = Leaderboards(db, clock=StoppedClock(NOW + timedelta(days=3)))
    listed: list[AnyStanding] = []
    waiting: list[AnyStanding] = []
    page = 0
    while True:
        board = await boards.read(SERVER, "nim", reader=1, page=page)
        assert board.page.start + 1 == page * PER_PAGE + 1
        assert len(board.standings) == PER_PAGE or not board.page.more
        listed += ranked(board)
        waiting += unranked(board)
        page += 1
        if not board.page.more:
            break
    assert len(listed) > PER_PAGE
    assert sorted(people([*listed, *waiting])) == [*known, *range(50, 65)]
    means = [one.rating.mu for one in listed]
    assert means == sorted(means, reverse=True)
    games = [one.rating.games for one in waiting]
    assert games == sorted(games, reverse=True)
    for place, user_id in enumerate(people(listed), start=1):
        own = (await boards.read(SERVER, "nim", reader=user_id, page=99)).own
        assert own is not None
        assert own.rank == place


async def test_deleted_players_are_not_listed_and_take_no_place(db: Store) -> None:
    clock = StoppedClock(NOW + timedelta(days=12))
    async with db.write() as tx:
        await season(tx, 7, [101, 102, 103], MIN_GAMES)
        await season(tx, 8, [101, 102, 103, 7], MIN_GAMES)
        await privacy.erase(tx, 8, -1)
    board = await Leaderboards(db, clock=clock).read(SERVER, "nim", reader=7)
    assert not {8, -1} & {*people(board.standings)}
    assert board.own is not None
    assert board.own.rank == 1


@on_sqlite
async def test_an_empty_board_says_so(db: Store) -> None:
    slug = next(iter(registry.games()))
    board = await Leaderboards(db, clock=StoppedClock()).read(SERVER, slug, reader=1)
    phrase = lines(words.table(board, registry.game(slug), 1))
    assert "No rated games here yet." in phrase
    assert "Computer, level 3 · 1500\n" in phrase
    assert "Computer ratings are relative (Computer, level 3 = 1500)." in phrase
    assert not board.page.more


@on_sqlite
async def test_the_balance_of_unequal_sides_is_shown(db: Store) -> None:
    slug = next(slug for slug, game in registry.games().items() if game.unequal_sides)
    game = registry.game(slug)
    async with db.write() as tx:
        for turn, ranks in enumerate([[1, 2], [1, 2], [2, 1], [1, 1]]):
            at = NOW + timedelta(days=turn)
            await played(tx, [turn * 2 + 1, turn * 2 + 2], ranks, game=slug, at=at)
    board = await Leaderboards(db, clock=StoppedClock()).read(SERVER, slug, reader=1)
    phrase = lines(words.table(board, game, 1))
    first, second = (name.capitalize() for name in game.seat_names[:2])
    assert f"Wins by side in 4 rated games: {first} 2 and {second} 1, 1 drawn." in phrase


def test_a_rating_is_a_number_with_its_uncertainty() -> None:
    assert words.figure(standing(READY, NOW)) == "1612 ± 74"
    assert words.figure(standing(READY._replace(established=False), NOW)) == "1612 ± 74 ?"
    later = words.figure(standing(READY, NOW + timedelta(days=180)))
    assert later.startswith("1612 ± ")
    assert int(later.rpartition(" ")[2]) > 74


def test_only_the_signs_that_are_shown_are_explained() -> None:
    sure, guess = standing(READY, NOW), standing(READY._replace(established=False), NOW)
    assert lines(words.signs([])) == ""
    assert lines(words.signs([sure])) == "-# 1612 ± 74: most likely from 1538 to 1686."
    for shown in ([guess], [sure, guess]):
        assert "With a question mark: a first guess" in lines(words.signs(shown))


def test_the_signs_are_explained_by_a_rating_that_is_there_and_by_a_sure_one_if_possible() -> None:
    sure = standing(READY, NOW + timedelta(days=180))
    guess = standing(READY._replace(established=False), NOW)
    for shown, told in (([sure], sure), ([guess], guess), ([guess, sure], sure)):
        points, margin = told.skill.points, told.skill.margin
        assert lines(words.signs(shown)).startswith(
            f"-# {points} ± {margin}: most likely from {points - margin} to {points + margin}."
        )


@pytest.mark.parametrize(
    ("changed", "lacks"),
    [
        ({"games": 9, "established": False}, "1 more game"),
        ({"games": 3, "established": False}, "7 more games"),
        ({"games": 3, "opponents": 1, "established": False}, "7 more games and 2 more opponents"),
    ],
)
def test_missing_requirements_are_stated_exactly(changed: dict[str, Any], lacks: str) -> None:
    assert words.missing_for_rank(standing(READY._replace(**changed), NOW)) == lacks

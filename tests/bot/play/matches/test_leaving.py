"""Leaving a match that has hardly begun costs nothing, but only so often in a week."""

from __future__ import annotations

import pytest

from bot.core.computers import computers
from bot.core.errors import Refusal
from bot.play.clocks.service import Claims
from bot.play.matches import endings
from bot.play.matches.positions import Position
from bot.play.matches.scoring import MAX_ABORTS
from data.matches import absences
from data.ratings import results
from tests.bot.conftest import ANN, BEN, GUILD, Club
from tests.moves import end


async def count(club: Club, user_id: int = BEN) -> int:
    """Return how many matches a player has lately left."""
    return await club.read(absences.count_aborts, user_id, club.clock())


async def resigned(club: Club, *, promised_void: bool = False) -> Position:
    """Have Ben resign a match that has just begun."""
    position = await club.start()
    return await club.matches.resign(position.match.id, BEN, promised_void=promised_void)


async def test_after_three_early_exits_in_a_week_the_next_is_a_rated_loss(club: Club) -> None:
    for number in range(MAX_ABORTS):
        assert await count(club) == number
        ended = await resigned(club)
        assert (ended.match.ending, [p.rank for p in ended.match.players]) == (
            "aborted",
            [None] * 2,
        )
        club.wait(hours=1)
    assert await club.read(results.count_rated) == 0
    ended = await resigned(club)
    assert ended.match.ending == "resigned"
    assert {p.user_id: p.rank for p in ended.match.players} == {ANN: 1, BEN: 2}
    assert await count(club) == MAX_ABORTS, "a loss is not an abort"
    async with club.store.read() as tx:
        assert await results.count_rated(tx) == 1
        assert await absences.most_aborts(tx, GUILD, club.clock(), limit=9) == ((BEN, MAX_ABORTS),)
        assert await absences.count_aborts(tx, BEN, club.clock(), guild_id=GUILD + 1) == 0
    club.wait(days=7)
    assert await count(club) == 0
    assert (await resigned(club)).match.ending == "aborted"


async def test_the_opponent_is_not_blamed_for_an_early_exit(club: Club) -> None:
    for _ in range(MAX_ABORTS):
        await resigned(club)
    assert await count(club, ANN) == 0
    position = await club.start()
    assert (await club.matches.resign(position.match.id, ANN)).match.ending == "aborted"


async def test_running_out_of_time_early_counts_as_leaving(club: Club) -> None:
    for ending in ["aborted"] * MAX_ABORTS + ["forfeited"]:
        position = await club.start()
        seat = next(p.seat for p in position.match.players if p.user_id == BEN)
        ended = await club.matches.lose(position.match.id, seat, "forfeited", by=None)
        assert ended.match.ending == ending


async def test_a_player_told_that_nothing_counts_does_not_lose(club: Club) -> None:
    for _ in range(MAX_ABORTS):
        await resigned(club, promised_void=True)
    with pytest.raises(Refusal, match="is a loss"):
        await resigned(club, promised_void=True)
    position = await club.play_a_while(await club.start())
    with pytest.raises(Refusal, match="/tablan resign"):
        await club.matches.resign(position.match.id, ANN, promised_void=True)
    assert not (await club.matches.position(position.match.id)).match.finished


async def test_the_warning_before_resigning_matches_what_happens(club: Club) -> None:
    claims = Claims(club.store, club.matches, clock=club.clock)
    for number in range(MAX_ABORTS + 1):
        what = await claims.leaving(await club.start(), BEN)
        assert (what.before, what.void) == (number, number < MAX_ABORTS)
        await resigned(club)


async def test_practice_games_can_be_left_any_number_of_times(club: Club) -> None:
    for _ in range(MAX_ABORTS + 1):
        begun = await club.challenges.practise(club.invitation(*computers(1, 1), rules="walker"))
        assert begun.match_id is not None
        assert (await club.matches.resign(begun.match_id, ANN)).match.ending == "aborted"
    assert await count(club, ANN) == 0


async def test_early_draws_are_unrated_and_later_ones_rated(club: Club) -> None:
    for moves, rated in ((0, 0), (2, 1)):
        position = await club.begin_match(BEN, game="tablut")
        position = await club.play_a_while(position, moves) if moves else position
        ended = await end(club.matches, position, endings.agreed(position), by=ANN)
        assert ended.match.ending == "agreed"
        assert await club.read(results.count_rated) == rated

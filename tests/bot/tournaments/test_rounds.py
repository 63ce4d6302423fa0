"""Tournaments advance from round to round by themselves."""

from __future__ import annotations

from bot.features.tournaments.model import Format, Plan
from data.tournaments.tournaments import State
from tests.bot.tournaments.club import TournamentClub

EIGHT = (1, 2, 3, 4, 5, 6, 7, 8)


async def test_a_swiss_of_eight_is_over_after_three_rounds_and_has_a_winner(
    club: TournamentClub,
) -> None:
    number = await club.begin(*EIGHT)
    for played in (1, 2, 3):
        view = await club.view(number)
        assert view.tournament.round == played
        assert len(await club.open_games(number)) == 4
        await club.play_round(number)
    view = await club.view(number)
    assert view.tournament.state is State.FINISHED
    places = {one.user_id: one.place for one in view.everyone}
    assert places[1] == 1
    assert set(places) == set(EIGHT)
    assert [user for user, place in places.items() if place is None] == [8], "without a point"


async def test_a_knockout_of_five_gives_the_strongest_byes_and_ends_with_a_final(
    club: TournamentClub,
) -> None:
    number = await club.begin(1, 2, 3, 4, 5, plan=Plan(Format.KNOCKOUT))
    sizes = []
    while (await club.view(number)).tournament.state is State.RUNNING:
        sizes.append(len(await club.open_games(number)))
        await club.play_round(number)
    assert sizes == [1, 2, 1]
    view = await club.view(number)
    assert [one.user_id for one in view.everyone if one.place == 1] == [1]


async def test_nine_play_thaayam_at_tables_of_three(club: TournamentClub) -> None:
    plan = Plan(Format.SWISS, seats=3, smallest=2, rounds=2)
    number = await club.begin(*range(1, 10), plan=plan, game="thaayam")
    assert [len(game.seats) for game in await club.open_games(number)] == [3, 3, 3]
    await club.play_round(number)
    await club.play_round(number)
    assert (await club.view(number)).tournament.state is State.FINISHED

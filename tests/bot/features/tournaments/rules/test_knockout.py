"""Knockouts: brackets, encounters, byes and replacements."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.simulated_tournaments import Life, play
from bench.tournament_checks import broken
from bot.features.tournaments.rules.knockout import further_games, losses, slots, winner
from bot.features.tournaments.rules.pairing import (
    next_round,
    total_rounds,
)
from bot.features.tournaments.rules.roster import Roster
from bot.features.tournaments.rules.standings import standings
from data.tournaments.values import Entrant, Format, Game, Pairing, Plan
from tests.bot.features.tournaments.rules.field import SEED, met, people, round_after, whole

CUP = Plan(Format.KNOCKOUT)


def test_the_strongest_can_only_meet_in_the_final() -> None:
    assert slots([1, 2, 3, 4, 5, 6, 7, 8]) == [1, 8, 4, 5, 2, 7, 3, 6]
    played = whole(CUP, people(8))
    assert [p.players for p in played if p.round == 2] == [(1, 4), (2, 3)]
    assert [p.players for p in played if p.round == 3] == [(1, 2)]


def test_with_five_players_the_strongest_three_have_byes() -> None:
    first = next_round(CUP, people(5), [], SEED, unequal_sides=False)
    assert {pairing.players for pairing in first if pairing.bye} == {(1,), (2,), (3,)}
    assert [pairing.players for pairing in first if not pairing.bye] == [(4, 5)]
    assert total_rounds(CUP, 5) == 3


@pytest.mark.parametrize(
    ("best_of", "points", "more"),
    [
        (1, [1], False),
        (1, [0.5], True),
        (1, [0.5, 0.5], False),
        (1, [0.5, 0], False),
        (3, [1, 1], False),
        (3, [1, 0.5], True),
        (3, [0, 1], True),
        (3, [0, 1, 0.5], True),
        (3, [0, 1, 0.5, 0.5], False),
        (5, [1, 1, 1], False),
        (5, [1, 1, 0.5], True),
        (5, [1, 1, 0.5, 0], True),
        (5, [1, 1, 0.5, 0.5], False),
        (5, [1, 0.5, 0.5, 0.5, 0.5], False),
        (5, [1, 0, 1, 0, None], False),
    ],
)
def test_an_encounter_goes_on_while_it_can_be_turned_and_once_more_if_it_ends_level(
    best_of: int, points: list[float | None], *, more: bool
) -> None:
    """Points are those of 1, who has the first seat in every other game."""
    games = [
        Game(*(((1, 2), None) if mine is None else ((1, 2), (mine, 1 - mine)))) for mine in points
    ]
    swapped = [
        game if turn % 2 == 0 else Game((2, 1), game.points and game.points[::-1])
        for turn, game in enumerate(games)
    ]
    found = further_games(replace(CUP, best_of=best_of), Pairing(1, 1, (1, 2), tuple(swapped)))
    assert [game.seats for game in found] == [swapped[-1].seats[::-1]] * more


def test_an_encounter_begins_with_as_many_games_as_win_it_and_ends_with_the_higher_seed() -> None:
    for best_of, both, sides in (
        (1, 0, "a"),
        (3, 0, "ab"),
        (5, 0, "aba"),
        (1, 1, "ab"),
        (3, 1, "abba"),
    ):
        plan = replace(CUP, best_of=best_of, both_sides=bool(both))
        (pairing,) = next_round(plan, people(2), [], SEED, unequal_sides=False)
        first, *_ = (game.seats for game in pairing.games)
        assert "".join("ba"[game.seats == first] for game in pairing.games) == sides
    drawn_ = Game((2, 1), (0.5, 0.5))
    assert winner(Roster(people(2)), Pairing(1, 1, (1, 2), (drawn_, drawn_))) == 1
    assert winner(Roster(people(2)), Pairing(1, 1, (1, 2), (drawn_, Game((2, 1), (1, 0))))) == 2


@pytest.mark.parametrize(
    ("lives", "rounds"),
    [(1, {2: 1, 3: 2, 4: 2, 5: 3, 8: 3, 9: 4}), (2, {2: 3, 3: 5, 4: 5, 8: 7, 16: 8})],
)
def test_a_cup_takes_this_many_rounds_at_most(lives: int, rounds: dict[int, int]) -> None:
    """With two lives, by hand: so many without a loss and with one go on from round to round."""
    assert {count: total_rounds(replace(CUP, lives=lives), count) for count in rounds} == rounds


def test_playing_both_sides_means_two_games_as_does_a_tie_break() -> None:
    plan = replace(CUP, both_sides=True)
    (pairing,) = next_round(plan, people(2), [], SEED, unequal_sides=True)
    assert len({game.seats for game in pairing.games}) == 2
    level = replace(pairing, games=tuple(replace(g, points=(1.0, 0.0)) for g in pairing.games))
    assert len(further_games(plan, level)) == 2
    lost = Game(pairing.games[0].seats, (1.0, 0.0)), Game(pairing.games[1].seats, (0.5, 0.5))
    assert further_games(plan, replace(pairing, games=lost)) == ()


def test_draws_outside_knockouts_and_forfeits_add_no_games() -> None:
    even = Pairing(1, 1, (1, 2), (Game((1, 2), (0.5, 0.5)),))
    assert further_games(Plan(Format.SWISS), even) == ()
    absent = Pairing(1, 1, (1, 2), (Game((1, 2), (0.0, 0.0), "forfeit"),))
    assert further_games(CUP, absent) == ()
    assert further_games(CUP, Pairing(1, 1, (1,))) == ()


def test_after_a_double_forfeit_the_player_still_present_advances() -> None:
    absent = Pairing(1, 1, (1, 2), (Game((1, 2), (0.0, 0.0), "forfeit"),))
    entrants = [Entrant(1, 5, left_after=1), Entrant(2, 4)]
    assert winner(Roster(entrants), absent) == 2


def test_the_opponent_of_a_winner_who_left_advances() -> None:
    entrants = people(8)
    played = round_after(CUP, entrants, [])
    entrants[0] = replace(entrants[0], left_after=1)
    second = round_after(CUP, entrants, played)
    pairing = next(pairing for pairing in second if 1 in pairing.players)
    assert pairing.players == (1, 4)
    assert pairing.games == (Game((1, 4), (0.0, 1.0), "forfeit"),)
    assert winner(Roster(entrants), pairing) == 4


def test_where_both_have_left_the_other_half_of_the_bracket_goes_on() -> None:
    entrants = people(16)
    played = round_after(CUP, entrants, [])
    entrants = [replace(e, left_after=1) if e.user_id in {1, 8} else e for e in entrants]
    while made := round_after(CUP, entrants, played):
        played += made
    assert [p.players for p in played if p.round == 3] == [(2, 3), (4,)]
    assert [p.players for p in played if p.round == 4] == [(2, 4)]


def test_a_knockout_ends_when_one_player_is_left() -> None:
    entrants = people(4)
    first = round_after(CUP, entrants, [])
    entrants[0] = replace(entrants[0], left_after=1)
    assert next_round(CUP, entrants, first, SEED, unequal_sides=False) == ()
    assert [one.user_id for one in standings(CUP, entrants, first) if one.rank == 1] == [2]


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 11, 16, 23])
def test_with_two_lives_everyone_but_the_winner_loses_twice(count: int) -> None:
    plan = replace(CUP, lives=2)
    entrants = people(count)
    dice = random.Random(count)
    played = whole(plan, entrants, lambda game: dice.choice(((1.0, 0.0), (0.0, 1.0))))
    lost = losses(Roster(entrants, SEED), played)
    assert sorted(lost.get(one, 0) for one in range(1, count + 1))[1:] == [2] * (count - 1)
    assert max(pairing.round for pairing in played) <= total_rounds(plan, count)
    first = standings(plan, entrants, played)[0]
    assert lost.get(first.user_id, 0) < 2


def test_with_two_lives_the_loser_of_the_first_round_can_still_win() -> None:
    plan = replace(CUP, lives=2)
    entrants = people(4)
    played = [met(1, 1, 1, 4, 0), met(1, 2, 2, 3, 1)]
    while made := round_after(plan, entrants, played):
        played += made
    assert standings(plan, entrants, played)[0].user_id == 1
    assert Counter(one for p in played for one in p.players)[1] >= 4


@settings(max_examples=15, deadline=None)
@given(
    count=st.integers(2, 40),
    best_of=st.sampled_from((1, 3)),
    lives=st.integers(1, 2),
    both=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_one_player_remains_whoever_leaves_or_is_replaced(
    count: int, best_of: int, lives: int, *, both: bool, seed: int
) -> None:
    plan = replace(CUP, best_of=best_of, lives=lives, both_sides=both)
    played = play(plan, count, random.Random(seed), Life(leaves=0.05, forfeits=0.05, draws=0.4))
    assert list(broken(played)) == []


@pytest.mark.parametrize(
    ("lives", "results", "first"),
    [
        (1, [met(1, 1, 1, 4, 1), met(1, 2, 2, 3, 1)], 1),  # the higher seed of two finalists
        (2, [met(1, 1, 1, 4, 1), met(1, 2, 2, 3, 1), met(2, 1, 1, 2, 0), met(2, 2, 3, 4, 1)], 2),
        (2, [met(1, 1, 1, 2, 1), met(2, 1, 1, 2, 0)], 2),  # a loss each, the winner's longer ago
        (2, [met(1, 1, 1, 4, 1), met(1, 2, 2, 3, 1)], 1),
    ],
)
def test_a_knockout_whose_last_players_all_leave_has_one_winner(
    lives: int, results: list[Pairing], first: int
) -> None:
    plan = replace(CUP, lives=lives)
    last = max(pairing.round for pairing in results)
    playing = {place for pairing in results for place in pairing.players}
    entrants = [replace(e, left_after=last) for e in people(4) if e.user_id in playing]
    assert round_after(plan, entrants, results) == []
    found = standings(plan, entrants, results)
    assert [one.user_id for one in found if one.rank == 1] == [first]
    assert found[0].reason == "all have left: fewer or earlier losses, then the higher seed"


def test_players_who_leave_during_their_last_game_share_the_lead_until_it_ends() -> None:
    entrants = [replace(one, left_after=1) for one in people(2)]
    final = Pairing(1, 1, (1, 2), (Game((1, 2)),))
    assert [one.rank for one in standings(CUP, entrants, [final])] == [1, 1]
    ended = met(1, 1, 1, 2, 0)
    assert [(one.user_id, one.rank) for one in standings(CUP, entrants, [ended])] == [
        (2, 1),
        (1, 2),
    ]


def test_a_double_knockout_that_all_but_the_beaten_leave_has_one_winner() -> None:
    """Found by chance: the last two left at once, with a loss each."""
    plan = replace(CUP, lives=2, both_sides=True)
    life = Life(leaves=0.05, forfeits=0.05, draws=0.4)
    assert list(broken(play(plan, 27, random.Random(6935), life))) == []

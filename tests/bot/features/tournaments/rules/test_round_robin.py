"""Round robins: Berger tables, groups and a final."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bench.simulated_tournaments import Life, play
from bench.tournament_checks import broken
from bot.features.tournaments.rules.pairing import next_round, total_rounds
from bot.features.tournaments.rules.roster import History
from bot.features.tournaments.rules.round_robin import berger, schedule
from bot.features.tournaments.rules.standings import stages
from data.tournaments.values import FINAL, Entrant, Format, Game, Pairing, Plan
from tests.bot.features.tournaments.rules.field import (
    SEED,
    drawn,
    people,
    record,
    round_after,
    whole,
)

ROBIN = Plan(Format.ROUND_ROBIN)


def test_the_pairings_match_fides_berger_tables() -> None:
    """FIDE C.05, annex 1: the rounds for 7 or 8 players, as printed."""
    printed = """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """
    for line, pairs in zip(printed.split("\n")[1:-1], berger(8), strict=True):
        assert [f"{one + 1}-{other + 1}" for one, other in pairs] == line.split()


@pytest.mark.parametrize("count", range(2, 20))
@pytest.mark.parametrize("cycles", [1, 2, 3])
def test_everyone_meets_everyone_once_per_cycle(count: int, cycles: int) -> None:
    rounds = schedule(count, cycles)
    met = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    assert len(met) == count * (count - 1) // 2
    assert set(met.values()) == {cycles}
    for pairs in rounds:
        here = [one for pair in pairs for one in pair]
        assert len(set(here)) == len(here) == count - count % 2


@pytest.mark.parametrize("count", range(2, 20))
def test_sides_differ_by_at_most_one(count: int) -> None:
    balance = Counter(one for pairs in berger(count) for one, _ in pairs)
    balance.subtract(other for pairs in berger(count) for _, other in pairs)
    assert max(map(abs, balance.values())) <= 1
    assert all(value == 0 for value in balance.values()) or count % 2 == 0


@pytest.mark.parametrize("count", range(3, 12))
def test_no_side_comes_three_times_running_in_two_cycles(count: int) -> None:
    seats: dict[int, list[int]] = {number: [] for number in range(count)}
    for pairs in schedule(count, 2):
        for pair in pairs:
            for seat, one in enumerate(pair):
                seats[one].append(seat)
    for row in seats.values():
        assert all(len(set(row[i : i + 3])) > 1 for i in range(len(row) - 2))


def test_groups_are_equally_strong_and_their_winners_meet() -> None:
    plan = replace(ROBIN, groups=2)
    played = whole(plan, people(8))
    members = {
        stage: {one for p in played if p.stage == stage for one in p.players}
        for stage in ("group 1", "group 2")
    }
    assert members == {"group 1": {1, 4, 5, 8}, "group 2": {2, 3, 6, 7}}
    final = [pairing for pairing in played if pairing.stage == FINAL]
    assert [set(pairing.players) for pairing in final] == [{1, 2}]
    assert final[0].round == total_rounds(plan, 8) == 4


def test_a_group_winner_who_left_is_replaced_by_the_next() -> None:
    plan = replace(ROBIN, groups=2)
    entrants = people(8)
    played = [pairing for pairing in whole(plan, entrants) if pairing.round <= 3]
    entrants[0] = replace(entrants[0], left_after=3)
    (final,) = next_round(plan, entrants, played, SEED, unequal_sides=False)
    assert set(final.players) == {4, 2}


def test_opponents_of_a_player_who_left_win_without_playing() -> None:
    entrants = people(4)
    first = round_after(ROBIN, entrants, [])
    entrants[0] = replace(entrants[0], left_after=1)
    second = next_round(ROBIN, entrants, first, SEED, unequal_sides=False)
    pairing = next(pairing for pairing in second if 1 in pairing.players)
    assert not pairing.open
    assert pairing.games[0].how == "forfeit"
    assert pairing.points(1) == 0
    assert pairing.points((set(pairing.players) - {1}).pop()) == 1


def test_joining_late_is_only_possible_as_a_replacement() -> None:
    entrants = people(4)
    first = round_after(ROBIN, entrants, [])
    entrants[0] = replace(entrants[0], left_after=1)
    entrants += [Entrant(8, 1.0, joined_round=2), Entrant(9, 1.0, joined_round=2, replaces=1)]
    second = next_round(ROBIN, entrants, first, SEED, unequal_sides=False)
    assert {one for pairing in second for one in pairing.players} == {2, 3, 4, 9}


def test_both_sides_of_every_pair_are_played() -> None:
    played = whole(replace(ROBIN, both_sides=True), people(4))
    seats = Counter(game.seats for pairing in played for game in pairing.games)
    assert len(seats) == 12
    assert set(seats.values()) == {1}
    assert all(History(played).balance(one) == 0 for one in range(1, 5))


@settings(max_examples=25, deadline=None)
@given(
    count=st.integers(2, 14),
    cycles=st.integers(1, 2),
    groups=st.integers(1, 4),
    seed=st.integers(0, 10**6),
)
@example(count=5, cycles=2, groups=4, seed=2282)  # in round 5 nobody has an opponent
def test_nothing_breaks_when_players_leave_and_are_replaced(
    count: int, cycles: int, groups: int, seed: int
) -> None:
    plan = replace(ROBIN, cycles=cycles, groups=groups)
    played = play(plan, count, random.Random(seed), Life(leaves=0.05))
    assert list(broken(played)) == []


@pytest.mark.parametrize("dice", [30, 33, 56])
def test_a_replacement_in_the_final_changes_nothing_in_the_group(dice: int) -> None:
    """Games against early leavers stay uncounted, even if their place is taken later."""
    plan, result = replace(ROBIN, groups=2, cycles=2), random.Random(dice)
    entrants, played = people(6), list[Pairing]()
    while len(stages(played)) < 3:
        made = round_after(
            plan, entrants, played, lambda _: result.choice([(1.0, 0.0), (0.0, 1.0)])
        )
        played += made
        if made[0].round == 1:
            entrants[4] = replace(entrants[4], left_after=1)
    before = next_round(plan, entrants, played, SEED, unequal_sides=False)
    entrants.append(Entrant(9, 1.0, joined_round=played[-1].round + 1, replaces=5))
    assert next_round(plan, entrants, played, SEED, unequal_sides=False) == before
    assert record(plan, entrants, played, seed=SEED.hex()).wrong_round() is None


def test_later_events_do_not_change_earlier_pairings() -> None:
    """Leaving in the final removes no result of the group, so its winners stay the same."""
    plan = replace(ROBIN, groups=4)
    entrants = people(12)
    played = whole(plan, entrants, lambda game: drawn(game) if 12 in game.seats else (1.0, 0.0))
    entrants = [replace(one, left_after=4) for one in entrants]
    four = [p for p in played if p.round <= 4]
    assert record(plan, entrants, four, seed=SEED.hex()).wrong_round() is None


def test_an_altered_pairing_is_detected() -> None:
    entrants = people(6)
    played = whole(ROBIN, entrants)
    assert record(ROBIN, entrants, played, seed=SEED.hex()).wrong_round() is None
    swapped = [
        replace(p, games=(Game(p.games[0].seats[::-1], (0.5, 0.5)),)) if p.round == 3 else p
        for p in played
    ]
    assert record(ROBIN, entrants, swapped, seed=SEED.hex()).wrong_round() == 3
    assert record(ROBIN, entrants, played, seed=b"another".hex()).wrong_round() == 1

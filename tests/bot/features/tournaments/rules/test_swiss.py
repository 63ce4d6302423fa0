"""Swiss tournaments for two at a board: pairings and sides."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.simulated_tournaments import Life, play
from bench.tournament_checks import broken
from bot.features.tournaments.rules.pairing import PairingImpossible, next_round
from bot.features.tournaments.rules.roster import History, Roster
from bot.features.tournaments.rules.swiss import Swiss, best_pairs
from data.tournaments.values import Entrant, Format, Game, Pairing, Plan
from tests.bot.features.tournaments.rules.field import (
    SEED,
    all_ways,
    drawn,
    people,
    round_after,
    whole,
)

SWISS = Plan(Format.SWISS)


def pairs(pairings: list[Pairing]) -> set[tuple[int, ...]]:
    """Return the pairs, lower number first."""
    return {tuple(sorted(pairing.players)) for pairing in pairings}


def test_in_the_first_round_the_upper_half_meets_the_lower_half_in_order() -> None:
    assert pairs(round_after(SWISS, people(8), [])) == {(1, 5), (2, 6), (3, 7), (4, 8)}


def test_sides_alternate_from_table_to_table_in_the_first_round() -> None:
    first = round_after(SWISS, people(8), [])
    upper = [pairing.games[0].seats.index(min(pairing.players)) for pairing in first]
    assert upper in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_winners_meet_winners() -> None:
    first = round_after(SWISS, people(8), [])
    second = round_after(SWISS, people(8), first)
    assert pairs(second) == {(1, 4), (2, 3), (5, 8), (6, 7)}, "everyone changes sides"
    assert [pairing.table for pairing in second] == [1, 2, 3, 4]
    assert set(second[0].players) == {1, 4}, "the leaders play at the first table"


def test_a_forfeit_is_not_a_meeting_and_counts_like_a_bye() -> None:
    """FIDE C.04.1: they may meet later, and the player who turned up gets no bye."""
    entrants = people(3)
    forfeited = Game((1, 2), (1.0, 0.0), "forfeit")
    first = [Pairing(1, 1, (1, 2), (forfeited,)), Pairing(1, 2, (3,))]
    second = next_round(SWISS, entrants, first, SEED, unequal_sides=False)
    assert pairs(list(second)) == {(1, 3), (2,)}


def test_a_void_game_counts_as_never_paired() -> None:
    entrants = people(2)
    first = [Pairing(1, 1, (1, 2), (Game((1, 2), (1.0, 0.0), "void"),))]
    second = next_round(replace(SWISS, rounds=1), entrants, first, SEED, unequal_sides=False)
    assert second == ()
    assert History(first).points == Counter({1: 0, 2: 0})
    assert History(first).times_met(1, 2) == 0


def test_a_replacement_inherits_points_and_past_opponents() -> None:
    entrants = people(4)
    first = round_after(SWISS, entrants, [])
    beaten = next(set(p.players) - {1} for p in first if 1 in p.players).pop()
    entrants[0] = replace(entrants[0], left_after=1)
    entrants.append(Entrant(9, 1.0, joined_round=2, replaces=1))
    second = round_after(SWISS, entrants, first)
    pairing = next(pairing for pairing in second if 9 in pairing.players)
    assert beaten not in pairing.players
    points = History(Roster(entrants).as_places(first)).points
    assert points[min(set(pairing.players) - {9})] == 2, "a winner, like the player who left"


def test_rematches_happen_only_if_there_is_no_other_opponent() -> None:
    plan = replace(SWISS, rounds=3)
    entrants = people(4)
    played = round_after(plan, entrants, [])
    stay = set(played[0].players)
    entrants = [one if one.user_id in stay else replace(one, left_after=1) for one in entrants]
    again = next_round(plan, entrants, played, SEED, unequal_sides=False)
    assert pairs(list(again)) == {tuple(sorted(stay))}
    assert again[0].games[0].seats == played[0].games[0].seats[::-1], "with the sides swapped"


def test_unequal_sides_are_swapped_even_if_points_differ() -> None:
    """All winners had the better side, so they get the other one against the losers."""

    def better_side(game: Game) -> tuple[float, ...]:
        return (1.0, 0.0)

    first = round_after(SWISS, people(8), [], better_side, unequal=True)
    second = round_after(SWISS, people(8), first, better_side, unequal=True)
    before = {one: p.games[0].seats.index(one) for p in first for one in p.players}
    after = {one: p.games[0].seats.index(one) for p in second for one in p.players}
    assert all(before[one] != after[one] for one in before)


def test_both_sides_are_two_games_and_one_result() -> None:
    plan = replace(SWISS, both_sides=True)
    (pairing,) = next_round(plan, people(2), [], SEED, unequal_sides=True)
    first, second = pairing.games
    assert first.seats == second.seats[::-1]
    results = (replace(first, points=(1.0, 0.0)), replace(second, points=(0.5, 0.5)))
    done = replace(pairing, games=results)
    assert [done.points(one) for one in first.seats] == [1.0, 0.0]
    assert [done.score(one) for one in first.seats] == [1.5, 0.5]


def test_one_player_is_not_enough_for_a_tournament() -> None:
    with pytest.raises(PairingImpossible, match="at least 2 players"):
        next_round(SWISS, people(1), [], SEED, unequal_sides=False)


def test_a_round_waits_for_the_last_game_of_the_previous_round() -> None:
    first = next_round(SWISS, people(4), [], SEED, unequal_sides=False)
    with pytest.raises(ValueError, match=r"^the last round is still in progress$"):
        next_round(SWISS, people(4), first, SEED, unequal_sides=False)


def test_a_swiss_ends_after_its_rounds_or_when_no_one_is_left_to_play() -> None:
    played = whole(SWISS, people(8))
    assert max(pairing.round for pairing in played) == 3
    gone = [replace(one, left_after=1) for one in people(8)[1:]]
    first = [pairing for pairing in played if pairing.round == 1]
    assert next_round(SWISS, [people(1)[0], *gone], first, SEED, unequal_sides=False) == ()


@settings(max_examples=20, deadline=None)
@given(
    count=st.integers(4, 8),
    rounds=st.integers(0, 3),
    seed=st.integers(0, 10**6),
    unequal=st.booleans(),
)
def test_paired_players_points_are_as_close_as_any_pairing_allows(
    count: int, rounds: int, seed: int, *, unequal: bool
) -> None:
    """Compares with every possible pairing of a small field, by the most important criteria."""
    dice = random.Random(seed)
    entrants = people(count)
    played: list[Pairing] = []
    for _ in range(rounds):
        played += round_after(
            replace(SWISS, rounds=7), entrants, played, lambda g: dice.choice(((1, 0), (0.5, 0.5), (0, 1)))
        )  # fmt: skip
    made = next_round(replace(SWISS, rounds=9), entrants, played, SEED, unequal_sides=unequal)
    history = History(played)

    def badness(way: list[tuple[int, ...]]) -> tuple[int, ...]:
        twice = sum(history.byes[pair[0]] for pair in way if len(pair) == 1)
        again = sum(history.times_met(*pair) for pair in way if len(pair) == 2)
        grave = sum(_side_penalty(history, pair, unequal=unequal) for pair in way if len(pair) == 2)
        bye = sum(history.points[pair[0]] for pair in way if len(pair) == 1)
        apart = sum(
            (history.points[pair[0]] - history.points[pair[1]]) ** 2
            for pair in way
            if len(pair) == 2
        )
        return twice, again, grave, bye, apart

    numbers = list(range(1, count + 1)) + [0] * (count % 2)
    ways = [
        [tuple(one for one in pair if one) for pair in way] for way in all_ways(numbers)
    ]  # fmt: skip
    if made:
        assert badness([pairing.players for pairing in made]) == min(map(badness, ways))


def _side_penalty(history: History, pair: tuple[int, ...], *, unequal: bool) -> int:
    """Return the penalty for a pair's sides, by `Swiss`'s rule, if seated as well as possible."""

    def after(first: int, second: int) -> int:
        bad = 0
        for place, seat in ((first, 0), (second, 1)):
            seats = [*history.seats[place], seat]
            balance = abs(seats.count(0) - seats.count(1))
            bad += balance > 2 or (len(seats) > 2 and len(set(seats[-3:])) == 1)
            bad += max(0, balance - 1) if unequal else 0
        return bad

    one, other = pair
    return min(after(one, other), after(other, one))


@settings(max_examples=12, deadline=None)
@given(
    count=st.integers(4, 40),
    seed=st.integers(0, 10**6),
    unequal=st.booleans(),
    both=st.booleans(),
)
def test_nothing_breaks_when_players_come_and_go(
    count: int, seed: int, *, unequal: bool, both: bool
) -> None:
    plan = replace(SWISS, rounds=6, both_sides=both)
    life = Life(leaves=0.1, joins=0.1, draws=0.3, forfeits=0.08, voids=0.03)
    played = play(plan, count, random.Random(seed), life, unequal=unequal)
    assert list(broken(played)) == []


@pytest.mark.parametrize("count", [6, 10, 16, 17])
def test_unequal_sides_are_balanced_to_within_one_game(count: int) -> None:
    """With everyone present and the usual number of rounds."""
    played = whole(replace(SWISS, rounds=4), people(count), drawn, unequal=True)
    history = History(played)
    assert all(abs(history.balance(one)) <= 1 for one in range(1, count + 1))


@pytest.mark.parametrize(
    ("floated", "expected"),
    [
        ({}, 3),
        ({3: 3}, 2),
        ({3: 3, 2: 3}, 1),
        ({3: 3, 2: 2, 1: 3}, 2),
        ({3: 2, 2: 1}, 2),
        ({3: 2, 2: 2, 1: 2}, 3),
    ],
)
def test_downfloats_do_not_repeat_within_two_rounds_if_another_player_can_take_one(
    floated: dict[int, int], expected: int
) -> None:
    """One of three players on two points must meet 4, who has one: the last whose turn it is."""
    history = History([])
    history.rounds = 3
    history.points.update({1: 4, 2: 4, 3: 4, 4: 2})
    for place, number in floated.items():
        history.floats[place][number] = 1
    made = Swiss((1, 2, 3, 4), history, SEED, unequal_sides=False, both_sides=True).pairings()
    assert next(pairing for pairing in made if 4 in pairing.players).players[0] == expected


def of_two(one: str, other: str) -> Swiss:
    """Return a round of 1 and 2 after the sides they had: f for the first, s for the second."""
    history = History([])
    for place, sides in ((1, one), (2, other)):
        history.seats[place] = ["fs".index(side) for side in sides]
    history.rounds = max(len(one), len(other))
    return Swiss((1, 2), history, SEED, unequal_sides=False, both_sides=False)


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        ("f", "s", 2), ("s", "f", 1),  # balance
        ("fs", "sf", 1), ("sf", "fs", 2),  # the other side than last time
        ("fs", "fs", 1), ("sf", "sf", 2),  # both wish the same: the higher gets it
        ("fsfs", "sffs", 1), ("sffs", "fsfs", 2),  # the other side than when they last differed
        ("sff", "fss", 2), ("sssff", "", 2),  # never three times running, even for balance
        ("ff", "ff", 2), ("ss", "ss", 1),
        ("ff", "f", 2), ("ss", "s", 1),  # the greater wish
        ("fsf", "f", 2), ("sfs", "s", 1),  # both wish the same
        ("ffsff", "sfff", 2), ("ssfss", "fsss", 1),  # the greater wish, though neither gets it all
    ],
)  # fmt: skip
def test_the_side_goes_to_whom_it_is_due(one: str, other: str, first: int) -> None:
    """FIDE C.04.3, E: balance, alternation, the last difference, and the higher ranked."""
    (pairing,) = of_two(one, other).pairings()
    assert pairing.games[0].seats[0] == first


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("", "", (0, 0)),
        ("f", "s", (0, 2)),
        ("s", "f", (0, 0)),
        ("ff", "", (1, 2)),
        ("sff", "", (1, 1)),
        ("ffsf", "", (1, 2)),
        ("", "sfss", (1, 2)),
        ("ff", "ss", (2, 4)),
    ],
)
def test_a_side_too_often_is_a_grave_fault_and_unbalanced_sides_a_slight_one(
    one: str, other: str, expected: tuple[int, int]
) -> None:
    assert of_two(one, other)._after(1, 2) == expected


@settings(max_examples=60, deadline=None)
@given(st.sampled_from((2, 4, 6, 8)), st.randoms(use_true_random=False))
def test_no_other_pairing_costs_less(count: int, dice: st.DrawFn) -> None:
    costs = {
        (one, other): (dice.randrange(3), dice.choice((0, 0, 7)), dice.randrange(50))  # type: ignore[attr-defined]
        for one in range(count)
        for other in range(one + 1, count)
    }

    def total(pairs: list[tuple[int, int]]) -> tuple[int, ...]:
        return tuple(map(sum, zip(*(costs[pair] for pair in pairs), strict=True)))

    found = best_pairs(count, lambda one, other: costs[one, other], b"seed")
    assert sorted(number for pair in found for number in pair) == list(range(count))
    assert total(found) == min(total(way) for way in all_ways(list(range(count))))


def test_the_seed_chooses_between_equally_good_pairings() -> None:
    drawn = {tuple(best_pairs(6, lambda one, other: (0,), bytes([seed]))) for seed in range(60)}
    assert len(drawn) == 15
    again = best_pairs(6, lambda one, other: (0,), b"\x07")
    assert again == best_pairs(6, lambda one, other: (0,), b"\x07")


@pytest.mark.parametrize(
    ("costly", "most"),
    [
        ({(0, 3), (1, 3), (2, 3)}, 0x9428570BD3644AAAA47E51B4D6),  # a bye, once in a round
        ({(0, 1), (0, 2), (0, 3)}, 0x4A142B85E9B22555523F28DA6B),
        ({(0, 1), (2, 3)}, 0x3162C7AE9BCC18E38C2A1B3C47),
        (set(combinations(range(4), 2)), 0x3162C7AE9BCC18E38C2A1B3C47),
    ],
)
def test_costs_that_cannot_be_compared_exactly_are_refused(
    costly: set[tuple[int, int]], most: int
) -> None:
    """The most that pairs may cost in a criterion depends on how many of them can be in a round."""

    def pairs_of(cost: int) -> list[tuple[int, int]]:
        def costs(*pair: int) -> tuple[int, int]:
            return int(pair == (0, 1)), cost if pair in costly else 0

        return best_pairs(4, costs, b"")

    assert (0, 1) not in pairs_of(most)
    with pytest.raises(ValueError, match=r"^pair costs are too large to compare exactly$"):
        pairs_of(most + 1)


def test_an_empty_field_has_no_pairs() -> None:
    assert best_pairs(0, lambda one, other: (0,), b"") == []

"""Tables of three and four: their players and seats."""

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
from bot.features.tournaments.rules.pairing import (
    PairingImpossible,
    next_round,
    sizes,
    total_rounds,
)
from bot.features.tournaments.rules.roster import History
from data.tournaments.values import Format, Pairing, Plan
from tests.bot.features.tournaments.rules.field import SEED, people, round_after, whole

THREES = Plan(Format.ROUND_ROBIN, seats=3)
FOURS = Plan(Format.ROUND_ROBIN, seats=4)


def meetings(played: list[Pairing]) -> Counter[tuple[int, ...]]:
    """Count how often each two players sat together."""
    return Counter(pair for pairing in played for pair in combinations(sorted(pairing.players), 2))


@pytest.mark.parametrize(
    ("seats", "smallest", "count", "expected"),
    [
        (4, 2, 9, [3, 3, 3]),
        (4, 2, 8, [4, 4]),
        (4, 2, 7, [4, 3]),
        (4, 2, 5, [3, 2]),
        (4, 3, 5, [4]),
        (4, 4, 9, [4, 4]),
        (3, 2, 7, [3, 2, 2]),
        (3, 3, 8, [3, 3]),
        (2, 2, 7, [2, 2, 2]),
        (4, 3, 2, []),
    ],
)
def test_tables_are_full_and_no_one_sits_out_if_the_game_allows_it(
    seats: int, smallest: int, count: int, expected: list[int]
) -> None:
    assert sizes(Plan(Format.SWISS, seats=seats, smallest=smallest), count) == expected


def test_nine_at_tables_of_three_meet_everyone_once() -> None:
    played = whole(THREES, people(9))
    assert max(pairing.round for pairing in played) == total_rounds(THREES, 9) == 4
    assert set(meetings(played).values()) == {1}
    assert len(meetings(played)) == 36


@pytest.mark.parametrize(
    ("plan", "count", "never", "twice"),
    [
        (FOURS, 8, 4, 12),
        (FOURS, 13, 18, 0),
        (FOURS, 16, 8, 8),
        (THREES, 7, 6, 0),
        (THREES, 12, 4, 10),
    ],
)
def test_players_meet_evenly(plan: Plan, count: int, never: int, twice: int) -> None:
    """Few fields come out even; the parameters bound the pairs that meet never or twice."""
    met = meetings(whole(plan, people(count)))
    often = [met[pair] for pair in combinations(range(1, count + 1), 2)]
    assert max(often) <= 2
    assert often.count(0) <= never
    assert often.count(2) <= twice


def test_seats_rotate() -> None:
    played = whole(replace(FOURS, rounds=4), people(12))
    for own in History(played).seats.values():
        assert len(own) == 4
        assert max(Counter(own).values()) <= 2
    assert sum(len(set(own)) == 4 for own in History(played).seats.values()) >= 8


def test_a_swiss_seats_players_with_equal_points_who_have_not_met() -> None:
    plan = Plan(Format.SWISS, seats=4, rounds=2)
    first = round_after(plan, people(16), [])
    points = History(first).shares
    second = round_after(plan, people(16), first)
    assert max(meetings([*first, *second]).values()) == 1
    # Each place has four players who have not met, so they can all sit together.
    assert all(len({points[one] for one in pairing.players}) == 1 for pairing in second)


def test_no_player_sits_out_twice() -> None:
    plan = replace(FOURS, smallest=4, rounds=9)
    played = whole(plan, people(9))
    out = [pairing.players[0] for pairing in played if pairing.bye]
    assert sorted(out) == list(range(1, 10))


def test_a_game_for_three_needs_three() -> None:
    with pytest.raises(PairingImpossible, match="at least 3"):
        next_round(replace(THREES, smallest=3), people(2), [], SEED, unequal_sides=False)


@settings(max_examples=8, deadline=None)
@given(
    count=st.integers(4, 20),
    seats=st.integers(3, 4),
    smallest=st.integers(2, 3),
    swiss=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_nothing_breaks_when_players_come_and_go(
    count: int, seats: int, smallest: int, *, swiss: bool, seed: int
) -> None:
    form = Format.SWISS if swiss else Format.ROUND_ROBIN
    plan = Plan(form, seats=seats, smallest=smallest, rounds=5)
    played = play(plan, count, random.Random(seed), Life(leaves=0.05, joins=0.1))
    assert list(broken(played)) == []

"""Pairings are reproducible: computing a tournament again gives the same ones."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bench.simulated_tournaments import play
from bot.core.errors import BadImport
from bot.features.tournaments.rules.pairing import from_json, most_entrants, total_rounds
from bot.features.tournaments.rules.roster import Roster
from bot.play.matches.scoring import points_of_places
from data.tournaments.values import Entrant, Format, Plan
from tests.bot.features.tournaments.rules.field import record

PLANS = (
    Plan(Format.SWISS, rounds=5),
    Plan(Format.ROUND_ROBIN, groups=2),
    Plan(Format.KNOCKOUT, best_of=3, lives=2),
    Plan(Format.SWISS, seats=4),
)


@pytest.mark.parametrize("plan", PLANS, ids=str)
def test_pairings_do_not_depend_on_ids_or_input_order(plan: Plan) -> None:
    """Deleting one's data in the middle of a tournament changes one's ID."""
    played = play(plan, 15, random.Random(3))
    ids = {one.user_id: -(one.user_id * 7919 % 1009) for one in played.entrants}
    entrants = [
        replace(one, user_id=ids[one.user_id], replaces=one.replaces and ids[one.replaces])
        for one in played.entrants
    ]
    pairings = [one.renamed(ids) for one in played.pairings]
    random.Random(4).shuffle(pairings)
    assert record(plan, entrants, pairings, seed=played.seed.hex()).wrong_round() is None
    pairings.sort(key=lambda pairing: pairing.round)
    moved = replace(pairings[-1], round=pairings[-1].round, table=99)
    wrong = [*pairings[:-1], moved]
    assert record(plan, entrants, wrong, seed=played.seed.hex()).wrong_round() == moved.round


def test_equally_strong_players_are_ordered_at_random() -> None:
    alike = [Entrant(number) for number in range(1, 9)]
    orders = {Roster(alike, bytes([seed])).places for seed in range(20)}
    assert len(orders) == 20


def test_replacements_form_a_chain_and_never_a_cycle() -> None:
    chain = [
        Entrant(1, left_after=1),
        Entrant(2, 0, 2, 3, replaces=1),
        Entrant(3, 0, 5, replaces=2),
    ]
    roster = Roster(chain)
    assert [roster.holder(1, number) for number in range(1, 6)] == [1, 2, 2, None, 3]
    assert roster.place(3) == 1
    with pytest.raises(ValueError, match="circular"):
        Roster([Entrant(1, replaces=2), Entrant(2, replaces=1)])
    with pytest.raises(ValueError, match="only once"):
        Roster([Entrant(1), Entrant(2, replaces=1), Entrant(3, replaces=1)])
    with pytest.raises(ValueError, match="can be replaced"):
        Roster([Entrant(2, replaces=1)])


@pytest.mark.parametrize(
    ("plan", "count", "expected"),
    [
        (Plan(Format.SWISS), 8, 3),
        (Plan(Format.SWISS), 500, 9),
        (Plan(Format.SWISS), 2, 1),
        (Plan(Format.SWISS, rounds=40), 24, 23),  # more would be rematches
        (Plan(Format.SWISS, rounds=40), 25, 25),
        (Plan(Format.SWISS), 9, 4),
        (Plan(Format.SWISS, seats=4), 4, 1),
        (Plan(Format.SWISS, seats=4), 16, 3),
        (Plan(Format.SWISS, seats=4), 5, 2),
        (Plan(Format.ROUND_ROBIN, seats=3, cycles=2), 4, 4),
        (Plan(Format.SWISS), 1, 0),
        (Plan(Format.ROUND_ROBIN), 8, 7),
        (Plan(Format.ROUND_ROBIN, cycles=2), 5, 10),
        (Plan(Format.ROUND_ROBIN, groups=4), 16, 6),
        (Plan(Format.ROUND_ROBIN, groups=4), 5, 4),
        (Plan(Format.KNOCKOUT), 9, 4),
        (Plan(Format.KNOCKOUT, lives=2), 4, 5),
        (Plan(Format.ROUND_ROBIN, seats=4), 16, 5),
        (Plan(Format.SWISS, seats=4), 64, 4),
        (Plan(Format.SWISS, seats=4, rounds=6), 64, 6),
    ],
    ids=str,
)
def test_the_number_of_rounds(plan: Plan, count: int, expected: int) -> None:
    assert total_rounds(plan, count) == expected
    if plan.format is not Format.KNOCKOUT and 1 < count < 20:
        calm = play(plan, count, random.Random(1))
        assert max(pairing.round for pairing in calm.pairings) <= expected


@pytest.mark.parametrize(
    ("plan", "most"),
    [
        (Plan(Format.SWISS, rounds=3), 500),
        (Plan(Format.KNOCKOUT), 500),
        (Plan(Format.ROUND_ROBIN), 100),
        (Plan(Format.ROUND_ROBIN, cycles=2), 50),
        (Plan(Format.ROUND_ROBIN, cycles=20), 6),
        (Plan(Format.ROUND_ROBIN, seats=3), 201),
        (Plan(Format.ROUND_ROBIN, groups=6), 500),
        (Plan(Format.ROUND_ROBIN, cycles=101), 2),
    ],
    ids=str,
)
def test_a_tournament_takes_no_more_players_than_a_hundred_rounds_allow(
    plan: Plan, most: int
) -> None:
    assert most_entrants(plan) == most


def test_points_are_the_share_of_opponents_beaten() -> None:
    assert points_of_places((1, 2)) == (1, 0)
    assert points_of_places((1, 1)) == (0.5, 0.5)
    assert points_of_places((2, 1, 3)) == (0.5, 1, 0)
    assert points_of_places((1, 2, 2, 4)) == (1, 0.5, 0.5, 0)
    assert sum(points_of_places((1, 1, 3, 3))) == 2


@pytest.mark.parametrize(
    "wrong",
    [
        {"seats": 1},
        {"smallest": 3},
        {"rounds": 0},
        {"best_of": 2},
        {"best_of": 3},
        {"lives": 2},
        {"cycles": 2},
        {"groups": 0},
        {"seats": 4, "both_sides": True},
    ],
    ids=str,
)
def test_invalid_plans_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"(must|require)\b"):
        Plan(Format.SWISS, **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("[]", "damaged: Input should"), ("{}", "damaged: plan: Field required")],
)
def test_what_is_no_record_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(BadImport, match=reason):
        from_json(text)


def test_two_players_are_enough_for_a_tournament() -> None:
    for form in Format:
        played = play(Plan(form), 2, random.Random(1))
        assert {len(pairing.players) for pairing in played.pairings} == {2}

"""Standings: their order, tie-breaks, and how unplayed rounds count."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from bot.features.tournaments.round_text import standing
from bot.features.tournaments.rules.standings import (
    Standing,
    places_won,
    stages,
    standings,
)
from bot.features.tournaments.rules.tie_breaks import EXPLAINED, NAMES, TieBreak, figure, tie_breaks
from data.tournaments.values import Entrant, Format, Game, Pairing, Plan
from tests.bot.features.tournaments.rules.field import met, people, whole

SWISS = Plan(Format.SWISS)
ROBIN = Plan(Format.ROUND_ROBIN)
CUP = Plan(Format.KNOCKOUT)


def order(found: tuple[Standing, ...]) -> list[tuple[int, int]]:
    """Return each place with its player."""
    return [(one.rank, one.user_id) for one in found]


def value(found: tuple[Standing, ...], user_id: int, tie_break: TieBreak) -> float | None:
    """Return a player's tie-break, if they have one."""
    return next(dict(one.tie_breaks).get(tie_break) for one in found if one.user_id == user_id)


SIX = [
    met(1, 1, 1, 4, 1), met(1, 2, 2, 5, 1), met(1, 3, 3, 6, 0.5),
    met(2, 1, 1, 2, 1), met(2, 2, 3, 4, 1), met(2, 3, 6, 5, 0.5),
    met(3, 1, 1, 3, 0), met(3, 2, 2, 6, 1), met(3, 3, 4, 5, 1),
]  # fmt: skip
"""A Swiss of six: 3 has 2½ points, 1 and 2 have 2, 4 and 6 have 1, 5 has ½."""


def test_points_come_first_and_tie_breaks_are_named() -> None:
    found = standings(SWISS, people(6), SIX)
    assert order(found) == [(1, 3), (2, 1), (3, 2), (4, 6), (5, 4), (6, 5)]
    assert [one.points for one in found] == [2.5, 2, 2, 1, 1, 0.5]
    assert [one.reason for one in found] == [
        "more points",
        "head to head: 1 to 0",
        "more points",
        "Sonneborn-Berger: 1½ to ½",
        "more points",
        None,
    ]
    assert (found[1].wins, found[1].draws, found[1].losses) == (2, 0, 1)


@pytest.mark.parametrize(
    ("user_id", "buchholz", "sonneborn_berger"),
    [(1, 1 + 2 + 2.5, 1 + 2), (3, 1 + 1 + 2, 1 / 2 + 1 + 2), (4, 2 + 2.5 + 0.5, 0.5),
     (6, 2.5 + 0.5 + 2, 2.5 / 2 + 0.5 / 2)],
)  # fmt: skip
def test_tie_breaks_sum_the_opponents_points_or_those_of_the_beaten_and_half_of_the_drawn(
    user_id: int, buchholz: float, sonneborn_berger: float
) -> None:
    found = standings(SWISS, people(6), SIX)
    assert value(found, user_id, TieBreak.BUCHHOLZ) == buchholz
    assert value(found, user_id, TieBreak.SONNEBORN_BERGER) == sonneborn_berger


@pytest.mark.parametrize("plan", [SWISS, ROBIN, CUP, replace(CUP, lives=2)], ids=str)
def test_before_any_result_all_share_the_first_place(plan: Plan) -> None:
    found = standings(plan, people(4), [])
    assert [(one.rank, one.user_id, one.played, one.byes) for one in found] == [
        (1, user, 0, 0) for user in (1, 2, 3, 4)
    ]
    assert found[-1].reason is None
    assert standings(plan, [], []) == ()


def test_head_to_head_decides_only_if_all_tied_players_have_met() -> None:
    three = [met(1, 1, 1, 2, 1), met(1, 2, 3, 4, 1), met(2, 1, 3, 1, 0.5), met(2, 2, 2, 4, 1)]
    found = standings(SWISS, people(4), three)
    assert order(found)[:2] == [(1, 1), (2, 3)]
    assert value(found, 1, TieBreak.DIRECT) is None, "they drew, so it decided nothing"
    assert found[0].reason is not None
    assert found[0].reason.startswith("Buchholz")


def test_a_place_is_shared_if_everything_is_equal() -> None:
    found = standings(
        ROBIN, people(3), [met(1, 1, 1, 2, 1), met(2, 1, 2, 3, 1), met(3, 1, 3, 1, 1)]
    )
    assert order(found) == [(1, 1), (1, 2), (1, 3)]
    assert found[0].reason == "shared place, all tie-breaks are equal"
    assert found[-1].reason is None


def test_a_bye_is_a_win_in_a_swiss_and_nothing_in_a_round_robin() -> None:
    """FIDE C.04.1: a pairing-allocated bye is worth as much as a win."""
    first = [met(1, 1, 1, 2, 1), Pairing(1, 2, (3,))]
    swiss, robin = (standings(plan, people(3), first) for plan in (SWISS, ROBIN))
    assert next(one for one in swiss if one.user_id == 3).points == 1
    assert next(one for one in robin if one.user_id == 3).points == 0
    third = next(one for one in swiss if one.user_id == 3)
    assert (third.played, third.wins, third.byes) == (0, 0, 1)


def test_an_unplayed_round_counts_as_played_against_an_equal_opponent() -> None:
    """FIDE C.07: the dummy opponent ends with the player's own points."""
    played = [
        met(1, 1, 1, 2, 1), Pairing(1, 2, (3,)),
        met(2, 1, 3, 1, 1), Pairing(2, 2, (2,)),
    ]  # fmt: skip
    found = standings(SWISS, people(3), played)
    assert value(found, 3, TieBreak.BUCHHOLZ) == 2 + 1
    assert value(found, 3, TieBreak.SONNEBORN_BERGER) == 2 + 1
    assert value(found, 2, TieBreak.BUCHHOLZ) == 1 + 1
    assert value(found, 2, TieBreak.SONNEBORN_BERGER) == 1
    assert value(found, 3, TieBreak.WINS) == 1, "only games played on the board count as wins"


def test_an_opponent_who_left_gets_half_a_point_per_later_round() -> None:
    entrants = people(4)
    entrants[3] = replace(entrants[3], left_after=1)
    played = [
        met(1, 1, 1, 4, 1), met(1, 2, 2, 3, 1),
        met(2, 1, 1, 2, 0.5), Pairing(2, 2, (3,)),
        met(3, 1, 1, 3, 1), Pairing(3, 2, (2,)),
    ]  # fmt: skip
    found = standings(SWISS, entrants, played)
    assert value(found, 1, TieBreak.BUCHHOLZ) == (0 + 2 * 0.5) + 2.5 + 1
    assert found[-1].left


def test_a_forfeit_counts_but_is_not_a_played_game() -> None:
    forfeited = Pairing(1, 1, (1, 2), (Game((1, 2), (1.0, 0.0), "forfeit"),))
    one, two = standings(SWISS, people(2), [forfeited])
    assert (one.points, one.played, one.wins, one.byes) == (1, 0, 0, 1)
    told = standing(one, knockout=False, shared=False)
    assert "1 win by forfeit" in told
    assert "bye" not in told
    assert (two.points, two.played, two.losses) == (0, 0, 0)


def test_leaving_a_round_robin_early_removes_a_players_games() -> None:
    """FIDE C.06, 5.4: fewer than half of the games were completed."""
    entrants = people(4)
    played = whole(ROBIN, entrants)
    entrants[0] = replace(entrants[0], left_after=1)
    played = [
        pairing if pairing.round == 1 or 1 not in pairing.players else _forfeited(pairing, 1)
        for pairing in played
    ]
    found = standings(ROBIN, entrants, played)
    assert [one.user_id for one in found] == [2, 3, 4, 1]
    assert [one.points for one in found] == [2, 1, 0, 0]
    assert found[-2].reason == "the next player left early"


def test_leaving_a_round_robin_late_forfeits_the_remaining_games() -> None:
    entrants = people(4)
    played = whole(ROBIN, entrants)
    entrants[0] = replace(entrants[0], left_after=2)
    played = [
        pairing if pairing.round < 3 or 1 not in pairing.players else _forfeited(pairing, 1)
        for pairing in played
    ]
    found = standings(ROBIN, entrants, played)
    assert next(one for one in found if one.user_id == 1).points == 2
    assert sum(one.points for one in found) == 6


def test_half_of_the_games_are_enough_to_count() -> None:
    entrants = people(3)
    entrants[0] = replace(entrants[0], left_after=1)
    played = [met(1, 1, 1, 2, 1), _forfeited(Pairing(2, 1, (1, 3)), 1), met(3, 1, 2, 3, 1)]
    assert [one.points for one in standings(ROBIN, entrants, played)] == [1, 1, 1]


def test_groups_come_in_their_order_and_the_final_last() -> None:
    names = ("final", "group 10", "", "group 2")
    assert stages(Pairing(1, 1, (1,), stage=name) for name in names) == (
        "group 2",
        "group 10",
        "final",
    )


def _forfeited(pairing: Pairing, absent: int) -> Pairing:
    points = tuple(float(one != absent) for one in pairing.players)
    return replace(pairing, games=(Game(pairing.players, points, "forfeit"),))


def test_a_late_entrant_not_paired_yet_has_no_points() -> None:
    entrants = [*people(6), Entrant(7, 1.0, joined_round=4)]
    found = standings(SWISS, entrants, SIX)
    assert (found[-1].user_id, found[-1].points) == (7, 0)
    assert len(standings(SWISS, people(4), [])) == 4, "before the first round too"


def test_open_games_do_not_count_yet() -> None:
    running = [*SIX, Pairing(4, 1, (1, 6), (Game((1, 6)),))]
    assert order(standings(SWISS, people(6), running))[0] == (1, 3)
    assert next(o for o in standings(SWISS, people(6), running) if o.user_id == 1).points == 2


def test_tie_breaks_have_an_order_and_are_explained() -> None:
    buchholz = (TieBreak.DIRECT, TieBreak.BUCHHOLZ, TieBreak.SONNEBORN_BERGER, TieBreak.WINS)
    assert tie_breaks(SWISS) == buchholz
    assert TieBreak.BUCHHOLZ not in tie_breaks(ROBIN)
    assert NAMES.keys() == EXPLAINED.keys() == set(TieBreak)


@pytest.mark.parametrize(
    ("points", "written"),
    [
        (0, "0"),
        (0.5, "½"),
        (3, "3"),
        (3.5, "3½"),
        (1 / 3 + 1 / 3, "0.67"),
        (10, "10"),
        (2.75, "2.75"),
    ],
)
def test_points_are_written_with_halves(points: float, written: str) -> None:
    assert figure(points) == written


@pytest.mark.parametrize(
    "plan",
    [
        Plan(Format.SWISS, both_sides=True),
        Plan(Format.ROUND_ROBIN),
        Plan(Format.KNOCKOUT),
    ],
)
def test_standings_take_time_proportional_to_the_number_of_players(plan: Plan) -> None:
    """Counts function calls instead of time; if quadratic, 500 people would take seconds."""

    def effort(people: int) -> int:
        rounds = [
            met(number, table, 2 * table - 1, 2 * table, 0.5)
            for number in range(1, 6)
            for table in range(1, people // 2 + 1)
        ]
        entrants = [Entrant(user) for user in range(1, people + 1)]
        steps = 0

        def count(*_: object) -> None:
            nonlocal steps
            steps += 1

        before = sys.getprofile()
        sys.setprofile(count)
        try:
            standings(plan, entrants, rounds)
        finally:
            sys.setprofile(before)
        return steps

    assert effort(160) < 2.5 * effort(80)


def test_a_place_takes_a_point() -> None:
    final = [met(1, 1, 1, 2, 1), met(2, 1, 1, 3, 1), met(3, 1, 2, 3, 1)]
    found = standings(SWISS, people(3), final)
    assert order(found) == [(1, 1), (2, 2), (3, 3)]
    assert places_won(found, final) == {1: 1, 2: 2}


def test_nobody_wins_a_tournament_in_which_no_one_met() -> None:
    def walkover(number: int, winner: int, loser: int) -> Pairing:
        return Pairing(number, 1, (winner, loser), (Game((winner, loser), (1.0, 0.0), "forfeit"),))

    rounds = [walkover(1, 1, 2), walkover(2, 1, 3)]
    found = standings(SWISS, people(3), rounds)
    assert found[0].points == 2
    assert places_won(found, rounds) == {}
    voided = Pairing(1, 1, (1, 2), (Game((1, 2), (0.0, 0.0), "void"),))
    assert places_won(standings(SWISS, people(2), [voided]), [voided]) == {}


def test_nobody_wins_a_round_robin_that_everybody_left() -> None:
    left = [replace(one, left_after=1) for one in people(4)]
    final = [met(1, 1, 1, 4, 1), met(1, 2, 2, 3, 0.5)]
    found = standings(ROBIN, left, final)
    assert {one.rank for one in found} == {1}
    assert places_won(found, final) == {}


def test_finalists_are_not_out_before_their_final() -> None:
    semifinals = [met(1, 1, 1, 4, 1), met(1, 2, 2, 3, 1)]
    final = Pairing(2, 1, (1, 2), (Game((1, 2)),))
    reasons = {one.user_id: one.reason for one in standings(CUP, people(4), [*semifinals, final])}
    assert reasons == {
        1: "shared place, not knocked out",
        2: "went further",
        3: "shared place, out in the same round",
        4: None,
    }

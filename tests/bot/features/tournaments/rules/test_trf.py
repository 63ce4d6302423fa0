"""Tournaments written as FIDE's report or the project's record, and read back."""

from __future__ import annotations

import json
import random
from dataclasses import fields, replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.simulated_tournaments import Life, play
from bot.core.errors import BadImport
from bot.features.tournaments.rules import pairing, trf
from bot.features.tournaments.rules.pairing import Record
from bot.features.tournaments.rules.standings import standings
from data.tournaments.tournaments import Entry
from data.tournaments.values import Entrant, Format, Game, Pairing, Plan
from tests.bot.features.tournaments.rules.field import met, people, record, whole

SWISS = Plan(Format.SWISS)


def five() -> tuple[list[Entrant], list[Pairing]]:
    """Return two rounds of five: 5 left after the first, 4 did not turn up for the second."""
    entrants = people(5)
    entrants[4] = replace(entrants[4], left_after=1)
    return entrants, [
        met(1, 1, 1, 3, 1), met(1, 2, 4, 2, 0), Pairing(1, 3, (5,)),
        met(2, 1, 2, 1, 0.5), Pairing(2, 2, (3, 4), (Game((3, 4), (1.0, 0.0), "forfeit"),)),
    ]  # fmt: skip


def test_a_report_has_fides_columns_and_only_given_names() -> None:
    entrants, played = five()
    told = trf.to_trf(
        record(SWISS, entrants, played, title="Spring Swiss"), names={1: "Ann"}, rounds=3
    )
    lines = told.splitlines()
    assert lines[0] == "012 Spring Swiss"
    first = next(line for line in lines if line.startswith("001    1"))
    assert (first[4:8].strip(), first[14:47].strip(), first[48:52]) == ("1", "Ann", "1999")
    assert (first[80:84], first[85:89].strip()) == (" 1.5", "1")
    assert (first[91:95], first[96], first[98]) == ("   3", "w", "1")
    assert (first[101:105], first[106], first[108]) == ("   2", "b", "=")
    second = next(line for line in lines if line.startswith("001    2"))
    assert second[14:47].strip() == "Player 2"
    fifth = next(line for line in lines if line.startswith("001    5"))
    assert fifth[91:] == "0000 - U  0000 - Z"
    assert lines[-3:] == ["XXR 3", "XXC white1", "XXZ 5"]


def test_a_report_reads_back_as_written() -> None:
    entrants, played = five()
    found, named = trf.read(
        trf.to_trf(record(SWISS, entrants, played, title="Spring"), names={1: "Ann"}, rounds=3)
    )
    assert found.plan == replace(SWISS, rounds=3)
    assert found.entrants == tuple(replace(one, strength=2000.0 - one.user_id) for one in entrants)
    assert found.title == "Spring"
    assert named[1].name == "Ann"
    # Tables are renumbered by their players; the rest is the same.
    assert {(p.round, frozenset(p.players), p.games) for p in found.pairings} == {
        (p.round, frozenset(p.players), p.games) for p in played
    }


@settings(max_examples=10, deadline=None)
@given(
    count=st.integers(4, 30),
    seed=st.integers(0, 10**6),
    plan=st.sampled_from(
        (Plan(Format.SWISS, rounds=5), Plan(Format.ROUND_ROBIN), Plan(Format.ROUND_ROBIN, cycles=2))
    ),
)
def test_writing_reading_and_writing_again_gives_the_same_report(
    count: int, seed: int, plan: Plan
) -> None:
    played = play(plan, count, random.Random(seed), Life(forfeits=0.05, voids=0, replaced=0))
    once = trf.to_trf(record(plan, played.entrants, played.pairings, title="A title"), rounds=5)
    found, named = trf.read(once)
    names = {number: player.name for number, player in named.items()}
    again = trf.to_trf(found, names=names, rounds=5)
    if plan.format is Format.SWISS:
        assert again == once
        assert [one.points for one in standings(found.plan, found.entrants, found.pairings)] == [
            one.points for one in standings(plan, played.entrants, played.pairings)
        ]
    else:
        assert [line[91:] for line in again.splitlines()] == [
            line[91:] for line in once.splitlines()
        ]


def test_knockouts_fit_into_a_report() -> None:
    plan = Plan(Format.KNOCKOUT)
    played = whole(plan, people(5))
    found, _ = trf.read(trf.to_trf(record(plan, people(5), played)))
    assert found.plan == plan
    assert sorted(p.players for p in found.pairings) == sorted(p.players for p in played)


@pytest.mark.parametrize(
    "plan",
    [
        Plan(Format.SWISS, seats=4),
        Plan(Format.SWISS, both_sides=True),
        Plan(Format.ROUND_ROBIN, groups=2),
        Plan(Format.KNOCKOUT, best_of=3),
    ],
    ids=str,
)
def test_tournaments_that_do_not_fit_a_report_are_refused(plan: Plan) -> None:
    played = whole(plan, people(8))
    assert not trf.fits(record(plan, people(8), played))
    with pytest.raises(ValueError, match="one two-player game"):
        trf.to_trf(record(plan, people(8), played))


def test_names_cannot_break_the_reports_lines() -> None:
    entrants, played = five()
    told = trf.to_trf(
        record(SWISS, entrants, played, title="a\nXXZ 1"), names={1: "001\r\n  x" * 9}
    )
    assert sum(line.startswith("XXZ") for line in told.splitlines()) == 1
    assert len(trf.read(told)[0].entrants) == 5


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        ("   3 w 1", "   3 w =", "doesn't match"),
        ("   3 w 1", "   3 b 1", "doesn't match"),
        ("   3 w 1", "   9 w 1", "doesn't match"),
        ("   3 w 1", "   3 w X", "isn't a result I know"),
        ("0000 - U", "0000 - H", "isn't a result I know"),
        ("0000 - U", "0000 - 1", "without an opponent"),
        (" 1.5 ", " 2.5 ", "the rounds add up to"),
        ("001    2 ", "001    1 ", "starting number 1"),
        ("001    2 ", "001    x ", "Line"),
        ("XXZ 5", "XXZ five", "Line"),
        ("001", "002", "no players"),
    ],
)
def test_contradictory_reports_are_refused(old: str, new: str, wrong: str) -> None:
    entrants, played = five()
    told = trf.to_trf(record(SWISS, entrants, played))
    assert old in told
    with pytest.raises(BadImport, match=wrong):
        trf.read(told.replace(old, new) if old == "001" else told.replace(old, new, 1))


def test_a_record_keeps_what_only_the_store_knows_to_itself() -> None:
    stored = {"tournament_id": 1, "number": 1, "joined_at": datetime(2026, 1, 1, tzinfo=UTC)}
    entry = Entry(user_id=1, word="a secret", **stored)  # type: ignore[arg-type]
    one = Pairing(1, 1, (1, 2), (Game((1, 2), match_id=77),))
    told = json.loads(pairing.to_json(record(SWISS, [entry, *people(2)[1:]], [one])))
    assert [set(found) for found in told["entrants"]] == [{one.name for one in fields(Entrant)}] * 2
    assert told["pairings"][0]["games"] == [{"seats": [1, 2], "points": None, "how": "played"}]


def test_invalid_records_are_refused() -> None:
    told = pairing.to_json(Record(SWISS, tuple(people(2)), (met(1, 1, 1, 2, 1),), seed="00"))
    for change, wrong in (
        ({"kind": "another"}, "kind"),
        ({"version": 2}, "version"),
        ({"commitment": "00"}, "doesn't match its commitment"),
        ({"seed": "zz"}, "hexadecimal"),
        ({"entrants": []}, "no entrant"),
        ({"entrants": [{"user_id": "x"}]}, r"damaged: entrants\.0\.user_id: Input should be"),
        ({"plan": {"format": "swiss", "rounds": 0}}, "rounds must be at least one"),
    ):
        with pytest.raises(BadImport, match=wrong):
            pairing.from_json(json.dumps(json.loads(told) | change))
    with pytest.raises(BadImport):
        pairing.from_json("nothing")

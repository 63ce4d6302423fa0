"""Tournament files: what can be imported, and what is refused and why."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from bench.simulated_tournaments import play
from bot.core.errors import BadImport
from bot.features.tournaments.rules import pairing, trf
from bot.features.tournaments.rules.pairing import Record
from bot.features.tournaments.rules.reading import MAX_BYTES, read, wrong_round
from data.tournaments.values import Format, Plan
from engine import registry
from tests.bot.features.tournaments.rules.field import people, record, whole
from tests.end_to_end.thread_workers import ThreadPool

SWISS = Plan(Format.SWISS, rounds=3)
TABLUT = registry.game("tablut")
FILES = ThreadPool("bot.features.tournaments.files:TASKS")
FIRST = 100_000_000_000_000_000
"""Discord's IDs start about here."""


def _report(*, names: dict[int, str] | None = None) -> str:
    found = {one.user_id: str(FIRST + one.user_id) for one in people(5)} | (names or {})
    return trf.to_trf(
        record(SWISS, people(5), whole(SWISS, people(5)), title="Spring"), names=found
    )


def _record(**changes: Any) -> bytes:
    played = play(SWISS, 8, random.Random(4))
    text = pairing.to_json(
        Record(
            SWISS,
            tuple(played.entrants),
            tuple(played.pairings),
            unequal_sides=True,
            seed=played.seed.hex(),
            title="Spring",
        )
    )
    return json.dumps(json.loads(text) | changes).encode()


def test_a_report_identifies_players_by_their_ids() -> None:
    found, final = read(_report(names={3: "", 4: f"<@{FIRST + 4}>"}).encode(), TABLUT)
    assert {one.user_id for one in found.entrants} == {FIRST + n for n in (1, 2, 4, 5)} | {-3}
    assert found.title == "Spring"
    assert len(final) == 5
    assert wrong_round(found, TABLUT) is None, "it has no seed"


def test_a_name_instead_of_an_id_is_refused_with_its_line_and_advice() -> None:
    with pytest.raises(BadImport) as refused:
        read(_report(names={2: "Carlsen, Magnus"}).encode(), TABLUT)
    assert str(refused.value.sentence) == (
        "Line 5: I can't tell who “Carlsen, Magnus” is on Discord. Write their Discord ID instead "
        "of the name, or “Player 2” for someone who isn't here."
    )
    with pytest.raises(BadImport, match=r"Line 5: .* appears twice"):
        read(_report(names={2: str(FIRST + 1)}).encode(), TABLUT)


def test_a_record_with_its_seed_is_checked_by_pairing_again() -> None:
    played = play(SWISS, 8, random.Random(4), unequal=True)
    text = pairing.to_json(record(SWISS, played.entrants, played.pairings, seed=played.seed.hex()))
    assert wrong_round(read(text.encode(), TABLUT)[0], TABLUT) == 0
    other = json.loads(text) | {"seed": "00" * 32}
    assert wrong_round(read(json.dumps(other).encode(), TABLUT)[0], TABLUT)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"", "isn't a tournament"),
        (b"\0PNG", "isn't a tournament"),
        (b"x" * (MAX_BYTES + 1), "too large"),
        (b"hello", "begin with 001"),
        (b"{}", "damaged"),
        (_record(pairings=[]), "Nothing has been played"),
        (
            _record(plan={"format": "swiss", "seats": 4, "smallest": 3}),
            "can't be played at tables of 4",
        ),
        (_record(seed="0" * 64, commitment="1" * 64), "doesn't match its commitment"),
        (_record(seed="0" * 130), "contradicts itself"),
        (_record(plan={"format": "swiss", "rounds": 10**4000}), "contradicts itself"),
        (_record(entrants=[{"user_id": 10**4000}]), "damaged"),
        (_record(version=float("nan")), "damaged"),
        (_record(title="\ud800"), "damaged"),
        (b'{"plan":' + b"[" * 500_000, "damaged"),
        (_report(names={2: "".join(chr(0xFF10 + int(digit)) for digit in str(FIRST))}), "who"),
    ],
    ids=range(15),
)
def test_files_that_are_no_tournament_are_refused(raw: bytes | str, text: str) -> None:
    with pytest.raises(BadImport, match=text):
        read(raw if isinstance(raw, bytes) else raw.encode(), TABLUT)


def _with_first_pairing(**change: Any) -> bytes:
    """Return a record with changes to its first pairing."""
    whole_ = json.loads(_record())
    whole_["pairings"][0] |= change
    return json.dumps(whole_).encode()


@pytest.mark.parametrize(
    "change",
    [
        {"round": 9},
        {"table": 0},
        {"table": 2},
        {"table": 2**70},
        {"players": [1, 1]},
        {"players": [1, 2, 3]},
        {"games": []},
        {"games": [{"seats": [1, 2], "points": [1]}]},
        {"games": [{"seats": [1, 2], "points": [7, 0]}]},
        {"stage": "x" * 500},
        {"stage": "the best"},
        {"stage": "group 101"},
        {"stage": "finals"},
    ],
    ids=str,
)
def test_contradictory_records_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BadImport):
        read(_with_first_pairing(**change), TABLUT)


@pytest.mark.parametrize(
    "change",
    [
        {"user_id": 0},
        {"user_id": 2**63},
        {"strength": 1e300},
        {"joined_round": 0},
        {"left_after": -1},
        {"left_after": 1000},
    ],
    ids=str,
)
def test_entrants_with_values_out_of_range_are_refused(change: dict[str, Any]) -> None:
    whole_ = json.loads(_record())
    whole_["entrants"][0] |= change
    with pytest.raises(BadImport):
        read(json.dumps(whole_).encode(), TABLUT)


def test_meeting_the_player_one_replaces_is_refused() -> None:
    whole_ = json.loads(_record())
    one, other = whole_["pairings"][0]["players"]
    for entrant in whole_["entrants"]:
        if entrant["user_id"] == one:
            entrant["replaces"] = other
    with pytest.raises(BadImport, match="contradicts itself"):
        read(json.dumps(whole_).encode(), TABLUT)


def test_a_tournament_that_could_not_have_begun_is_refused() -> None:
    whole_ = json.loads(_record())
    for entrant in whole_["entrants"]:
        entrant["joined_round"] = 2
    with pytest.raises(BadImport, match="contradicts itself"):
        wrong_round(read(json.dumps(whole_).encode(), TABLUT)[0], TABLUT)

"""Tournament files: what can be imported, and what is refused and why."""

from __future__ import annotations

import json
import random
from contextlib import nullcontext
from typing import Any

import pytest

from bench.simulated_tournaments import Life, play
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
        (b"x" * (MAX_BYTES + 1), r"too large\. A tournament has at most 1024 KB"),
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


SMALL: dict[str, Any] = {
    "plan": {"format": "round-robin"},
    "entrants": [{"user_id": 1, "strength": 1500}, {"user_id": 2}],
    "pairings": [
        {"round": 1, "table": 1, "players": [1, 2], "games": [{"seats": [2, 1], "points": [0, 1]}]}
    ],
}
"""A tournament of one game, which 1 won."""
TOP = 2**63 - 1


def changed(document: Any, path: str, value: Any) -> Any:
    """Return a copy of a document with another value at a path, such as ``entrants.0.strength``."""
    name, _, rest = path.partition(".")
    if isinstance(document, list):
        at = int(name)
        new = changed(document[at], rest, value) if rest else value
        return [*document[:at], new, *document[at + 1 :]]
    return document | {name: changed(document[name], rest, value) if rest else value}


def small(**changes: Any) -> bytes:
    """Return the small record with values changed at some paths, written with ``__`` for dots."""
    found: Any = SMALL
    for path, value in changes.items():
        found = changed(found, path.replace("__", "."), value)
    return json.dumps(found).encode()


def a_game(*seats: int, **more: Any) -> dict[str, Any]:
    """Return a game won by its first seat."""
    return {"seats": seats, "points": [1.0, *[0.0] * (len(seats) - 1)]} | more


GAME = a_game(1, 2)
PAIRING = SMALL["pairings"][0]


def pairings(*numbers: int, games: int = 1) -> list[dict[str, Any]]:
    """Return a pairing of the two in each of some rounds."""
    return [PAIRING | {"round": number, "games": [GAME] * games} for number in numbers]


LIMITS: list[tuple[str, list[Any], list[Any]]] = [
    # the path, the values taken, and the values refused
    ("plan__rounds", [1, 100], [101]),
    ("plan__cycles", [100], [101]),
    ("plan__groups", [100], [101]),
    ("plan", [{"format": "knockout", "best_of": 99}], [{"format": "knockout", "best_of": 101}]),
    ("seed", ["", "00" * 64], ["00" * 65, "0"]),
    ("entrants__0__strength", [0, 10_000], [-1, 10_001, 1e300]),
    ("entrants__0__joined_round", [1, 2], [0, 3]),
    ("entrants__0__left_after", [None, 0, 1], [-1, 2]),
    ("pairings__0__table", [1, 500], [0, 501, 2**70]),
    ("pairings__0__round", [1, 2, 100], [0, -1, 101]),
    ("pairings__0__stage", ["", "final", "group 1", "group 100"],
     ["group 101", "group 1000", "group", "finals", "the best", "x" * 500]),
    ("pairings__0__players", [[1, 2], [2, 1]], [[1, 1], [1, 3], [1, 2, 3], [], [1]]),
    ("pairings__0__games", [[GAME], [GAME] * 20], [[], [GAME] * 21]),
    ("pairings__0__games__0__seats", [[1, 2]], [[1, 1], [1, 3], [1, 2, 2], [1]]),
    ("pairings__0__games__0__points", [None, [0, 0], [1, 1], [0.5, 0.5]],
     [[], [1], [1, 0, 0], [-0.1, 1], [1.1, 0]]),
    ("pairings", [pairings(1, 2), pairings(1, 3), pairings(*range(1, 101))],
     [pairings(1, 1), pairings(0, 1), pairings(*range(1, 102))]),
    ("entrants", [[{"user_id": 1}, {"user_id": 2, "replaces": 3}, {"user_id": 3}]],
     [[{"user_id": 1}, {"user_id": 2}, {"user_id": 2}], [{"user_id": 1}],
      [{"user_id": 1}, {"user_id": 2, "replaces": 1}], [{"user_id": 1}, {"user_id": 2, "replaces": 9}]]),
]  # fmt: skip
CASES = [
    (path, value, taken)
    for path, most, beyond in LIMITS
    for taken, values in ((True, most), (False, beyond))
    for value in values
]


@pytest.mark.parametrize(("path", "value", "taken"), CASES, ids=range(len(CASES)))
def test_a_value_at_its_limit_is_taken_and_one_beyond_it_refused(
    path: str, value: Any, *, taken: bool
) -> None:
    with nullcontext() if taken else pytest.raises(BadImport):
        read(small(**{path: value}), TABLUT)


@pytest.mark.parametrize(
    ("user_id", "taken"), [(-TOP, True), (TOP, True), (0, False), (TOP + 1, False)]
)
def test_ids_are_those_a_database_can_have(user_id: int, *, taken: bool) -> None:
    players, games = [user_id, 2], [a_game(user_id, 2)]
    raw = small(
        entrants__0__user_id=user_id, pairings__0__players=players, pairings__0__games=games
    )
    with nullcontext() if taken else pytest.raises(BadImport):
        read(raw, TABLUT)


@pytest.mark.parametrize(
    ("plan", "rounds", "taken"),
    [
        ("swiss", (1, 2), True),
        ("swiss", (1, 3), False),
        ("swiss", (2,), False),
        ("knockout", (2,), False),
    ],
)
def test_only_a_round_robin_skips_rounds(
    plan: str, rounds: tuple[int, ...], *, taken: bool
) -> None:
    with nullcontext() if taken else pytest.raises(BadImport, match="contradicts itself"):
        read(small(plan={"format": plan}, pairings=pairings(*rounds)), TABLUT)


def test_a_tournament_has_at_most_500_players_and_20_000_games() -> None:
    extra = [{"user_id": number} for number in range(3, 501)]
    read(small(entrants=[*SMALL["entrants"], *extra]), TABLUT)
    with pytest.raises(BadImport, match="at most 500 players"):
        read(small(entrants=[*SMALL["entrants"], *extra, {"user_id": 501}]), TABLUT)
    many = [PAIRING | {"round": turn} for turn in range(10_001)]
    with pytest.raises(BadImport, match="at most 10000 pairings"):
        read(small(pairings=many), TABLUT)
    with pytest.raises(BadImport, match="at most 100 rounds"):
        read(small(pairings=many[:-1]), TABLUT)
    people = [{"user_id": number} for number in range(1, 23)]
    tables = [
        {"round": turn, "table": number, "players": [2 * number - 1, 2 * number],
         "games": [a_game(2 * number - 1, 2 * number)] * 20}
        for turn in range(1, 92) for number in range(1, 12)
    ]  # fmt: skip
    read(small(entrants=people, pairings=tables[:1000]), TABLUT)
    with pytest.raises(BadImport, match="contradicts itself"):
        read(small(entrants=people, pairings=tables), TABLUT)


def test_a_bye_has_no_game_and_games_without_a_result_are_void() -> None:
    bye = {"round": 2, "table": 1, "players": [2]}
    open_ = PAIRING | {"round": 3, "games": [{"seats": [1, 2], "points": None}, GAME]}
    played, final = read(small(pairings=[PAIRING, bye, open_]), TABLUT)
    assert [game.how for game in played.pairings[2].games] == ["void", "played"]
    assert played.pairings[2].games[0].points == (0.0, 0.0)
    assert [(one.user_id, one.points) for one in final] == [(1, 2), (2, 0)]
    with pytest.raises(BadImport, match="contradicts itself"):
        read(small(pairings=[PAIRING, bye | {"games": [{"seats": [2]}]}]), TABLUT)


@pytest.mark.parametrize(
    ("name", "user"),
    [
        (f"<@!{FIRST + 2}>", FIRST + 2),
        ("1" * 15, int("1" * 15)),
        ("9" * 19, None),
        ("8" * 19, int("8" * 19)),
        ("1" * 14, None),
        ("1" * 20, None),
        (f"x{FIRST}", None),
        ("Player 9999", -9999),
        ("Player 0", None),
        ("Player 12345", None),
        ("Player ２", None),
    ],
)
def test_names_in_reports_are_ids_or_numbers(name: str, user: int | None) -> None:
    with nullcontext() if user else pytest.raises(BadImport):
        found, _ = read(_report(names={2: name}).encode(), TABLUT)
        assert user in {one.user_id for one in found.entrants}


def test_a_file_is_read_as_utf_8_and_else_as_latin_1() -> None:
    assert read(b"\xef\xbb\xbf \n" + small(title="Früh"), TABLUT)[0].title == "Früh"
    text = _report().replace("012 Spring", "012 Frühling")
    for encoding in ("utf-8", "latin-1"):
        assert read(text.encode(encoding), TABLUT)[0].title == "Frühling"
    with pytest.raises(BadImport, match="begin with 001"):
        read(b"x" * MAX_BYTES, TABLUT)


@pytest.mark.parametrize(("count", "checked"), [(64, 0), (65, None)])
def test_pairings_of_up_to_64_players_are_checked(count: int, checked: int | None) -> None:
    plan = Plan(Format.KNOCKOUT)
    played = play(plan, count, random.Random(1), Life(leaves=0), unequal=True)
    seeded = record(plan, played.entrants, played.pairings, seed=played.seed.hex())
    assert wrong_round(seeded, TABLUT) == checked


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

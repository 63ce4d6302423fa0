"""Tournament files: what can be imported, and what is refused and why."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from bench.simulated_tournaments import play
from bot.errors import BadImport, TooMany
from bot.tournaments import importing, record, trf_writing
from bot.tournaments.importing import TournamentImports
from bot.tournaments.model import Format, Plan
from bot.tournaments.reading import MAX_BYTES, read
from bot.tournaments.record import Record
from data import tournaments
from data.tournaments import State, Terms
from engine import registry
from tests.bot.conftest import CHANNEL, GUILD
from tests.bot.tournaments.field import people, whole

if TYPE_CHECKING:
    from tests.bot.tournaments.club import TournamentClub

SWISS = Plan(Format.SWISS, rounds=3)
TABLUT = registry.game("tablut")
FIRST = 100_000_000_000_000_000
"""Discord's IDs start about here."""


def _report(*, names: dict[int, str] | None = None) -> str:
    found = {one.user_id: str(FIRST + one.user_id) for one in people(5)} | (names or {})
    return trf_writing.written(
        SWISS, people(5), whole(SWISS, people(5)), title="Spring", names=found
    )


def _record(**changes: Any) -> bytes:
    played = play(SWISS, 8, random.Random(4))
    text = record.written(
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
    found = read(_report(names={3: "", 4: f"<@{FIRST + 4}>"}).encode(), TABLUT)
    assert {one.user_id for one in found.entrants} == {FIRST + n for n in (1, 2, 4, 5)} | {-3}
    assert found.title == "Spring"
    assert len(found.standings) == 5
    assert not found.verified


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
    text = record.written(
        Record(SWISS, tuple(played.entrants), tuple(played.pairings), seed=played.seed.hex())
    )
    found = read(text.encode(), TABLUT)
    assert found.verified
    assert found.wrong is None
    other = json.loads(text) | {"seed": "00" * 32}
    assert not read(json.dumps(other).encode(), TABLUT).verified


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
    ],
    ids=range(8),
)
def test_files_that_are_no_tournament_are_refused(raw: bytes, text: str) -> None:
    with pytest.raises(BadImport, match=text):
        read(raw, TABLUT)


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
        read(json.dumps(whole_).encode(), TABLUT)


def _terms() -> Terms:
    return Terms(
        guild_id=GUILD, channel_id=CHANNEL, name="", game="tablut", plan={}, created_by=99, days=3
    )


async def test_an_imported_tournament_is_finished_and_counts_for_no_one(
    club: TournamentClub,
) -> None:
    imports = TournamentImports(club.store, clock=club.clock)
    made, _ = await imports.add(_report().encode(), _terms())
    assert (made.state, made.imported, made.name) == (State.FINISHED, True, "Spring")
    view = await club.view(made.id)
    winner = view.standings[0].user_id
    assert view.of(winner) is not None
    assert [one.place for one in view.everyone if one.user_id == winner] == [1]
    assert view.standings == read(_report().encode(), TABLUT).standings
    async with club.store.read() as tx:
        assert await tournaments.prizes(tx, GUILD, winner, limit=9) == []
    assert await club.tournaments.of_server(GUILD, open_only=True) == ()
    await club.run()


async def test_a_refused_import_leaves_nothing(
    club: TournamentClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    imports = TournamentImports(club.store, clock=club.clock)
    with pytest.raises(BadImport):
        await imports.add(b"hello", _terms())

    async def killed(*_: object, **__: object) -> None:
        raise RuntimeError("no more")

    with monkeypatch.context() as patched:
        patched.setattr(tournaments, "change", killed)
        with pytest.raises(RuntimeError):
            await imports.add(_report().encode(), _terms())
    assert await club.tournaments.of_server(GUILD) == ()


async def test_imports_per_server_are_limited(
    club: TournamentClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    imports = TournamentImports(club.store, clock=club.clock)
    monkeypatch.setattr(importing, "MAX_IMPORTED", 2)
    for _ in range(2):
        await imports.add(_report().encode(), _terms())
    with pytest.raises(TooMany, match="2 imported"):
        await imports.add(_report().encode(), _terms())
    for _ in range(2):
        with pytest.raises(TooMany):
            await imports.add(_report().encode(), _terms())
    with pytest.raises(TooMany, match="an hour"):
        await imports.add(_report().encode(), _terms())

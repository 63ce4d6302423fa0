"""Imports of tournaments: what is stored, what that costs, and what is refused."""

from __future__ import annotations

import json
import random
import sys
import threading
from base64 import b64encode
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select

from bench.simulated_tournaments import play
from bot.core.errors import BadImport, TooMany
from bot.core.workers.fair_queue import Requester
from bot.features.tournaments import files, transitions
from bot.features.tournaments.files import TournamentImports
from bot.features.tournaments.rules import pairing, trf
from bot.features.tournaments.rules.pairing import MAX_ROUNDS
from bot.features.tournaments.rules.reading import read
from data import privacy
from data.posts import posts
from data.sql.transaction import Transaction
from data.tournaments import tournament_imports, tournaments
from data.tournaments.tournament_imports import imported_rounds
from data.tournaments.tournament_rounds import games, paired
from data.tournaments.tournament_rounds import pairings as pairings_table
from data.tournaments.tournaments import State, Terms
from data.tournaments.tournaments import entrants as entrants_table
from data.tournaments.values import Entrant, Format, Pairing, Plan
from engine import registry
from engine.phrase import unpacked
from tests.bot.conftest import CHANNEL, GUILD
from tests.bot.features.tournaments.club import Cups
from tests.bot.features.tournaments.rules.field import people, record, whole
from tests.end_to_end.thread_workers import ThreadPool

SWISS = Plan(Format.SWISS, rounds=3)
TABLUT = registry.game("tablut")
FIRST = 100_000_000_000_000_000
"""Discord's IDs start about here."""
FILES = ThreadPool("bot.features.tournaments.files:TASKS")
ORGANISER = Requester(GUILD, 99)
TERMS = Terms(
    guild_id=GUILD,
    channel_id=CHANNEL,
    name="",
    game="tablut",
    plan=Plan(Format.SWISS),
    created_by=99,
    days=3,
)


def imports(club: Cups) -> TournamentImports:
    """Return the use case over a club's store."""
    return TournamentImports(club.store, FILES, clock=club.clock)


def report(count: int = 5, plan: Plan = SWISS) -> bytes:
    """Return a report of a tournament of some people."""
    names = {one.user_id: str(FIRST + one.user_id) for one in people(count)}
    played = whole(plan, people(count))
    return trf.to_trf(record(plan, people(count), played, title="Spring"), names=names).encode()


def a_record(count: int, plan: Plan = SWISS) -> bytes:
    """Return the record of a tournament, with its seed."""
    played = play(plan, count, random.Random(4), unequal=True)
    text = pairing.to_json(record(plan, played.entrants, played.pairings, seed=played.seed.hex()))
    return text.encode()


def byes(rounds: range) -> bytes:
    """Return a record in which one player has a bye in each of some rounds."""
    pairings = [Pairing(number, 1, (FIRST,)) for number in rounds]
    two = [Entrant(FIRST), Entrant(FIRST + 1)]
    return pairing.to_json(record(SWISS, two, pairings)).encode()


def work(raw: bytes) -> int:
    """Return how many steps the interpreter takes to read a file, or to refuse it."""
    steps = 0

    def count(*_: object) -> Any:
        nonlocal steps
        steps += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        read(raw, TABLUT)
    except BadImport:
        pass
    finally:
        sys.settrace(before)
    return steps


async def test_an_imported_tournament_is_finished_and_counts_for_no_one(club: Cups) -> None:
    made, _ = await imports(club).add(report(), TERMS)
    assert (made.state, made.imported, made.name) == (State.FINISHED, True, "Spring")
    view = await club.view(made.id)
    winner = view.standings[0].user_id
    assert view.of(winner) is not None
    assert [one.place for one in view.everyone if one.user_id == winner] == [1]
    assert view.standings == read(report(), TABLUT)[1]
    assert [one.round for one in view.rounds] == [1, 2, 3]
    assert await club.read(tournaments.prizes, GUILD, winner, limit=9) == []
    assert await club.tournaments.of_server(GUILD, open_only=True) == ()
    await club.run()


@pytest.mark.parametrize(
    "plan",
    [
        Plan(Format.SWISS, rounds=4, both_sides=True),
        Plan(Format.ROUND_ROBIN, groups=2),
        Plan(Format.KNOCKOUT, best_of=3),
    ],
    ids=str,
)
async def test_an_imported_tournament_is_exported_as_it_was(club: Cups, plan: Plan) -> None:
    raw = a_record(9, plan)
    made, played = await imports(club).add(raw, TERMS)
    view = await club.view(made.id)
    before, final = read(raw, TABLUT)
    after = files.exported(view)[f"tournament-{made.id}.json"]
    assert sorted(view.pairings, key=str) == sorted(before.pairings, key=str)
    assert read(after, TABLUT)[1] == final == view.standings
    assert played.wrong == 0


async def test_a_refused_import_leaves_nothing(club: Cups, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadImport):
        await imports(club).add(b"hello", TERMS)

    async def killed(*_: object, **__: object) -> None:
        raise RuntimeError("no more")

    for module, name in (
        (tournament_imports, "add"),
        (tournaments, "change"),
        (transitions, "show"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(module, name, killed)
            with pytest.raises(RuntimeError):
                await imports(club).add(report(), TERMS)
    assert await club.tournaments.of_server(GUILD) == ()
    async with club.store.read() as tx:
        for table in (entrants_table, imported_rounds, posts):
            assert await tx.scalar(select(func.count()).select_from(table)) == 0


async def test_an_import_takes_as_many_statements_whatever_its_size(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    statements = 0
    run = Transaction.run_sync

    async def counted(self: Transaction, work: Any) -> Any:
        nonlocal statements
        statements += 1
        return await run(self, work)

    monkeypatch.setattr(Transaction, "run_sync", counted)
    costs = []
    for count, rounds in ((4, 3), (64, 20)):
        statements = 0
        await imports(club).add(report(count, Plan(Format.SWISS, rounds=rounds)), TERMS)
        costs.append(statements)
    assert costs[0] == costs[1]
    async with club.store.read() as tx:
        for table in (pairings_table, paired, games):
            assert await tx.scalar(select(func.count()).select_from(table)) == 0


async def test_an_imported_tournament_is_unpacked_once_and_not_on_the_event_loop(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads = []
    unpack = tournament_imports.unpacked

    def noted(*arguments: Any) -> Any:
        threads.append(threading.current_thread())
        return unpack(*arguments)

    monkeypatch.setattr(tournament_imports, "unpacked", noted)
    made, _ = await imports(club).add(report(), TERMS)
    for _ in range(2):
        await club.view(made.id)
    assert len(threads) == 1, "once"
    assert threading.main_thread() not in threads


async def test_a_deleted_user_disappears_from_imported_tournaments(club: Cups) -> None:
    made, _ = await imports(club).add(report(), TERMS)
    async with club.store.write() as tx:
        await privacy.erase(tx, FIRST + 1, -7)
    view = await club.view(made.id)
    assert str(FIRST + 1).encode() not in b"".join(files.exported(view).values())
    assert {user for one in view.pairings for user in one.players} == {
        -7,
        *range(FIRST + 2, FIRST + 6),
    }
    document = await club.read(tournament_imports.document, made.id)
    people_ = [one.user_id for one in view.everyone]
    assert tournament_imports.packed(view.pairings, people_) == document


async def test_imports_per_server_are_limited(club: Cups, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_IMPORTED", 2)
    for _ in range(2):
        await imports(club).add(report(), TERMS)
    with pytest.raises(TooMany, match="2 imported"):
        await imports(club).add(report(), TERMS)
    for _ in range(2):
        with pytest.raises(TooMany):
            await imports(club).add(report(), TERMS)
    with pytest.raises(TooMany, match="an hour"):
        await imports(club).add(report(), TERMS)


async def test_imports_of_all_servers_are_limited(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_IMPORTED_IN_ALL", 1)
    await imports(club).add(report(), TERMS)
    with pytest.raises(TooMany, match="of all servers"):
        await imports(club).add(report(), replace(TERMS, guild_id=1))


@pytest.mark.parametrize(
    ("small", "large"),
    [
        (byes(range(-200, 0)), byes(range(-400, 0))),
        (byes(range(1, 50)), byes(range(1, 100))),
        (report(32, Plan(Format.SWISS, rounds=8)), report(32, Plan(Format.SWISS, rounds=16))),
    ],
    ids=["negative rounds", "many rounds", "a report"],
)
def test_the_work_of_reading_a_file_grows_with_its_size_at_most(small: bytes, large: bytes) -> None:
    assert work(large) < 2.5 * work(small)


def test_a_line_with_too_many_rounds_is_refused_before_they_are_read() -> None:
    head = "001    1".ljust(80) + " 0.0".ljust(11)
    few, many = (f"{head}{'0000 - Z  ' * rounds}".encode() for rounds in (MAX_ROUNDS + 1, 90_000))
    with pytest.raises(BadImport, match=f"at most {MAX_ROUNDS} rounds"):
        read(many, TABLUT)
    assert work(many) == work(few) < 200


def test_a_file_that_takes_too_long_is_refused() -> None:
    raw = report(64, Plan(Format.SWISS, rounds=20))
    refused = files.read(b64encode(raw).decode(), "tablut", to_read=0.001)["refused"]
    assert str(unpacked(refused)).startswith("This file takes too long to read")


def test_pairings_that_take_too_long_to_check_are_imported_unchecked() -> None:
    raw = b64encode(a_record(40, Plan(Format.SWISS, rounds=12))).decode()
    assert files.read(raw, "tablut")["wrong"] == 0
    assert files.read(raw, "tablut", to_pair=0.001)["wrong"] is None


async def test_a_file_is_read_in_a_process_of_its_own() -> None:
    pool = files.workers()
    try:
        found = await files.checked(pool, a_record(8), "tablut", ORGANISER)
        assert (found.wrong, len(found.entrants), found.round) == (0, 8, 3)
        with pytest.raises(BadImport, match="begin with 001"):
            await files.checked(pool, b"hello", "tablut", ORGANISER)
        assert pool.kills == 0
    finally:
        await pool.close()
    with pytest.raises(BadImport, match="too long to read"):
        await files.checked(pool, a_record(8), "tablut", ORGANISER)


async def test_names_in_files_are_cut_before_they_are_cleaned() -> None:
    raw = json.dumps(json.loads(a_record(8)) | {"title": "<" * 500_000}).encode()
    found = files.read(b64encode(raw).decode(), "tablut")
    assert found["name"] == ""

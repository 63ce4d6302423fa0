"""Records exported and imported: the same text, for every game; and arbitrary input by players."""

from __future__ import annotations

import dataclasses
import random
import sys
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import update

from bot.core.errors import BadImport, NoSuchMatch, TooMany
from bot.core.hourly_limits import MAX_IMPORTS
from bot.core.workers.pool import WorkerPool
from bot.core.workers.task_queue import TaskQueue
from bot.features.records import checking
from bot.features.records.import_export import MAX_BYTES, ImportExport
from bot.play.controls.lookup import names_of
from bot.play.matches.positions import Position
from bot.play.replays.replay import Replays, parsed
from data.puzzles import imported_records
from data.puzzles.imported_records import imports
from engine import record, registry
from engine.phrase import unpacked
from engine.verification import verify
from tests.bot.conftest import ANN, BEN, CAROL, Club, thinking
from tests.end_to_end.thread_workers import ThreadPool
from tests.moves import play_on

DAN = 44
CROWD = (BEN, CAROL, DAN)


def games() -> list[tuple[str, int, dict[str, str]]]:
    """Return every game for every number of players, with each value of each option once."""
    found: list[tuple[str, int, dict[str, str]]] = []
    for slug, game in registry.games().items():
        found += [(slug, players, {}) for players in game.players]
        for option in game.options:
            found += [
                (slug, game.players[0], {option.name: value})
                for value in option.values
                if value != option.default
            ]
    return found


async def begun(club: Club, slug: str, players: int = 2, **options: str) -> Position:
    """Begin a match of any game."""
    invitation = dataclasses.replace(
        club.invitation(*CROWD[: players - 1]), game=slug, options=options
    )
    offered = await club.challenges.offer(invitation)
    started = None
    for user in CROWD[: players - 1]:
        _, started = await club.accept(offered.id, user, f"word of {user}")
    assert started is not None
    return started


async def played(
    club: Club, slug: str, players: int = 2, *, plies: int = 10_000, **options: str
) -> Position:
    """Play a match at random, to its end or for this many entries."""
    dice = random.Random(8)
    position = await begun(club, slug, players, **options)
    while position.to_move is not None and position.ply < plies:
        move = position.game.write(dice.choice(position.game.legal_moves(position.state)))
        position = await play_on(club.matches, position, move)
    return position


async def written(club: Club, number: int, **how: Any) -> str:
    """Export a match."""
    replay = await Replays(club.store).of_match(number)
    exchange = exchanging(club)
    return await exchange.export(replay, people=how.get("people", False))


def exchanging(club: Club) -> ImportExport:
    """Return a process's imports."""
    return ImportExport(club.store, TaskQueue(club.store, clock=club.clock), clock=club.clock)


@pytest.fixture
async def checked(club: Club) -> AsyncIterator[None]:
    """A process that checks records."""
    async with thinking(club, records=ThreadPool("bot.features.records.checking:TASKS")):
        yield


@pytest.fixture
def exchange(club: Club, checked: None) -> ImportExport:
    return exchanging(club)


@pytest.mark.parametrize(("slug", "players", "options"), games())
async def test_export_import_and_export_give_the_same_record(
    club: Club, exchange: ImportExport, slug: str, players: int, options: dict[str, str]
) -> None:
    position = await played(club, slug, players, plies=40, **options)
    for user in (ANN, *CROWD)[: players - 1]:  # the last player left has won
        if not (await club.matches.position(position.match.id)).match.finished:
            await club.matches.resign(position.match.id, user)
    text = await written(club, position.match.id)
    read = record.read(text)
    assert verify(read) == ()
    assert read.ids == ()
    imported = await exchange.add(ANN, text.encode())
    assert "✓" in imported.luck
    replay = await Replays(club.store).of_import(imported.number, ANN)
    assert await exchange.export(replay, people=True) == text
    assert replay.position.state == position.state
    assert all(len(line) < 80 for line in text.split("\n\n")[1].splitlines())


@pytest.mark.parametrize("slug", sorted(registry.games()))
async def test_a_whole_match_of_one_or_two_games_can_be_imported(
    club: Club, exchange: ImportExport, slug: str
) -> None:
    game = registry.game(slug)
    paired = any(o.name == "match" for o in game.options)
    position = await (played(club, slug, match="true") if paired else played(club, slug))
    assert position.match.finished
    text = await written(club, position.match.id)
    imported = await exchange.add(BEN, text.encode())
    replay = await Replays(club.store).of_import(imported.number, BEN)
    assert replay.plies == position.ply
    assert [replay.state(ply) for ply in (0, replay.plies)] == [
        game.initial(position.match.options, 2),
        position.state,
    ]
    assert await exchange.export(replay, people=False) == text


async def test_the_record_of_an_ongoing_match_has_no_seed(
    club: Club, exchange: ImportExport
) -> None:
    position = await played(club, "thaayam", plies=30)
    text = await written(club, position.match.id)
    assert position.match.seed.hex() not in text
    assert position.match.commitment in text
    imported = await exchange.add(ANN, text.encode())
    assert "can't be checked" in imported.luck


async def test_a_record_names_players_only_on_request_and_never_deleted_ones(
    club: Club,
) -> None:
    position = await played(club, "tablut", plies=3)
    number = position.match.id
    assert "[Id " not in await written(club, number)
    output = await written(club, number, people=True)
    assert output.count("[Id ") == 2
    assert str(BEN) in output
    async with club.store.write() as tx:
        from data.matches.match import players  # noqa: PLC0415

        await tx.run(update(players).where(players.c.user_id == BEN).values(user_id=-7))
    assert "[Id " not in await written(club, number, people=True)


@pytest.fixture
async def text(club: Club) -> str:
    """Return the record of a resigned Tablut match."""
    position = await played(club, "tablut", plies=6)
    await club.matches.resign(position.match.id, ANN)
    return await written(club, position.match.id)


async def refused(exchange: ImportExport, raw: bytes) -> str:
    """Return why a record is refused."""
    with pytest.raises(BadImport) as caught:
        await exchange.add(ANN, raw)
    assert caught.value.sentence[0].isupper() or caught.value.sentence[0] == "“"
    return caught.value.sentence


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "record is empty"),
        (b" \n\n ", "record is empty"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "UTF-8"),
        (b"\xff\xfe[\0R\0e\0c", "UTF-8"),
        (b'[Record "1"]\0', "isn't a plain text"),
        (b"x" * (MAX_BYTES + 1), "64 KB"),
        (b"hello", "is not a header"),
        (b"[" * 60_000, "is not a header"),
        (b'[Record "1"]', "“Game” is missing"),
    ],
)
async def test_invalid_records_are_refused_politely(
    exchange: ImportExport, raw: bytes, why: str
) -> None:
    sentence = await refused(exchange, raw)
    assert why in sentence
    assert len(sentence) < 2000


async def test_a_record_with_too_many_entries_or_throws_is_refused(
    exchange: ImportExport,
) -> None:
    head = (
        '[Record "1"]\n[Game "thaayam"]\n[RulesVersion "1"]\n[Match "1"]\n[Seats "south north"]\n\n'
    )

    def log(*entries: str) -> bytes:
        numbered = (f"{ply}. {entry}" for ply, entry in enumerate(entries, 1))
        return (head + "\n".join(numbered) + "\n").encode()

    series = log("*1", "*2", *["*0"] * 3000, "*3", *["in"] * 4)
    assert "more than 300 throws in a row" in await refused(exchange, series)
    long = log("*1", "*2", *["*1", "in"] * 2500)
    assert "more than 4000 moves" in await refused(exchange, long)


async def test_an_illegal_move_is_reported_with_its_line_and_rule(
    exchange: ImportExport, text: str
) -> None:
    _, body = text.split("\n\n")
    third = body.split()[5]
    wrong = text.replace(f"3. {third}", "3. a1-a9", 1)
    line = next(n for n, row in enumerate(wrong.splitlines(), 1) if "3. a1-a9" in row)
    sentence = await refused(exchange, wrong.encode())
    assert f"Line {line}:" in sentence
    assert "Entry 3, “a1-a9”" in sentence
    assert "Rule " in sentence
    assert f"Line {line}:" in await refused(exchange, wrong.replace("\n", "\r\n").encode())


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('[Game "tablut"]', '[Game "chess"]', "no game “chess”"),
        ('[Game "tablut"]', '[Game "thaayam"]', "not played by"),
        ('[RulesVersion "1"]', '[RulesVersion "77"]', "version 77"),
        ("\n1. ", "\n9. ", "where “1.” belongs"),
        ("[Option ", '[Option "luck=mine"]\n[Option ', "no option “luck”"),
    ],
)
async def test_records_with_other_rules_are_refused(
    exchange: ImportExport, text: str, old: str, new: str, why: str
) -> None:
    assert old in text
    assert why in await refused(exchange, text.replace(old, new, 1).encode())


async def test_line_endings_and_byte_order_marks_of_other_systems_are_accepted(
    exchange: ImportExport, text: str
) -> None:
    first = await exchange.add(ANN, text.encode())
    for other in (text.replace("\n", "\r\n"), "\ufeff" + text, f"\n\n{text}\n\n"):
        again = await exchange.add(ANN, other.encode())
        assert again.number == first.number, "an identical record is kept once"


async def test_a_record_with_forged_throws_is_shown_and_marked_as_such(
    club: Club, exchange: ImportExport
) -> None:
    position = await played(club, "thaayam", plies=40)
    await club.matches.resign(position.match.id, ANN)
    text = await written(club, position.match.id)
    seed = position.match.seed.hex()
    imported = await exchange.add(ANN, text.replace(seed, seed[::-1]).encode())
    assert "⚠" in imported.luck


async def test_the_oldest_record_makes_room_and_its_owner_is_told(
    club: Club, exchange: ImportExport, text: str
) -> None:
    numbers = []
    for index in range(imported_records.MAX_KEPT + 2):
        club.wait(minutes=4)  # only some within an hour
        imported = await exchange.add(
            ANN,
            text.replace("[Match ", f'[Started "20{index + 10}-01-01"]\n[Match ').encode()
            if "[Started" not in text
            else text.replace('[Started "2026', f'[Started "{2100 + index}').encode(),
        )
        numbers.append(imported.number)
        assert imported.dropped == (1 if index >= imported_records.MAX_KEPT else 0)
    with pytest.raises(NoSuchMatch, match="made room"):
        await Replays(club.store).of_import(numbers[0], ANN)
    await Replays(club.store).of_import(numbers[-1], ANN)
    mine = await exchange.add(BEN, text.encode())
    assert mine.dropped == 0


async def test_a_record_is_only_visible_to_its_importer(
    club: Club, exchange: ImportExport, text: str
) -> None:
    imported = await exchange.add(ANN, text.encode())
    with pytest.raises(NoSuchMatch):
        await Replays(club.store).of_import(imported.number, BEN)


def test_match_names_are_understood_however_people_write_them() -> None:
    assert [parsed(name) for name in ("12", "#12", " i3 ", "I3", "007")] == [
        (False, 12),
        (False, 12),
        (True, 3),
        (True, 3),
        (False, 7),
    ]
    for name in ("", "i", "0", "-1", "1.5", "twelve", "9" * 40):
        with pytest.raises(NoSuchMatch, match="isn't a match number"):
            parsed(name)


@pytest.mark.parametrize("tasks", ["CHECK_ENDLESS", "CHECK_GREEDY"])
async def test_a_record_needing_too_much_time_or_memory_is_refused(
    club: Club, text: str, monkeypatch: pytest.MonkeyPatch, tasks: str
) -> None:
    if tasks == "CHECK_GREEDY" and not sys.platform.startswith("linux"):
        pytest.skip("memory is limited on Linux only")
    monkeypatch.setattr(checking, "WALL_LIMIT", 0.5 if tasks == "CHECK_ENDLESS" else 60.0)
    workers = WorkerPool(tasks=f"tests.bot.core.workers.tasks:{tasks}", memory=64 << 20)
    async with thinking(club, records=workers):
        assert "takes too long to check" in await refused(exchanging(club), text.encode())
        assert workers.pids == ()
    assert await club.read(imported_records.titles, ANN) == ()


def test_a_record_that_uses_up_its_processor_time_is_refused_by_the_worker_itself(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(_: str) -> None:
        while True:
            pass

    assert "record" in checking.check(text)
    monkeypatch.setattr(checking, "_played", endless)
    assert "takes too long" in unpacked(checking.check(text, limit=0.05)["refused"])


async def test_records_are_checked_in_a_separate_process(club: Club, text: str) -> None:
    exchange = exchanging(club)
    async with thinking(club, records=checking.workers()):
        assert (await exchange.add(ANN, text.encode())).number == 1
        assert "“Game” is missing" in await refused(exchange, b'[Record "1"]')


@pytest.mark.usefixtures("checked")
async def test_the_hourly_import_limit_holds_across_processes(club: Club, text: str) -> None:
    for _ in range(MAX_IMPORTS - 1):
        with pytest.raises(BadImport):
            await exchanging(club).add(ANN, b"hello")
    await exchanging(club).add(ANN, text.encode())
    with pytest.raises(TooMany, match=f"the limit of {MAX_IMPORTS} an hour"):
        await exchanging(club).add(ANN, text.encode())
    await exchanging(club).add(BEN, text.encode())
    club.wait(hours=1)
    await exchanging(club).add(ANN, text.encode())


@pytest.mark.usefixtures("checked")
async def test_suggestions_are_read_without_the_record_texts(club: Club, text: str) -> None:
    exchange = exchanging(club)
    await exchange.add(ANN, text.encode())
    async with club.store.write() as tx:
        await tx.run(update(imports).values(record="no record at all"))
    names = dict(await club.read(names_of, ANN, None, over=True))
    assert "i1" in names
    assert "Tablut" in names["i1"]


@pytest.mark.usefixtures("checked")
async def test_a_record_changed_in_the_store_is_not_served_from_cache(
    club: Club, text: str
) -> None:
    await exchanging(club).add(ANN, text.encode())
    replays = Replays(club.store)
    first = await replays.of_import(1, ANN)
    assert await replays.of_import(1, ANN) is first
    assert "resigned" in str(first.position.match.reason)
    async with club.store.write() as tx:
        changed = text.replace("resigned", "gave up")
        await tx.run(update(imports).values(record=changed))
    assert "gave up" in str((await replays.of_import(1, ANN)).position.match.reason)

"""What large tournaments cost: where they are computed, how often, and who waits."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.core.workers.pool import WorkerPool
from bot.features.tournaments import best_game, steps
from bot.features.tournaments import view as view_module
from bot.features.tournaments.rounds import BATCH
from bot.features.tournaments.rules.standings import places_won, standings
from bot.features.tournaments.service import Tournaments
from bot.features.tournaments.view import board_links
from data import privacy
from data.matches import matches
from data.sql.transaction import Transaction
from data.tournaments import tournament_entrants, tournament_rounds
from data.tournaments.values import Format, Plan
from tests.bot.conftest import ANN, BEN, CAROL, GUILD
from tests.bot.features.tournaments.club import MANAGER, Cups

FIELD = (ANN, BEN, CAROL, 4)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """Return the threads in which standings are computed from now on."""
    found: list[threading.Thread] = []
    compute: Callable[..., Any] = standings

    def noted(*arguments: Any, **named: Any) -> Any:
        found.append(threading.current_thread())
        return compute(*arguments, **named)

    monkeypatch.setattr(view_module, "standings", noted)
    return found


async def test_ending_a_tournament_computes_its_standings_once_and_not_on_the_event_loop(
    club: Cups, computed: list[threading.Thread]
) -> None:
    number = await club.begin(*FIELD)
    await club.play_round(number)
    await club.tournaments.end(number, GUILD, by=MANAGER)
    assert len(computed) == 1
    assert threading.main_thread() not in computed
    assert {one.place for one in (await club.view(number)).everyone} == {1, None}


async def test_a_tournament_that_changes_before_it_ends_has_the_latest_places(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await club.begin(*FIELD)
    await club.play_round(number)
    ranked, changes = club.tournaments.ranked, [1]

    async def meanwhile(view: Any) -> Any:
        found = await ranked(view)
        while changes:
            changes.pop()
            await club.play_round(number)
        return found

    monkeypatch.setattr(club.tournaments, "ranked", meanwhile)
    await club.tournaments.end(number, GUILD, by=MANAGER)
    view = await club.view(number)
    assert view.tournament.round >= 2
    won = places_won(view.standings, view.pairings)
    assert {one.user_id: one.place for one in view.everyone if one.place is not None} == won


async def test_all_places_are_stored_in_one_statement(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await club.begin(*FIELD)
    runs = []
    run = Transaction.run

    async def counted(self: Transaction, *arguments: Any) -> int:
        runs.append(arguments)
        return await run(self, *arguments)

    async with club.store.write() as tx:
        monkeypatch.setattr(Transaction, "run", counted)
        places = [(user, place) for place, user in enumerate(FIELD, 1)]
        await tournament_entrants.set_places(tx, number, places)
        await tournament_entrants.set_places(tx, number, [])
    assert len(runs) == 1
    assert [one.place for one in (await club.view(number)).everyone] == [1, 2, 3, 4]


async def test_standings_are_computed_once_for_each_version_whichever_process_changes_it(
    club: Cups, computed: list[threading.Thread]
) -> None:
    other = Tournaments(club.store, clock=club.clock)
    number = await club.begin(*FIELD)
    for _ in range(3):
        before = await other.ranked(await other.get(number, GUILD))
    assert len(computed) == 1
    await club.play_round(number)
    after = await other.ranked(await other.get(number, GUILD))
    assert [one.points for one in after] != [one.points for one in before]
    assert after == (await club.view(number)).standings


async def test_standings_of_a_deleted_user_are_computed_again(club: Cups) -> None:
    number = await club.begin(*FIELD)
    await club.play_round(number)
    await club.tournaments.end(number, GUILD, by=MANAGER)
    assert ANN in {one.user_id for one in await club.tournaments.ranked(await club.view(number))}
    async with club.store.write() as tx:
        await privacy.erase(tx, ANN, -1)
    found = await club.tournaments.ranked(await club.view(number))
    assert ANN not in {one.user_id for one in found}


async def test_a_large_tournament_is_read_in_parts(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await club.begin(*FIELD)
    for _ in range(3):
        await club.play_round(number)
    async with club.store.read() as tx:
        whole = await tournament_rounds.pairings_of(tx, number)
        read = Transaction.rows
        sizes = []

        async def counted(self: Transaction, *arguments: Any) -> Any:
            rows = await read(self, *arguments)
            sizes.append(len(rows))
            return rows

        monkeypatch.setattr(tournament_rounds, "_PART", 2)
        monkeypatch.setattr(Transaction, "rows", counted)
        assert await tournament_rounds.pairings_of(tx, number) == whole
    assert len(whole) == 6
    assert max(sizes) == 4, "the players of a round"


async def test_changes_read_the_pairings_before_their_transaction(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await club.begin(*FIELD)
    places = []
    pairings_of, write = tournament_rounds.pairings_of, club.store.write
    writing = []

    @asynccontextmanager
    async def noted() -> AsyncIterator[Transaction]:
        async with write() as tx:
            writing.append(tx)
            yield tx

    async def read(tx: Transaction, tournament_id: int) -> Any:
        places.append(tx in writing)
        return await pairings_of(tx, tournament_id)

    monkeypatch.setattr(club.store, "write", noted)
    monkeypatch.setattr(tournament_rounds, "pairings_of", read)
    changes = (
        club.entrants.join(number, GUILD, 5, ()),
        club.entrants.leave(number, GUILD, 5),
        club.tournaments.adjourn(number, GUILD, by=MANAGER),
        club.tournaments.start(number, GUILD),
    )
    for change in changes:
        await change
    for game in await club.open_games(number):
        await club.win(game, min(game.seats))
    await club.steps.take(number)
    assert len(writing) > len(changes)
    assert True not in places


@pytest.mark.parametrize("verdict", ["computer", "manager"])
async def test_a_round_ends_in_short_transactions(
    club: Cups, monkeypatch: pytest.MonkeyPatch, verdict: str
) -> None:
    number = await club.begin(*range(1, 2 * BATCH + 7), round_days=1, verdict=verdict)
    seen: list[Transaction] = []
    position_in = club.matches.position_in

    async def noted(tx: Transaction, match_id: int) -> Any:
        seen.append(tx)
        return await position_in(tx, match_id)

    monkeypatch.setattr(club.matches, "position_in", noted)
    club.wait(days=2)
    await club.steps.take(number)
    per_transaction = Counter(map(id, seen))
    assert len(seen) >= BATCH + 3
    assert max(per_transaction.values()) <= BATCH


async def test_only_the_boards_on_a_page_are_looked_up(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await club.begin(*FIELD)
    view = await club.view(number)
    reads = []
    of_numbers = matches.of_numbers

    async def noted(tx: Transaction, numbers: Collection[int]) -> Any:
        reads.append(tuple(numbers))
        return await of_numbers(tx, numbers)

    monkeypatch.setattr(matches, "of_numbers", noted)
    monkeypatch.setattr(matches, "get", None)
    await club.read(board_links, view.current[:1])
    assert reads == [tuple(game.match_id for game in view.current[0].games)]
    assert len(reads[0]) == 1


async def test_awaiting_the_analyses_of_a_tournament_reads_no_match(
    club: Cups, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = await club.begin(*FIELD)
    await club.play_round(number)
    view = await club.view(number)
    monkeypatch.setattr(matches, "get", None)
    monkeypatch.setattr(matches, "of_numbers", None)
    assert await club.read(best_game.awaits_analysis, view)


@pytest.fixture(autouse=True)
async def close(club: Cups) -> AsyncIterator[None]:
    """Stop the process after each test."""
    yield
    await club.pool.close()


@pytest.mark.parametrize("plan", [Plan(Format.SWISS, rounds=3), Plan(Format.KNOCKOUT, best_of=3)])
async def test_a_worker_process_makes_the_same_round(
    club: Cups, monkeypatch: pytest.MonkeyPatch, plan: Plan
) -> None:
    number = await club.begin(*range(1, 8), plan=plan)
    await club.play_round(number)
    view = await club.view(number)
    first = replace(view, pairings=tuple(one for one in view.pairings if one.round == 1))
    here = await steps.next_round(club.pool, first)
    assert club.pool.pids == (), "seven are too few to need a process"
    monkeypatch.setattr(steps, "MANY", 7)
    assert await steps.next_round(club.pool, first) == here != ()
    assert len(club.pool.pids) == 1


@pytest.mark.parametrize("works", [True, False])
async def test_large_rounds_are_paired_in_a_worker_process_or_else_without(
    club: Cups, monkeypatch: pytest.MonkeyPatch, *, works: bool
) -> None:
    monkeypatch.setattr(steps, "MANY", 8)
    if not works:
        club.pool = WorkerPool(tasks="bot.features.tournaments.steps:NO_TASKS")
    number = await club.begin(*range(1, 9))
    assert len(await club.open_games(number)) == 4
    assert len(club.pool.pids) == works

"""Large fields are paired in a separate process, with the same result."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from bot.core.workers.pool import WorkerPool
from bot.features.tournaments import pairing_workers
from bot.features.tournaments.model import Format, Plan
from tests.bot.tournaments.club import TournamentClub


@pytest.fixture(autouse=True)
async def close(club: TournamentClub) -> AsyncIterator[None]:
    """Stop the process after each test."""
    yield
    await club.pool.close()


@pytest.mark.parametrize("plan", [Plan(Format.SWISS, rounds=3), Plan(Format.KNOCKOUT, best_of=3)])
async def test_a_worker_process_makes_the_same_round(
    club: TournamentClub, monkeypatch: pytest.MonkeyPatch, plan: Plan
) -> None:
    number = await club.begin(*range(1, 8), plan=plan)
    await club.play_round(number)
    view = await club.view(number)
    first = replace(view, tables=tuple(one for one in view.tables if one.round == 1))
    here = await pairing_workers.next_round(club.pool, first)
    assert club.pool.pids == (), "seven are too few to need a process"
    monkeypatch.setattr(pairing_workers, "MANY", 7)
    assert await pairing_workers.next_round(club.pool, first) == here != ()
    assert len(club.pool.pids) == 1


async def test_large_rounds_are_paired_in_a_worker_process(
    club: TournamentClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_workers, "MANY", 8)
    number = await club.begin(*range(1, 9))
    assert len(await club.open_games(number)) == 4
    assert len(club.pool.pids) == 1


async def test_a_round_is_paired_even_without_a_worker_process(
    club: TournamentClub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_workers, "MANY", 8)
    club.pool = WorkerPool(tasks="bot.features.tournaments.pairing_workers:NO_TASKS")
    number = await club.begin(*range(1, 9))
    assert len(await club.open_games(number)) == 4
    assert club.pool.pids == ()

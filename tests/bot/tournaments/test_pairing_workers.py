"""Large fields are paired in a separate process, with the same result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from bot.tournaments import pairing_workers
from bot.tournaments.model import Format, Plan
from bot.workers.pool import WorkerPool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.bot.tournaments.hall import Hall


@pytest.fixture(autouse=True)
async def close(hall: Hall) -> AsyncIterator[None]:
    """Stop the process after each test."""
    yield
    await hall.pool.close()


@pytest.mark.parametrize("plan", [Plan(Format.SWISS, rounds=3), Plan(Format.KNOCKOUT, best_of=3)])
async def test_a_worker_process_makes_the_same_round(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, plan: Plan
) -> None:
    number = await hall.begin(*range(1, 8), plan=plan)
    await hall.play_round(number)
    view = await hall.seen(number)
    first = replace(view, tables=tuple(one for one in view.tables if one.round == 1))
    here = await pairing_workers.next_round(hall.pool, first)
    assert hall.pool.pids == (), "seven are few"
    monkeypatch.setattr(pairing_workers, "MANY", 7)
    assert await pairing_workers.next_round(hall.pool, first) == here != ()
    assert len(hall.pool.pids) == 1


async def test_large_rounds_are_paired_in_a_worker_process(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_workers, "MANY", 8)
    number = await hall.begin(*range(1, 9))
    assert len(await hall.open_games(number)) == 4
    assert len(hall.pool.pids) == 1


async def test_a_round_is_paired_even_without_a_worker_process(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing_workers, "MANY", 8)
    hall.pool = WorkerPool(tasks="bot.tournaments.pairing_workers:NO_TASKS")
    number = await hall.begin(*range(1, 9))
    assert len(await hall.open_games(number)) == 4
    assert hall.pool.pids == ()

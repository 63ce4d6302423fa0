"""Worker processes that are killed, fail or hang do no harm."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from subprocess import PIPE, Popen
from typing import Any

import pytest

from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerFailure, WorkerPool

TASKS = "tests.bot.core.workers.tasks:TASKS"
ANN, BEN = Requester(1, 11), Requester(1, 22)
LONG = 60.0
"""Seconds that only a hanging task takes."""


@pytest.fixture
async def workers() -> AsyncIterator[WorkerPool]:
    """Open a pool with one process."""
    made = WorkerPool(1, tasks=TASKS, niceness=7)
    yield made
    await made.close()
    assert made.pids == ()


async def run(
    workers: WorkerPool, task: str, requester: Requester = ANN, limit: float = LONG
) -> Any:
    """Run a task without arguments."""
    return await workers.run(task, {}, requester=requester, limit=limit)


def lives(pid: int) -> bool:
    """Return whether a process exists."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_failing_task_is_reported_and_the_process_goes_on(workers: WorkerPool) -> None:
    pid = await run(workers, "pid")
    with pytest.raises(WorkerFailure, match="nothing comes to mind"):
        await run(workers, "fails")
    assert await run(workers, "pid") == pid


async def test_a_tasks_progress_is_reported_to_the_caller(workers: WorkerPool) -> None:
    reports: list[float] = []
    done = await workers.run("counts", {}, requester=ANN, limit=LONG, listener=reports.append)
    assert done == "counted"
    assert reports[:2] == [0.0, 0.0], "the start is reported by the worker itself"
    assert reports == sorted(reports)
    assert await run(workers, "counts") == "counted", "a listener is optional"


async def test_an_unknown_task_fails(workers: WorkerPool) -> None:
    with pytest.raises(WorkerFailure, match="unheard"):
        await run(workers, "unheard")


async def test_an_endless_task_is_killed_and_its_process_replaced(workers: WorkerPool) -> None:
    pid = await run(workers, "pid")
    with pytest.raises(WorkerFailure, match="more than"):
        await run(workers, "endless", limit=0.2)
    assert not lives(pid)
    assert await run(workers, "pid") != pid


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is limited on Linux only")
async def test_a_task_using_too_much_memory_is_killed_and_its_process_replaced() -> None:
    workers = WorkerPool(1, tasks=TASKS, memory=64 << 20)
    try:
        pid = await run(workers, "pid")
        with pytest.raises(WorkerFailure, match="killed"):
            await run(workers, "greedy")
        assert not lives(pid)
        assert await run(workers, "pid") != pid
    finally:
        await workers.close()


async def test_a_task_can_be_run_in_every_process() -> None:
    workers = WorkerPool(3, tasks=TASKS)
    try:
        await workers.run_in_each("talks", {}, limit=LONG)
        assert len(workers.pids) == 3
        with pytest.raises(WorkerFailure, match="nothing comes to mind"):
            await workers.run_in_each("fails", {}, limit=LONG)
        assert await run(workers, "talks") == "said"
    finally:
        await workers.close()


async def test_a_process_that_dies_is_replaced(workers: WorkerPool) -> None:
    pid = await run(workers, "pid")
    with pytest.raises(WorkerFailure, match="killed"):
        await run(workers, "dies")
    assert await run(workers, "pid") != pid


async def test_a_process_killed_from_outside_is_replaced(workers: WorkerPool) -> None:
    pid = await run(workers, "pid")
    busy = asyncio.create_task(run(workers, "endless"))
    await asyncio.sleep(0)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerFailure):
        await busy
    assert await run(workers, "pid") != pid


async def test_an_idle_process_that_is_killed_is_replaced(workers: WorkerPool) -> None:
    pid = await run(workers, "pid")
    os.kill(pid, signal.SIGKILL)
    for _ in range(2):  # only the first run may notice
        try:
            other = await run(workers, "pid")
        except WorkerFailure:
            continue
    assert other != pid


async def test_a_cancelled_request_leaves_no_answer_for_the_next(workers: WorkerPool) -> None:
    pid = await run(workers, "pid")
    busy = asyncio.create_task(run(workers, "endless"))
    waiting = asyncio.create_task(run(workers, "talks", BEN))
    for _ in range(5):
        await asyncio.sleep(0)
    waiting.cancel()
    busy.cancel()
    await asyncio.gather(busy, waiting, return_exceptions=True)
    assert await run(workers, "pid") != pid


async def test_there_are_never_more_processes_than_allowed(workers: WorkerPool) -> None:
    results = await asyncio.gather(*(run(workers, "pid", Requester(0, n)) for n in range(10)))
    assert len(set(results)) == 1
    assert workers.pids == (results[0],)


async def test_two_processes_work_in_parallel() -> None:
    workers = WorkerPool(2, tasks=TASKS)
    try:
        endless = asyncio.create_task(run(workers, "endless"))
        await asyncio.sleep(0)
        assert await run(workers, "talks") == "said", "printed text is no answer"
        endless.cancel()
        await asyncio.gather(endless, return_exceptions=True)
    finally:
        await workers.close()


async def test_a_worker_has_lower_priority_than_the_bot_and_knows_no_secret(
    workers: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    monkeypatch.setenv("DATABASE_URL", "secret")
    assert await run(workers, "nice") == min(os.nice(0) + 7, 19)


async def test_a_worker_is_in_the_bots_session_but_not_its_process_group(
    workers: WorkerPool,
) -> None:
    """Linux divides processor time by session; a keyboard's signal goes to a process group."""
    await run(workers, "nice")
    (pid,) = workers.pids
    assert os.getsid(pid) == os.getsid(0)
    assert os.getpgid(pid) != os.getpgrp()
    assert await run(workers, "secrets") == []


async def test_waiting_requests_are_served_fairly(workers: WorkerPool) -> None:
    done: list[str] = []

    async def one(name: str, requester: Requester) -> None:
        await run(workers, "talks", requester)
        done.append(name)

    many = [asyncio.create_task(one("ann", ANN)) for _ in range(20)]
    await asyncio.sleep(0)
    many.append(asyncio.create_task(one("ben", BEN)))
    await asyncio.gather(*many)
    assert done.index("ben") <= 2


async def test_closing_leaves_no_one_waiting_forever() -> None:
    workers = WorkerPool(1, tasks=TASKS)
    busy = [asyncio.create_task(run(workers, "endless")) for _ in range(3)]
    await asyncio.sleep(0)
    await workers.close()
    results = await asyncio.gather(*busy, return_exceptions=True)
    assert [type(one) for one in results] == [WorkerFailure] * 3
    with pytest.raises(WorkerFailure):
        await run(workers, "talks")
    assert workers.pids == ()


def started(*, ready: bool) -> Popen[bytes]:
    """Start a worker process by hand, as the bot does."""
    process = Popen(
        [sys.executable, "-m", "bot.core.workers.process", TASKS, "0", "0"],
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
    )
    assert process.stdout is not None
    if ready:
        assert b"ready" in process.stdout.readline()
    return process


def last_words(process: Popen[bytes]) -> bytes:
    """Wait until a process has ended; return what it wrote to stderr."""
    assert process.stderr is not None
    words = process.stderr.read()
    assert process.wait() == 0
    return words


@pytest.mark.parametrize("ready", [False, True])
def test_a_worker_ends_silently_when_its_bot_is_killed(*, ready: bool) -> None:
    """A killed bot closes both ends while the worker is starting up or idle."""
    with started(ready=ready) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.close()
        assert last_words(process) == b""


def test_a_busy_worker_ends_silently_when_its_bot_is_killed() -> None:
    with started(ready=True) as process:
        assert process.stdin is not None
        process.stdin.write(b'{"task": "endless", "arguments": {}}\n{"task": "cut off')
        process.stdin.close()
        assert last_words(process) == b""


def test_a_worker_about_to_answer_ends_silently_when_its_bot_is_killed() -> None:
    """Writing its answer breaks the pipe before it sees end of input; here stdin stays open."""
    with started(ready=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(b'{"task": "pid", "arguments": {}}\n')
        process.stdin.flush()
        assert last_words(process) == b""


def test_a_worker_does_not_import_discord() -> None:
    """Discord would take seconds to import and a hundred megabytes."""
    modules = "bot.core.workers.process, bot.core.workers.tasks, bot.features.records.checking"
    code = f"import sys, {modules}; sys.exit('discord' in sys.modules)"
    with Popen([sys.executable, "-c", code]) as process:
        assert process.wait() == 0

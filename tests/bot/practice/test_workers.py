"""Processes that think: killed, failing and endless ones harm nobody."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from bot.workers.fair_queue import Whose
from bot.workers.pool import WorkerFailure, WorkerPool

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

DOINGS = "tests.bot.practice.doings"
ANN, BEN = Whose(1, 11), Whose(1, 22)
LONG = 60.0
"""Nothing here takes so many seconds unless it hangs."""


@pytest.fixture
async def workers() -> AsyncIterator[WorkerPool]:
    """Open one place to think in."""
    made = WorkerPool(1, chores=DOINGS, niceness=7)
    yield made
    await made.close()
    assert made.pids == ()


async def do(workers: WorkerPool, chore: str, whose: Whose = ANN, limit: float = LONG) -> Any:
    """Let something be done without anything given."""
    return await workers.do(chore, {}, whose=whose, limit=limit)


def lives(pid: int) -> bool:
    """Tell whether a process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_what_fails_is_told_and_the_process_goes_on(workers: WorkerPool) -> None:
    pid = await do(workers, "pid")
    with pytest.raises(WorkerFailure, match="nothing comes to mind"):
        await do(workers, "fails")
    assert await do(workers, "pid") == pid


async def test_a_chore_that_nobody_knows_fails(workers: WorkerPool) -> None:
    with pytest.raises(WorkerFailure, match="unheard"):
        await do(workers, "unheard")


async def test_what_never_ends_is_killed_and_its_process_replaced(workers: WorkerPool) -> None:
    pid = await do(workers, "pid")
    with pytest.raises(WorkerFailure, match="more than"):
        await do(workers, "endless", limit=0.2)
    assert not lives(pid)
    assert await do(workers, "pid") != pid


async def test_a_process_that_dies_is_replaced(workers: WorkerPool) -> None:
    pid = await do(workers, "pid")
    with pytest.raises(WorkerFailure, match="killed"):
        await do(workers, "dies")
    assert await do(workers, "pid") != pid


async def test_a_process_killed_from_outside_is_replaced(workers: WorkerPool) -> None:
    pid = await do(workers, "pid")
    busy = asyncio.create_task(do(workers, "endless"))
    await asyncio.sleep(0)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerFailure):
        await busy
    assert await do(workers, "pid") != pid


async def test_one_killed_while_nobody_needs_it_is_replaced(workers: WorkerPool) -> None:
    pid = await do(workers, "pid")
    os.kill(pid, signal.SIGKILL)
    for _ in range(2):  # the first may notice it, the second may not
        try:
            other = await do(workers, "pid")
        except WorkerFailure:
            continue
    assert other != pid


async def test_who_gives_up_waiting_leaves_no_answer_to_the_next(workers: WorkerPool) -> None:
    pid = await do(workers, "pid")
    busy = asyncio.create_task(do(workers, "endless"))
    waiting = asyncio.create_task(do(workers, "talks", BEN))
    for _ in range(5):
        await asyncio.sleep(0)
    waiting.cancel()
    busy.cancel()
    await asyncio.gather(busy, waiting, return_exceptions=True)
    assert await do(workers, "pid") != pid


async def test_never_more_processes_than_allowed(workers: WorkerPool) -> None:
    told = await asyncio.gather(*(do(workers, "pid", Whose(0, n)) for n in range(10)))
    assert len(set(told)) == 1
    assert workers.pids == (told[0],)


async def test_two_places_work_side_by_side() -> None:
    workers = WorkerPool(2, chores=DOINGS)
    try:
        endless = asyncio.create_task(do(workers, "endless"))
        await asyncio.sleep(0)
        assert await do(workers, "talks") == "said"
        endless.cancel()
        await asyncio.gather(endless, return_exceptions=True)
    finally:
        await workers.close()


async def test_whatever_is_printed_is_no_answer(workers: WorkerPool) -> None:
    assert await do(workers, "talks") == "said"


async def test_a_process_is_less_urgent_than_the_bot_and_knows_no_secret(
    workers: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    monkeypatch.setenv("DATABASE_URL", "secret")
    assert await do(workers, "nice") == min(os.nice(0) + 7, 19)


async def test_a_process_is_weighed_against_the_bot_and_not_stopped_with_it(
    workers: WorkerPool,
) -> None:
    """Linux shares the processor by sessions; a keyboard's signal goes to a group of processes."""
    await do(workers, "nice")
    (pid,) = workers.pids
    assert os.getsid(pid) == os.getsid(0)
    assert os.getpgid(pid) != os.getpgrp()
    assert await do(workers, "secrets") == []


async def test_those_who_wait_share_fairly(workers: WorkerPool) -> None:
    done: list[str] = []

    async def one(name: str, whose: Whose) -> None:
        await do(workers, "talks", whose)
        done.append(name)

    many = [asyncio.create_task(one("ann", ANN)) for _ in range(20)]
    await asyncio.sleep(0)
    many.append(asyncio.create_task(one("ben", BEN)))
    await asyncio.gather(*many)
    assert done.index("ben") <= 2


async def test_at_the_end_nobody_waits_for_ever() -> None:
    workers = WorkerPool(1, chores=DOINGS)
    busy = [asyncio.create_task(do(workers, "endless")) for _ in range(3)]
    await asyncio.sleep(0)
    await workers.close()
    told = await asyncio.gather(*busy, return_exceptions=True)
    assert [type(one) for one in told] == [WorkerFailure] * 3
    with pytest.raises(WorkerFailure):
        await do(workers, "talks")
    assert workers.pids == ()

"""Slow requests: callers wait, see progress, and can only have a few at once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bot.core.errors import TooMany
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers import Report
from bot.core.workers.fair_queue import Requester
from bot.core.workers.pool import WorkerFailure
from bot.core.workers.task_queue import Handler, Lane, TaskQueue, TaskRunner, Unanswered
from data import computer_tasks
from data.computer_tasks import Kind, Task
from data.store.store import Store

ANN, BEN = Requester(1, 11), Requester(1, 22)
MAX_WAITING = (2, (Kind.RECORD,))


def open_queue(db: Store) -> TaskQueue:
    return TaskQueue(db, clock=WallClock())


def runner_for(db: Store, handler: Handler, *, places: int = 1, urgent: bool = False) -> TaskRunner:
    """Return a runner that handles record tasks."""
    lanes = [Lane(places, {Kind.RECORD: handler}, urgent=urgent)]
    return TaskRunner(db, lanes, clock=WallClock())


async def length(db: Store) -> int:
    """Count the tasks that are waiting or running."""
    async with db.read() as tx:
        return sum(one.waiting + one.in_progress for one in await computer_tasks.queue_lengths(tx))


async def wait_for_length(db: Store, number: int) -> None:
    """Wait until the queue has this many tasks."""
    while await length(db) != number:  # noqa: ASYNC110 -- separate processes could share no event
        await asyncio.sleep(0.01)


async def test_a_users_waiting_tasks_are_limited_independently_of_others(db: Store) -> None:
    queue = open_queue(db)

    async def ask(name: str, requester: Requester) -> Any:
        return await queue.ask(Kind.RECORD, name, requester, limit=1000, max_waiting=MAX_WAITING)

    waiting = [asyncio.create_task(ask(name, ANN)) for name in ("one", "two")]
    await wait_for_length(db, 2)
    with pytest.raises(TooMany, match="already have 2 requests waiting"):
        await ask("three", ANN)
    waiting += [asyncio.create_task(ask(*asked)) for asked in (("one", ANN), ("other", BEN))]
    await wait_for_length(db, 3)

    async def answer(task: Task, _: Report) -> None:
        async with db.write() as tx:
            await computer_tasks.finish(tx, task, {"of": task.name})

    runner = runner_for(db, answer)
    await runner.start()
    found = await asyncio.gather(*waiting)
    assert {one["of"] for one in found if one is not None} == {"one", "two", "other"}
    await runner.close()
    assert await length(db) == 0


async def test_a_waiting_caller_sees_the_start_and_the_progress(db: Store) -> None:
    shares: list[float] = []
    far, seen = asyncio.Event(), asyncio.Event()

    def listen(share: float) -> None:
        shares.append(share)
        if share == 0.5:
            seen.set()

    async def slowly(task: Task, report: Report) -> None:
        report(0.5)
        far.set()
        await seen.wait()
        async with db.write() as tx:
            await computer_tasks.finish(tx, task, {"done": True})

    lanes = [Lane(1, {Kind.RECORD: slowly})]
    runner = TaskRunner(db, lanes, clock=WallClock(), lease=0.2)
    await runner.start()
    found = await open_queue(db).ask(Kind.RECORD, "one", ANN, limit=1000, listener=listen)
    assert found == {"done": True}
    assert far.is_set()
    assert shares[-1] == 0.5
    await runner.close()


async def test_cancelling_removes_the_task_unless_its_result_is_worth_keeping(db: Store) -> None:
    queue = open_queue(db)
    for keep in (False, True):
        with pytest.raises(Unanswered):
            await queue.ask(Kind.RECORD, f"{keep}", ANN, limit=0.01, keep=keep)
    assert await length(db) == 1


async def test_a_failed_task_is_retried_without_delaying_others(db: Store) -> None:
    tried: list[str] = []

    async def fail(task: Task, _: Report) -> None:
        tried.append(task.name)
        if task.name == "bad" and task.attempts < 2:
            raise WorkerFailure("not this time")
        async with db.write() as tx:
            await computer_tasks.finish(tx, task)

    async with db.write() as tx:
        await computer_tasks.put(tx, Kind.RECORD, "bad")
        await computer_tasks.put(tx, Kind.RECORD, "good")
    runner = runner_for(db, fail)
    await runner.start()
    await wait_for_length(db, 0)
    await runner.close()
    assert tried == ["bad", "good", "bad", "bad"]


async def test_a_task_no_one_waits_for_starts_only_when_due(db: Store) -> None:
    done: list[str] = []

    async def do(task: Task, _: Report) -> None:
        async with db.write() as tx:
            await computer_tasks.finish(tx, task)
        done.append(task.name)

    runner = runner_for(db, do, urgent=True)
    await runner.start()
    async with db.write() as tx:
        await computer_tasks.put(tx, Kind.RECORD, "later", urgent=False)
        await computer_tasks.put(tx, Kind.RECORD, "now")
    await runner.idle()
    assert done == ["now"]
    runner.take_all()
    await runner.idle()
    assert done == ["now", "later"]
    await runner.close()


async def test_no_more_tasks_run_than_there_are_slots(db: Store) -> None:
    at_work, most, go = 0, 0, asyncio.Event()

    async def count(task: Task, _: Report) -> None:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        if most == 2:
            go.set()
        await go.wait()
        async with db.write() as tx:
            await computer_tasks.finish(tx, task)
        at_work -= 1

    async with db.write() as tx:
        for number in range(6):
            await computer_tasks.put(tx, Kind.RECORD, f"{number}")
    runner = runner_for(db, count, places=2)
    await runner.start()
    await runner.idle()
    assert most == 2
    assert await length(db) == 0
    await runner.close()

"""The task queue: one lease per task, finished once; servers and users take turns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import pytest

from data import computer_tasks
from data.computer_tasks import CHANGED, Kind, LeaseLost, Task
from data.sql.transaction import Transaction
from data.store.store import Store

NOW = datetime(2026, 1, 1, tzinfo=UTC)
HINTS = (Kind.HINT,)
LONG = 1000.0


async def put(
    db: Store,
    name: str,
    *,
    kind: Kind = Kind.HINT,
    requester: tuple[int, int] = (1, 1),
    urgent: bool = True,
    restart: bool = False,
) -> int:
    """Add a task."""
    async with db.write() as tx:
        return await computer_tasks.put(
            tx, kind, name, NOW, requester=requester, urgent=urgent, restart=restart
        )


async def claim(db: Store, seconds: float = LONG, *, urgent: bool = False) -> Task | None:
    """Take a task of any kind."""
    async with db.write() as tx:
        return await computer_tasks.claim(tx, list(Kind), seconds, urgent=urgent)


async def claim_existing(db: Store, seconds: float = LONG) -> Task:
    """Take a task, which must exist."""
    task = await claim(db, seconds)
    assert task is not None
    return task


async def completion_order(db: Store, most: int = 1000) -> list[str]:
    """Complete this many tasks in sequence and return their names."""
    found: list[str] = []
    while len(found) < most and (task := await claim(db)) is not None:
        found.append(task.name)
        await finish(db, task)
    return found


async def finish(db: Store, task: Task) -> None:
    async with db.write() as tx:
        await computer_tasks.finish(tx, task)


async def due_in(db: Store) -> float | None:
    async with db.read() as tx:
        return await computer_tasks.due_in(tx, HINTS)


async def test_a_task_requested_twice_exists_once(db: Store) -> None:
    assert await put(db, "1:4") == await put(db, "1:4", requester=(2, 2))
    assert await completion_order(db) == ["1:4"]


async def test_a_task_with_a_lease_is_not_taken_again(db: Store) -> None:
    assert await due_in(db) is None
    await put(db, "1:4")
    soon = await due_in(db)
    assert soon is not None
    assert soon < 0
    await claim_existing(db)
    assert await claim(db) is None
    later = await due_in(db)
    assert later is not None
    assert LONG / 2 < later < LONG * 2


async def test_a_task_whose_lease_has_expired_is_taken_by_another_worker(db: Store) -> None:
    await put(db, "1:4")
    first = await claim_existing(db, seconds=-1.0)  # as if it had long been suspended
    second = await claim_existing(db)
    assert second.id == first.id
    async with db.write() as tx:
        assert not await computer_tasks.renew_lease(tx, first, LONG, 0.5)
        assert await computer_tasks.renew_lease(tx, second, LONG, 0.7)
        await computer_tasks.release(tx, first)
        state = await computer_tasks.state_of(tx, second.id)
    assert state is not None
    assert state.share == 0.7
    assert await claim(db) is None, "a task it no longer held could not be given back"
    with pytest.raises(LeaseLost):
        await finish(db, first)
    await finish(db, second)
    with pytest.raises(LeaseLost):
        await finish(db, second)


async def test_work_committed_with_a_lost_task_is_rolled_back(db: Store) -> None:
    await put(db, "1:4")
    first = await claim_existing(db, seconds=-1.0)
    second = await claim_existing(db)

    async def commit(tx: Transaction) -> None:
        await computer_tasks.put(tx, Kind.HINT, "a result", NOW)
        await computer_tasks.finish(tx, first)

    with pytest.raises(LeaseLost):
        await db.run_write(commit)
    await finish(db, second)
    assert await completion_order(db) == []


async def test_restarting_a_task_ends_its_current_lease(db: Store) -> None:
    await put(db, "7", kind=Kind.MOVE)
    first = await claim_existing(db)
    await put(db, "7", kind=Kind.MOVE, restart=True)
    second = await claim_existing(db)
    assert second.id == first.id
    with pytest.raises(LeaseLost):
        await finish(db, first)
    await finish(db, second)


async def test_a_released_task_is_available_at_once_or_after_a_pause(db: Store) -> None:
    received: list[int] = []
    db.listen(Kind.HINT.topic, received.append)
    await put(db, "1:4")
    task = await claim_existing(db)
    async with db.write() as tx:
        await computer_tasks.release(tx, task)
    assert len(received) == 2
    task = await claim_existing(db)
    assert task.attempts == 0
    async with db.write() as tx:
        await computer_tasks.release(tx, task, LONG, failed=True)
    assert await claim(db) is None
    async with db.write() as tx:
        await computer_tasks.release_all(tx)
    assert (await claim_existing(db)).attempts == 1


async def test_an_answer_waits_for_its_requester_and_is_not_computed_again(db: Store) -> None:
    received: list[int] = []
    db.listen(CHANGED, received.append)
    number = await put(db, "abc", kind=Kind.RECORD)
    task = await claim_existing(db, seconds=-1.0)
    async with db.write() as tx:
        await computer_tasks.finish(tx, task, {"game": "tablut"})
    assert received == [number, number], "announced at the start and at the end"
    assert await claim(db) is None
    async with db.read() as tx:
        state = await computer_tasks.state_of(tx, number)
    assert state is not None
    assert state.answer == {"game": "tablut"}
    async with db.write() as tx:
        await computer_tasks.drop_answers(tx, NOW)
        assert await computer_tasks.state_of(tx, number) is not None
        await computer_tasks.withdraw(tx, number)
        assert await computer_tasks.state_of(tx, number) is None


async def test_a_task_in_progress_is_not_withdrawn(db: Store) -> None:
    number = await put(db, "1:4")
    await claim_existing(db)
    async with db.write() as tx:
        await computer_tasks.withdraw(tx, number)
        assert await computer_tasks.state_of(tx, number) is not None
        assert await computer_tasks.in_progress(tx, HINTS)
        assert not await computer_tasks.in_progress(tx, [Kind.MOVE])


# Turns


async def test_urgent_tasks_come_first(db: Store) -> None:
    await put(db, "1", kind=Kind.ANALYSIS, urgent=False)
    await put(db, "2", kind=Kind.ANALYSIS, urgent=False)
    await put(db, "3", kind=Kind.ANALYSIS)
    await put(db, "2", kind=Kind.ANALYSIS, requester=(5, 5))
    await put(db, "2", kind=Kind.ANALYSIS, urgent=False)
    found = await claim(db, urgent=True)
    assert found is not None
    assert found.name in {"2", "3"}
    assert (await completion_order(db))[-1] == "1"
    assert await claim(db, urgent=True) is None


async def test_servers_take_turns(db: Store) -> None:
    for number in range(5):
        await put(db, f"a{number}", requester=(1, number))
    assert await completion_order(db, 2) == ["a0", "a1"]
    for number in range(2):
        await put(db, f"b{number}", requester=(2, 9))
    assert await completion_order(db) == ["a2", "b0", "a3", "b1", "a4"]


async def test_users_of_a_server_take_turns(db: Store) -> None:
    for number in range(4):
        await put(db, f"ann{number}", requester=(1, 1))
    for number in range(2):
        await put(db, f"ben{number}", requester=(1, 2))
    for number in range(3):
        await put(db, f"other{number}", requester=(2, 3))
    found = await completion_order(db)
    assert [name for name in found if name.startswith("other")] == ["other0", "other1", "other2"]
    assert found.index("other2") <= 5, "a server with two users gets no more turns than the other"
    assert [name for name in found if not name.startswith("other")] == [
        "ann0",
        "ben0",
        "ann1",
        "ben1",
        "ann2",
        "ann3",
    ]


async def test_waiting_analyses_do_not_delay_the_same_users_moves(db: Store) -> None:
    for number in range(5):
        await put(db, f"{number}", kind=Kind.ANALYSIS, requester=(1, 1))
    await put(db, "a", kind=Kind.MOVE, requester=(1, 1))
    await put(db, "b", kind=Kind.MOVE, requester=(2, 2))
    async with db.write() as tx:
        first = await computer_tasks.claim(tx, [Kind.MOVE, Kind.HINT], LONG)
    assert first is not None
    assert first.name == "a"


async def test_repeated_requests_by_one_user_delay_no_one_else(db: Store) -> None:
    await put(db, "a0", requester=(1, 1))
    found: list[str] = []
    for number in range(1, 20):
        await put(db, f"a{number}", requester=(1, 1))
        await put(db, f"a{number}'", requester=(1, 1))
        if number == 10:
            await put(db, "b", requester=(2, 2))
        found += await completion_order(db, 1)
    assert found.index("b") <= 11


async def test_a_queue_reports_lengths_and_ages(db: Store) -> None:
    await put(db, "1", kind=Kind.ANALYSIS, urgent=False)
    await put(db, "1:1")
    await put(db, "1:2")
    await claim_existing(db)
    async with db.read() as tx:
        found = await computer_tasks.queue_lengths(tx)
    assert [(one.kind, one.urgent, one.waiting, one.in_progress) for one in found] == [
        (Kind.ANALYSIS, False, 1, 0),
        (Kind.HINT, True, 1, 1),
    ]
    assert [one.since for one in found] == [NOW, NOW]


# Several processes


@pytest.fixture
async def several(postgresql_url: str) -> AsyncIterator[list[Store]]:
    async with AsyncExitStack() as stack:
        stores = []
        for _ in range(3):
            stores.append(await Store.open(postgresql_url))
            stack.push_async_callback(stores[-1].close)
        yield stores


async def test_several_processes_take_every_task_once(several: list[Store]) -> None:
    async with several[0].write() as tx:
        for number in range(120):
            await computer_tasks.put(
                tx, Kind.HINT, f"{number}", NOW, requester=(number % 7, number % 3)
            )
    done: list[str] = []

    async def work(db: Store) -> None:
        while True:
            async with db.write() as tx:
                task = await computer_tasks.claim(tx, HINTS, LONG)
            if task is None:
                async with db.read() as tx:
                    if not await computer_tasks.queue_lengths(tx):
                        return
                continue
            done.append(task.name)
            await finish(db, task)

    await asyncio.gather(*(work(db) for db in several for _ in range(2)))
    assert sorted(done) == sorted(str(number) for number in range(120))


async def test_a_request_made_as_a_task_finishes_is_done_again(several: list[Store]) -> None:
    number = await put(several[0], "12", kind=Kind.RATINGS)
    task = await claim_existing(several[0])
    async with several[0].write() as tx:
        await computer_tasks.finish(tx, task)
        asking = asyncio.create_task(put(several[1], "12", kind=Kind.RATINGS))
        await asyncio.wait({asking}, timeout=0.2)
        assert not asking.done(), "it waits for the finishing one"
    assert await asking != number
    assert (await claim_existing(several[1])).name == "12"

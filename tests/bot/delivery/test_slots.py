"""Slots limit concurrent work, and work that a player is waiting for goes first."""

from __future__ import annotations

import asyncio

import pytest

from bot.delivery.slots import BACKLOG, FRESH, Slots


async def begin(slots: Slots, key: int, priority: int, through: list[int]) -> asyncio.Task[None]:
    """Wait for a slot in a task, which records when it gets one."""

    async def wait() -> None:
        await slots.take(key, priority)
        through.append(key)

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    return task


async def test_no_more_run_at_once_than_there_are_slots() -> None:
    slots, through = Slots(2), list[int]()
    tasks = [await begin(slots, key, FRESH, through) for key in range(5)]
    assert through == [0, 1]
    slots.release()
    await asyncio.sleep(0)
    assert through == [0, 1, 2]
    for _ in range(2):
        slots.release()
    await asyncio.gather(*tasks)
    assert through == [0, 1, 2, 3, 4]


async def test_live_turns_go_before_the_backlog() -> None:
    slots, through = Slots(1), list[int]()
    await slots.take(0, FRESH)
    tasks = [
        await begin(slots, 1, BACKLOG, through),
        await begin(slots, 2, BACKLOG, through),
        await begin(slots, 3, FRESH, through),
    ]
    for _ in range(3):
        slots.release()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert through == [3, 1, 2]


async def test_an_urgent_caller_does_not_wait_and_delays_the_others() -> None:
    slots, through = Slots(1), list[int]()
    await slots.take(0, FRESH)
    tasks = [await begin(slots, key, BACKLOG, through) for key in (1, 2)]
    slots.release_now(2)
    await asyncio.sleep(0)
    assert through == [2]
    slots.release()
    await asyncio.sleep(0)
    assert through == [2], "only one slot is free"
    slots.release()
    await asyncio.gather(*tasks)
    assert through == [2, 1]


async def test_a_press_takes_a_slot_without_waiting() -> None:
    slots, through = Slots(1), list[int]()
    slots.take_now()
    slots.take_now()
    task = await begin(slots, 1, FRESH, through)
    slots.release()
    await asyncio.sleep(0)
    assert through == []
    slots.release()
    await task
    assert through == [1]


@pytest.mark.parametrize("given", [False, True])
async def test_a_cancelled_waiter_keeps_no_slot(given: bool) -> None:  # noqa: FBT001 -- a parameter
    slots, through = Slots(1), list[int]()
    await slots.take(0, FRESH)
    task = await begin(slots, 1, FRESH, through)
    if given:
        slots.release()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    if not given:
        slots.release()
    await asyncio.wait_for(slots.take(2, FRESH), 1)

"""Slots limit concurrent work, and work that a player is waiting for goes first."""

from __future__ import annotations

import asyncio

import pytest

from bot.core.background import Slots
from bot.core.requests.sending import Urgency


async def begin(slots: Slots, key: int, priority: int, through: list[int]) -> asyncio.Task[None]:
    """Wait for a slot in a task, which records when it gets one."""

    async def wait() -> None:
        await slots.take(priority)
        through.append(key)

    task = asyncio.create_task(wait())
    await asyncio.sleep(0)
    return task


async def test_no_more_run_at_once_than_there_are_slots() -> None:
    slots, through = Slots(2), list[int]()
    tasks = [await begin(slots, key, Urgency.BOARD, through) for key in range(5)]
    assert through == [0, 1]
    slots.release()
    await asyncio.sleep(0)
    assert through == [0, 1, 2]
    for _ in range(2):
        slots.release()
    await asyncio.gather(*tasks)
    assert through == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("priorities", "order"),
    [
        ([Urgency.REMINDER, Urgency.REMINDER, Urgency.BOARD], [2, 0, 1]),
        ([Urgency.REMINDER, Urgency.BOARD, Urgency.PRESS], [2, 1, 0]),
    ],
)
async def test_what_a_player_waits_for_goes_first_and_the_backlog_last(
    priorities: list[int], order: list[int]
) -> None:
    slots, through = Slots(1), list[int]()
    await slots.take(Urgency.BOARD)
    tasks = [await begin(slots, key, one, through) for key, one in enumerate(priorities)]
    for _ in tasks:
        slots.release()
        await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert through == order


@pytest.mark.parametrize("given", [False, True])
async def test_a_cancelled_waiter_keeps_no_slot(given: bool) -> None:  # noqa: FBT001 -- a parameter
    slots, through = Slots(1), list[int]()
    await slots.take(Urgency.BOARD)
    task = await begin(slots, 1, Urgency.BOARD, through)
    if given:
        slots.release()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    if not given:
        slots.release()
    await asyncio.wait_for(slots.take(Urgency.BOARD), 1)

"""The fair queue and the places it hands out: servers take turns, and so do people within a server."""

from __future__ import annotations

import asyncio

import pytest

from bot.core.errors import TooMany
from bot.core.workers.fair_queue import (
    MAX_WAITING,
    NOBODY,
    FairPlaces,
    FairQueue,
    Requester,
    SharedWork,
)


def emptied(queue: FairQueue[str]) -> str:
    """Empty the queue; return its one-letter items in order."""
    found = ""
    while queue:
        found += queue.take()
    return found


def test_an_empty_queue_returns_nothing() -> None:
    queue: FairQueue[str] = FairQueue()
    assert not queue
    with pytest.raises(LookupError):
        queue.take()


def test_a_hundred_requests_of_one_user_do_not_delay_others() -> None:
    queue: FairQueue[str] = FairQueue()
    for _ in range(100):
        queue.put(Requester(1, 1), "a")
    queue.put(Requester(1, 2), "b")
    queue.put(Requester(2, 3), "c")
    assert emptied(queue).startswith("acba")


def test_servers_take_turns_however_many_people_they_have() -> None:
    queue: FairQueue[str] = FairQueue()
    for person in range(5):
        queue.put(Requester(1, person), "a")
    queue.put(Requester(2, 9), "b")
    queue.put(Requester(2, 9), "b")
    assert emptied(queue) == "ababaaa"


def test_one_users_oldest_request_comes_first() -> None:
    queue: FairQueue[str] = FairQueue()
    for item in "abc":
        queue.put(Requester(0, 1), item)
    assert emptied(queue) == "abc"


ANN, BEN = Requester(1, 11), Requester(2, 22)


class Works:
    """Work whose pieces finish one by one, when the test allows it."""

    def __init__(self, places: FairPlaces[str]) -> None:
        self.places = places
        self.done: list[str] = []
        self.go_on = asyncio.Semaphore(0)

    async def one(self, name: str, requester: Requester) -> None:
        """Do one piece."""
        async with self.places.take(requester):
            await self.go_on.acquire()
            self.done.append(name)


async def rest() -> None:
    """Let every task run until it blocks."""
    for _ in range(20):
        await asyncio.sleep(0)


async def test_a_heavy_user_delays_others_by_at_most_two_pieces_of_work() -> None:
    works = Works(FairPlaces(["only"]))
    tasks = [asyncio.create_task(works.one(f"ann {n}", ANN)) for n in range(20)]
    await rest()
    tasks.append(asyncio.create_task(works.one("ben", BEN)))
    await rest()
    for _ in tasks:
        works.go_on.release()
    await asyncio.gather(*tasks)
    assert works.done.index("ben") <= 2


async def test_a_users_waiting_requests_are_limited_and_freed_again() -> None:
    works = Works(FairPlaces(["only"], limit=MAX_WAITING))
    tasks = [asyncio.create_task(works.one("ann", ANN)) for _ in range(MAX_WAITING)]
    await rest()
    for _ in range(3):
        with pytest.raises(TooMany, match=f"already have {MAX_WAITING} requests waiting"):
            await works.one("one too many", ANN)
    others = [asyncio.create_task(works.one("other", who)) for who in (BEN, *[NOBODY] * 9)]
    tasks.pop().cancel()  # one request is given up
    await rest()
    tasks.append(asyncio.create_task(works.one("ann", ANN)))
    await rest()
    for _ in (*tasks, *others):
        works.go_on.release()
    await asyncio.gather(*tasks, *others)
    assert sorted(works.done) == ["ann"] * MAX_WAITING + ["other"] * 10


async def test_a_slot_is_released_when_its_work_fails_or_is_cancelled() -> None:
    places = FairPlaces(["only"], limit=1)
    with pytest.raises(ZeroDivisionError):
        async with places.take(ANN):
            raise ZeroDivisionError
    async with places.take(ANN):

        async def wait() -> None:
            async with places.take(BEN):
                pass

        waiting = asyncio.create_task(wait())
        await rest()
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    async with places.take(ANN):
        pass


async def test_simultaneous_requests_for_the_same_work_are_done_once() -> None:
    shared: SharedWork[int] = SharedWork()
    go_on, begun = asyncio.Event(), 0

    async def work() -> int:
        nonlocal begun
        begun += 1
        await go_on.wait()
        return 7

    asking = [asyncio.create_task(shared.run("key", work)) for _ in range(10)]
    other = asyncio.create_task(shared.run("other key", work))
    await rest()
    assert begun == 2
    asking[0].cancel()  # giving up does not affect the others
    go_on.set()
    results = await asyncio.gather(*asking, other, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert results[1:] == [7] * 10
    assert await shared.run("key", work) == 7
    assert begun == 3, "nothing is remembered once all is done"


async def test_shared_work_that_fails_fails_for_all_and_can_be_retried() -> None:
    shared: SharedWork[int] = SharedWork()

    async def fails() -> int:
        raise LookupError("nothing comes to mind")

    async def works() -> int:
        return 3

    results = await asyncio.gather(
        *(shared.run("key", fails) for _ in range(3)), return_exceptions=True
    )
    assert [type(one) for one in results] == [LookupError] * 3
    assert await shared.run("key", works) == 3

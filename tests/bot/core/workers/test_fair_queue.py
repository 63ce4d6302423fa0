"""The fair queue: servers take turns, and so do people within a server."""

from __future__ import annotations

import pytest

from bot.core.workers.fair_queue import FairQueue, Requester


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

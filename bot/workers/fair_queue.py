"""A queue that is fair to servers, and within each server to its people."""

from __future__ import annotations

from collections import OrderedDict, deque
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Whose(NamedTuple):
    """For whom something is done."""

    server: int
    """0 where it is done in no server."""
    person: int


class FairQueue(Generic[T]):
    """Servers take turns, in each server people take turns, of one person the oldest is first."""

    def __init__(self) -> None:
        """Begin empty."""
        self._servers: OrderedDict[int, OrderedDict[int, deque[T]]] = OrderedDict()

    def __bool__(self) -> bool:
        return bool(self._servers)

    def put(self, whose: Whose, item: T) -> None:
        """Add something behind all else that this person waits for."""
        people = self._servers.setdefault(whose.server, OrderedDict())
        people.setdefault(whose.person, deque()).append(item)

    def take(self) -> T:
        """Remove what comes next and return it.

        Raises:
            LookupError: nothing is there.

        """
        if not self._servers:
            raise LookupError("the queue is empty")
        server, people = next(iter(self._servers.items()))
        person, items = next(iter(people.items()))
        item = items.popleft()
        people.move_to_end(person)
        self._servers.move_to_end(server)
        if not items:
            del people[person]
        if not people:
            del self._servers[server]
        return item

    def discard(self, whose: Whose, item: T) -> None:
        """Remove something, if it is still there."""
        people = self._servers.get(whose.server, OrderedDict())
        items = people.get(whose.person, deque())
        if item not in items:
            return
        items.remove(item)
        if not items:
            del people[whose.person]
        if not people:
            del self._servers[whose.server]

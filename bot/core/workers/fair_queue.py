"""A fair queue: servers take turns, and within a server its users do."""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Requester(NamedTuple):
    """The user that a task is done for, and the server it was requested in."""

    guild_id: int
    """0 outside servers."""
    user_id: int


NOBODY = Requester(0, 0)
"""The requester of what the bot does by itself."""


@dataclass(eq=False, repr=False)
class FairQueue(Generic[T]):
    """Round robin over servers, then over users; first in, first out for each user."""

    _guilds: OrderedDict[int, OrderedDict[int, deque[T]]] = field(
        default_factory=OrderedDict, init=False
    )

    def __bool__(self) -> bool:
        return bool(self._guilds)

    def put(self, requester: Requester, item: T) -> None:
        """Add an item behind the others of its requester."""
        users = self._guilds.setdefault(requester.guild_id, OrderedDict())
        users.setdefault(requester.user_id, deque()).append(item)

    def take(self) -> T:
        """Remove and return the next item; raise KeyError if the queue is empty."""
        guild_id, users = self._guilds.popitem(last=False)
        user_id, items = users.popitem(last=False)
        item = items.popleft()
        if items:
            users[user_id] = items
        if users:
            self._guilds[guild_id] = users
        return item

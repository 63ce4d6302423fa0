"""A fair queue: servers take turns, and within a server its users do; what it hands out; shared work."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, TypeVar

from bot.core.background import cancel
from bot.core.errors import TooMany
from engine.phrase import say

T = TypeVar("T")

MAX_WAITING: Final = 4
"""Maximum tasks that a user may have waiting or in progress, where that is limited."""


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


def too_many_waiting(number: int) -> TooMany:
    """Return the refusal for a user who has this many tasks waiting or in progress."""
    return TooMany(
        say(
            "You already have {number} requests waiting. Wait for one of them first, then "
            "try again.",
            number=number,
        )
    )


class FairPlaces(Generic[T]):
    """Hands each place to one task at a time; waiting tasks take turns, see `FairQueue`."""

    def __init__(self, places: Iterable[T], *, limit: int | None = None) -> None:
        """Hand out worker processes, or threads; ``limit`` is the maximum tasks of a user at once."""
        self._free = list(places)
        self._queue: FairQueue[asyncio.Future[T]] = FairQueue()
        self._most = limit
        self._held: Counter[int] = Counter()

    @asynccontextmanager
    async def take(self, requester: Requester) -> AsyncIterator[T]:
        """Hold a place. Raises TooMany if this user has too many tasks here."""
        user = requester.user_id
        if self._most is not None and user and self._held[user] >= self._most:
            raise too_many_waiting(self._held[user])
        self._held[user] += 1
        try:
            place = await self._turn(requester)
            try:
                yield place
            finally:
                self._release(place)
        finally:
            self._held[user] -= 1
            if not self._held[user]:
                del self._held[user]

    async def _turn(self, requester: Requester) -> T:
        turn: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(requester, turn)
        self._assign()
        try:
            return await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # it had just been given a place
                self._release(turn.result())
            raise

    def _release(self, place: T) -> None:
        self._free.append(place)
        self._assign()

    def _assign(self) -> None:
        while self._free and self._queue:
            turn = self._queue.take()
            if not turn.cancelled():
                turn.set_result(self._free.pop())


@dataclass(eq=False, repr=False)
class SharedWork(Generic[T]):
    """Work in progress: equal requests share the same work."""

    _tasks: dict[Hashable, asyncio.Task[T]] = field(default_factory=dict, init=False)

    def start(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> asyncio.Task[T]:
        """Return the task in progress for a key, started if there is none."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work(), name=f"shared {key}"[:80])
            task.add_done_callback(lambda done: self._ended(key, done))
        return task

    async def run(self, key: Hashable, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the work for a key, which continues if a caller gives up."""
        return await asyncio.shield(self.start(key, work))

    async def close(self) -> None:
        """Cancel all work."""
        await cancel(*self._tasks.values())

    def _ended(self, key: Hashable, task: asyncio.Task[T]) -> None:
        self._tasks.pop(key, None)
        if not task.cancelled():
            task.exception()  # marked as retrieved: the callers may be gone

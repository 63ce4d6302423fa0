"""Queues long tasks for other processes or this one, and waits for them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Collection
from contextlib import suppress
from typing import Any, Final

from bot.core.background import MIN_PAUSE, until
from bot.core.errors import TooMany
from bot.core.scheduling.wall_clock import WallClock
from bot.core.workers.fair_queue import Requester
from bot.core.workers.progress import Report
from data import computer_tasks
from data.computer_tasks import Kind
from data.sql.errors import StoreError
from data.store.store import Store
from engine.phrase import say

_LOOK: Final = 1.0
"""Seconds between checks on a task that is waited for."""
NO_WORKER_SECONDS: Final = 20.0
"""Seconds before giving up on a task not yet taken, if no process works on such tasks at all."""


class Unanswered(Exception):
    """No process has done a task in time."""


class TaskQueue:
    """Queues tasks of users and waits for them."""

    def __init__(
        self, store: Store, *, clock: WallClock, no_worker: float = NO_WORKER_SECONDS
    ) -> None:
        """Use the queue of a store; see `NO_WORKER_SECONDS`."""
        self._store = store
        self._clock = clock
        self._no_worker = no_worker
        self._waiting: defaultdict[int, set[asyncio.Event]] = defaultdict(set)
        store.listen(computer_tasks.CHANGED, self._wake)

    async def ask(
        self,
        kind: Kind,
        name: str,
        requester: Requester,
        *,
        limit: float,
        match_id: int | None = None,
        asked: dict[str, Any] | None = None,
        max_waiting: tuple[int, Collection[Kind]] | None = None,
        keep: bool = False,
        listener: Report | None = None,
    ) -> dict[str, Any] | None:
        """Wait until a task is done; return its answer, ``None`` if its result is stored.

        Args:
            kind: what to do.
            name: what it is about; equal requests share one task.
            requester: shares the processes fairly with others.
            limit: seconds to wait.
            match_id: the match it is about.
            asked: the input of the task.
            max_waiting: maximum number of tasks of some kinds that a user may wait for.
            keep: whether to have it done even if no one waits for it any more.
            listener: gets its progress, once it has started.

        Raises:
            TooMany: this user already waits for the maximum.
            Unanswered: no process has done it in time.

        """
        async with self._store.write() as tx:
            if max_waiting is not None and not await computer_tasks.task_exists(tx, kind, name):
                await _check(tx, requester.user_id, *max_waiting)
            number = await computer_tasks.put(
                tx,
                kind,
                name,
                self._clock(),
                requester=requester,
                match_id=match_id,
                asked=asked,
            )
        changed = asyncio.Event()
        self._waiting[number].add(changed)
        answered = False
        try:
            async with asyncio.timeout(limit):
                answer = await self._answer(number, kind, changed, listener)
            answered = answer is None
        except TimeoutError as error:
            raise Unanswered from error
        else:
            return answer
        finally:
            self._waiting[number].discard(changed)
            if not self._waiting[number]:
                del self._waiting[number]
                if not answered and not keep:
                    await self._withdraw(number)

    async def _answer(
        self, number: int, kind: Kind, changed: asyncio.Event, listener: Report | None
    ) -> dict[str, Any] | None:
        loop = asyncio.get_running_loop()
        no_worker_from = loop.time() + self._no_worker
        while True:
            changed.clear()
            try:
                async with self._store.read() as tx:
                    state = await computer_tasks.state_of(tx, number)
                    absent = loop.time() > no_worker_from and not (
                        (state is not None and state.taken)
                        or await computer_tasks.in_progress(tx, [kind])
                    )
                if state is None:
                    return None
                if state.answer is not None:
                    return state.answer
                if absent:
                    raise Unanswered
                if listener is not None and state.taken:
                    listener(state.share or 0.0)
            except StoreError:
                await asyncio.sleep(MIN_PAUSE)
            await until(changed)(_LOOK)

    async def _withdraw(self, number: int) -> None:
        with suppress(StoreError):
            async with self._store.write() as tx:
                await computer_tasks.withdraw(tx, number)

    def _wake(self, number: int) -> None:
        for changed in self._waiting.get(number, ()):
            changed.set()


async def _check(tx: Any, user_id: int, limit: int, kinds: Collection[Kind]) -> None:
    held = await computer_tasks.count_of_user(tx, user_id, kinds)
    if held >= limit:
        raise TooMany(
            say(
                "You already have {number} requests waiting. Wait for one of them first, then "
                "try again.",
                number=held,
            )
        )

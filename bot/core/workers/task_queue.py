"""Queues tasks in the store (`data.computer_tasks`), waits for them, and does them.

Any number of processes do them on one PostgreSQL database. A task is held under a short lease,
which its holder keeps renewing. If the process is killed, another one takes the task over; if it
was only suspended for a while, it learns that it has lost the task, and can neither finish it nor
keep it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from typing import Any, Final, TypeAlias

import structlog

from bot.core.background import MAX_PAUSE, MIN_PAUSE, cancel, until
from bot.core.scheduling.scheduler import WallClock
from bot.core.workers import Report
from bot.core.workers.fair_queue import Requester, too_many_waiting
from bot.core.workers.pool import WorkerFailure
from data import computer_tasks
from data.computer_tasks import Kind, LeaseLost, Task
from data.sql.errors import StoreError
from data.store.store import Store, Transaction

Handler: TypeAlias = Callable[[Task, Report], Awaitable[None]]

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

LEASE: Final = 10.0
"""Seconds of a lease: the delay before a task starts again when its process is killed."""
_RENEWALS: Final = 4
"""Renewals per lease."""
_POLL: Final = 2.0
"""Seconds between checks of the queue, as a notification from another process can be lost."""
_KEPT: Final = timedelta(hours=1)
"""How long results are kept for those who asked."""
_PAUSE: Final = 0.25
"""Seconds before a failed task is retried; doubled after each failure."""
_NEAR: Final = 0.05
"""Seconds before the next attempt to take a task that another process has just locked."""


@dataclass(eq=False)
class Lane:
    """Tasks of some kinds, a few at a time."""

    places: int
    """Maximum tasks at work in this process."""
    handlers: Mapping[Kind, Handler]
    """Does a task, and finishes it in the transaction of its result."""
    urgent: bool = False
    """Whether it only takes tasks with a user waiting, until `TaskRunner.take_all`."""
    woken: asyncio.Event = field(default_factory=asyncio.Event)


class TaskRunner:
    """Does the tasks of some kinds in this process."""

    def __init__(
        self, store: Store, lanes: Sequence[Lane], *, clock: WallClock, lease: float = LEASE
    ) -> None:
        """Work on the queue of a store, in lanes side by side, with leases of some seconds."""
        self._store = store
        self._lanes = tuple(lanes)
        self._clock = clock
        self._lease = lease
        self._dispatchers: list[asyncio.Task[None]] = []
        self._jobs: set[asyncio.Task[None]] = set()
        self._quiet: set[int] = set()
        """The lanes that found nothing to take."""
        self._changed = asyncio.Event()
        self._closed = False
        for lane in self._lanes:
            for kind in lane.handlers:
                store.listen(kind.topic, partial(self._wake, lane))
            store.listen_missed(partial(self._wake, lane))

    async def start(self) -> None:
        """Start, with what an earlier run left behind."""
        if self._dispatchers or self._closed:
            return
        async with self._store.write() as tx:
            await computer_tasks.drop_answers(tx, self._clock() - _KEPT)
            if tx.dialect == "sqlite":  # no other process can be at work
                await computer_tasks.release_all(tx)
        for number, lane in enumerate(self._lanes):
            work = self._dispatch(number, lane)
            self._dispatchers.append(asyncio.create_task(work, name=f"tasks-{number}"))

    def take_all(self) -> None:
        """Also take tasks that no user waits for."""
        for lane in self._lanes:
            if lane.urgent:
                lane.urgent = False
                self._wake(lane)

    @property
    def busy(self) -> bool:
        """Whether a task is in progress, or could be taken at once."""
        return bool(self._jobs) or len(self._quiet) < len(self._dispatchers)

    async def idle(self) -> None:
        """Wait until nothing is in progress here and nothing can be taken."""
        while self.busy:
            self._changed.clear()
            await self._changed.wait()

    async def close(self) -> None:
        """Stop; tasks in progress go back to the queue."""
        self._closed = True
        for tasks in (self._dispatchers, self._jobs):
            await cancel(*tasks)
        self._dispatchers.clear()
        self._changed.set()

    def _wake(self, lane: Lane, _: int = 0) -> None:
        self._quiet.discard(self._lanes.index(lane))
        lane.woken.set()

    async def _dispatch(self, number: int, lane: Lane) -> None:
        """Take one task after another, whenever there is room for it."""
        places = asyncio.Semaphore(lane.places)
        while True:
            await places.acquire()
            task = await self._next(number, lane)
            job = asyncio.create_task(self._work(lane, task), name=f"{task.kind.value} {task.name}")
            self._jobs.add(job)
            job.add_done_callback(lambda job: self._ended(job, places))

    def _ended(self, job: asyncio.Task[None], places: asyncio.Semaphore) -> None:
        self._jobs.discard(job)
        places.release()
        self._changed.set()

    async def _next(self, number: int, lane: Lane) -> Task:
        """Wait for a task and take it."""
        kinds = lane.handlers.keys()

        async def look(tx: Transaction) -> tuple[bool, float | None]:
            pause = await computer_tasks.due_in(tx, kinds, urgent=lane.urgent)
            return tx.dialect != "sqlite", pause

        async def claim(tx: Transaction) -> Task | None:
            return await computer_tasks.claim(tx, kinds, self._lease, urgent=lane.urgent)

        while True:
            lane.woken.clear()
            pause: float | None
            try:
                shared, pause = await self._store.run_read(look)
                if pause is not None and pause <= 0:
                    task = await self._store.run_write(claim)
                    if task is not None:
                        return task
                    pause = _NEAR
            except StoreError as error:
                log.warning("tasks are waiting for the store", reason=str(error))
                shared, pause = True, _POLL
                await asyncio.sleep(MIN_PAUSE)
            if shared or pause is not None:
                pause = min(_POLL if shared else MAX_PAUSE, pause or MAX_PAUSE)
            if not lane.woken.is_set():
                self._quiet.add(number)
                self._changed.set()
            await until(lane.woken)(pause)
            self._quiet.discard(number)

    async def _work(self, lane: Lane, task: Task) -> None:
        """Do a task, and give it back if it fails."""
        shares: list[float] = []
        doing = asyncio.ensure_future(lane.handlers[task.kind](task, shares.append))
        holding = asyncio.create_task(self._hold(task, shares))
        try:
            await asyncio.wait({doing, holding}, return_when=asyncio.FIRST_COMPLETED)
            if doing.done():
                doing.result()
            else:
                _log_lost(task)
        except LeaseLost:
            _log_lost(task)
        except (StoreError, WorkerFailure) as error:
            log.warning(
                "a task has to wait", task=task.kind.value, name=task.name, reason=str(error)
            )
            await self._release(task, failed=True)
        except Exception:
            log.exception("a task failed", task=task.kind.value, name=task.name)
            await self._release(task, failed=True)
        except asyncio.CancelledError:
            await cancel(doing)
            await asyncio.shield(self._release(task))
            raise
        finally:
            await cancel(doing, holding)

    async def _hold(self, task: Task, shares: list[float]) -> None:
        """Keep renewing the lease of a task; return once it is lost."""
        while True:
            await asyncio.sleep(self._lease / _RENEWALS)
            share = shares[-1] if shares else None
            try:
                async with self._store.write() as tx:
                    if not await computer_tasks.renew_lease(tx, task, self._lease, share):
                        return
            except StoreError as error:
                log.warning("a task may be lost", task=task.kind.value, reason=str(error))

    async def _release(self, task: Task, *, failed: bool = False) -> None:
        """Give a task back; if even that fails, it is free when its lease expires."""
        pause = min(_PAUSE * 2.0 ** min(task.attempts, 10), MAX_PAUSE) if failed else 0.0
        with suppress(StoreError):
            async with self._store.write() as tx:
                await computer_tasks.release(tx, task, pause, failed=failed)


def _log_lost(task: Task) -> None:
    log.info("a task was lost", task=task.kind.value, name=task.name)


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
        raise too_many_waiting(held)

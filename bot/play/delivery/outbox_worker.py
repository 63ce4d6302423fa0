"""Delivers committed changes to Discord: works through the outbox, with one task per match.

A job in the outbox says that Discord needs to show something about a match. Any commit that queues
one wakes the worker. The job is done when the messages about the match are up to date
(`bot.play.delivery.writer`), and survives whatever happens in between:

* the program dies: jobs pending at the next start (`UnannouncedJobs`) may have been
  delivered already, so posts are searched for before they are repeated;
* Discord is down, slow or drops a connection: retried with growing pauses
  (`bot.play.delivery.deliverer`);
* the bot may not post: the job records why, and waits until something changes there
  (`bot.play.delivery.permission_posts`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import structlog
from structlog.contextvars import bind_contextvars

from bot.core.background import UNHURRIED, cancel
from bot.core.posts.failing_routes import GIVES_UP, Extras, FailingRoutes
from bot.core.posts.poster import Poster
from bot.core.scheduling.scheduler import WallClock
from bot.core.shards.ownership import Shards
from bot.play.delivery.deliverer import Deliverer, Delivery
from bot.play.delivery.match_requests import LateRequests, Requests
from bot.play.delivery.permission_posts import BlockedMatches
from bot.play.delivery.transport import OpenInteractions
from data.matches import boards, outbox
from data.matches.boards import PostedMessage
from data.sql.errors import StoreError
from data.sql.statements import Scope
from data.store.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
MAX_BACKLOG: Final = 128
"""Maximum matches of the backlog in progress; of the rest only the numbers are kept."""
TOGETHER: Final = 1.0
"""Seconds during which events about the same server count as one change."""
KEPT: Final = timedelta(days=3)
"""How long finished jobs are kept, for troubleshooting, and superseded boards, as a process that was
suspended may have overwritten them. After a month jobs took more room than all logs."""
BATCH: Final = 500
"""Maximum jobs deleted per transaction, so that players never wait for more."""
_EVERY: Final = timedelta(hours=1)
_NEW: Final = timedelta(minutes=2)
"""How far before the last check to look for new jobs: clocks differ, and a transaction may commit
some time after it has queued a job."""
_PAGE: Final = 500
"""Maximum matches read at once from an earlier run's backlog."""


@dataclass(eq=False, repr=False)
class OutboxWorker:
    """Keeps the messages about all matches up to date."""

    store: Store
    deliverer: Deliverer
    blocked: BlockedMatches
    interactions: OpenInteractions
    late: LateRequests
    """Notes requests that end when this process may have lost their shard."""
    failing: FailingRoutes
    poster: Poster
    """Tries the other posts of a server again."""
    clock: WallClock
    _under_way: dict[int, Delivery] = field(default_factory=dict, init=False)
    _backlog: dict[int, None] = field(default_factory=dict, init=False)
    """Matches waiting for their turn, in order."""
    _from_backlog: int = field(default=0, init=False)
    """Matches of the backlog in progress."""
    _tasks: set[asyncio.Task[None]] = field(default_factory=set, init=False)
    _closing: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _closed: bool = field(default=False, init=False)
    _asked: set[int] = field(default_factory=set, init=False)
    """Servers where what waits is about to be tried again."""

    def __post_init__(self) -> None:
        """Listen to the outbox."""
        self.blocked.look_again = self._look_again
        self.store.listen(outbox.TOPIC, self.wake)

    def wake(self, match_id: int) -> None:
        """Bring the messages about a match up to date, soon and in the background.

        A press that takes the match in hand at once leaves nothing to do. Work that no player
        waits for queues behind the rest.
        """
        if not match_id or self._closing.is_set():
            return
        self.deliverer.alone(match_id).news += 1
        if UNHURRIED.get() and not self.interactions.expecting(match_id):
            self.wake_in_turn(match_id)
            return
        self._backlog.pop(match_id, None)
        delivery = self._delivery(match_id)
        delivery.woken.set()
        if not delivery.in_hand:
            asyncio.get_running_loop().call_soon(self._go_on, delivery)

    def wake_in_turn(self, match_id: int) -> None:
        """Bring the messages about a match up to date once the backlog reaches it."""
        self.deliverer.alone(match_id).news += 1
        delivery = self._under_way.get(match_id)
        if delivery is not None and delivery.in_hand:
            delivery.woken.set()
        else:
            self._backlog[match_id] = None
            self._begin_backlog()

    @contextmanager
    def in_hand(self, match_id: int) -> Iterator[Delivery]:
        """Leave a match to this task until the end of the block; the rest is done afterwards."""
        self._backlog.pop(match_id, None)
        delivery, task = self._delivery(match_id), asyncio.current_task()
        delivery.presses.append(task)
        try:
            yield delivery
        except BaseException:
            delivery.woken.set()
            raise
        finally:
            delivery.presses.remove(task)
            self._go_on(delivery)

    def saw(self, board: PostedMessage) -> None:
        """Note that a board exists, and check it in the background."""
        self._delivery(board.match_id).requests.seen[board.message_id] = board
        self.wake(board.match_id)

    def retry(self, guild_id: int) -> None:
        """Deliver what waits in a server for a permission that it may have now, soon.

        Calls in quick succession count as one: one change in a server sends many events.
        """
        if guild_id not in self._asked and not self._closing.is_set():
            self._asked.add(guild_id)
            self.run(partial(self._retry, guild_id), f"outbox-server-{guild_id}")

    def run(self, work: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        """Do something in the background that `idle` and `close` wait for; nothing once closing."""
        if not self._closing.is_set():
            task = asyncio.create_task(work(), name=name)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def release(self, shard: int, grace: float) -> None:
        """Finish the work in progress of a shard that another process takes over.

        What has not ended after ``grace`` seconds is cancelled, and stays in the outbox.
        """
        found = {number: one for number, one in self._under_way.items() if one.shard == shard}
        tasks = _tasks(found.values())
        if tasks:
            _, left = await asyncio.wait(tasks, timeout=grace)
            await cancel(*left)
        for number, delivery in found.items():
            await delivery.requests.close()
            self._under_way.pop(number, None)

    @property
    def busy(self) -> bool:
        """Whether anything is in progress."""
        return bool(self._tasks or self._backlog) or any(
            delivery.in_hand or delivery.woken.is_set() or delivery.requests.under_way
            for delivery in self._under_way.values()
        )

    async def idle(self) -> None:
        """Wait until nothing is in progress."""
        while self.busy:
            tasks = _tasks(self._under_way.values())
            hanging = [delivery.requests.ended() for delivery in self._under_way.values()]
            await asyncio.gather(*tasks, *hanging, *self._tasks, return_exceptions=True)
            await asyncio.sleep(0)

    async def close(self, grace: float = 5.0) -> None:
        """Finish the work in progress; what does not finish in time stays in the outbox."""
        self._closing.set()
        self.deliverer.stopping = True
        self._backlog.clear()
        for delivery in self._under_way.values():
            if delivery.task is not None:
                delivery.woken.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.idle(), grace)
        self._closed = True
        await cancel(*self._tasks, *_tasks(self._under_way.values()))
        for delivery in list(self._under_way.values()):
            await delivery.requests.close()

    def _begin_backlog(self) -> None:
        while self._backlog and self._from_backlog < MAX_BACKLOG and not self._closing.is_set():
            match_id = next(iter(self._backlog))
            del self._backlog[match_id]
            delivery = self._delivery(match_id)
            delivery.woken.set()
            if not delivery.in_hand:
                delivery.backlog = True
                self._from_backlog += 1
                self._start(delivery)

    def _go_on(self, delivery: Delivery) -> None:
        """Do what is left to do about a match, unless someone has it in hand."""
        if delivery.in_hand:
            return
        if delivery.woken.is_set() and not self._closed:
            self._start(delivery)
        elif delivery.requests.settled and delivery.requests.extras.empty:
            self._under_way.pop(delivery.match_id, None)

    def _start(self, delivery: Delivery) -> None:
        context = copy_context()
        context.run(UNHURRIED.set, False)  # noqa: FBT003 -- a value
        context.run(bind_contextvars, match=delivery.match_id)
        work, name = self._work(delivery), f"outbox-{delivery.match_id}"
        delivery.task = asyncio.create_task(work, name=name, context=context)

    def _delivery(self, match_id: int) -> Delivery:
        delivery = self._under_way.get(match_id)
        if delivery is None:
            extras = Extras(self.clock, partial(self.wake_in_turn, match_id), self.failing)
            delivery = self._under_way[match_id] = Delivery(
                match_id,
                Requests(partial(self.wake, match_id), extras, partial(self.late.ended, match_id)),
            )
            delivery.requests.inherited = self.deliverer.inherited
        return delivery

    async def _work(self, delivery: Delivery) -> None:
        """Bring a match up to date until the worker is no longer woken for it."""
        try:
            while delivery.woken.is_set():  # also while closing: what was committed is shown
                delivery.woken.clear()
                await self.deliverer.deliver(delivery)
        except asyncio.CancelledError:
            delivery.woken.clear()
            raise
        except Exception:
            log.exception("not delivered, giving up until the next start", match=delivery.match_id)
            delivery.woken.clear()
        finally:
            delivery.task = None
            if delivery.backlog:
                delivery.backlog = False
                self._from_backlog -= 1
                self._begin_backlog()
            self._go_on(delivery)

    def _look_again(self, match_id: int) -> None:
        """Try a parked match again, in case its channel is well again."""
        self.run(partial(self._unblock, match_id), f"outbox-again-{match_id}")

    async def _unblock(self, match_id: int) -> None:
        try:
            await self.blocked.unblock_match(match_id)
        except StoreError as error:
            log.warning("could not unblock a match", match=match_id, reason=str(error))
        else:
            self.wake_in_turn(match_id)

    async def _retry(self, guild_id: int) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), TOGETHER)
        self._asked.discard(guild_id)
        if self._closing.is_set():
            return
        try:
            for match_id in await self.blocked.unblock(guild_id):
                self.wake_in_turn(match_id)
            await self.poster.retry(guild_id)
        except StoreError as error:
            log.warning("could not look up waiting jobs", server=guild_id, reason=str(error))


def _tasks(deliveries: Iterable[Delivery]) -> list[asyncio.Task[Any]]:
    """Return the tasks of the worker and of presses that deliver."""
    found = (task for one in deliveries for task in (one.task, *one.presses))
    return [task for task in found if task is not None]


@dataclass(eq=False, repr=False)
class Pruning:
    """A source of the scheduler: outbox jobs finished long ago, and boards superseded by then."""

    store: Store
    shards: Shards

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the oldest job expires."""
        if not self.shards.owns(None):
            return None
        oldest = await outbox.oldest_done(tx)
        return None if oldest is None else oldest + KEPT

    async def due(self, now: datetime, /) -> timedelta:
        """Delete jobs finished long ago, with what is known of old boards of their matches."""
        deleted, before = BATCH, now - KEPT
        while deleted == BATCH:
            async with self.store.write() as tx:
                done = await outbox.prune(tx, before, limit=BATCH)
                await boards.forget_superseded(tx, {one for one in done if one is not None}, before)
            deleted = len(done)
        return _EVERY


@dataclass(eq=False, repr=False)
class UnannouncedJobs:
    """Wakes the outbox worker for jobs that no announcement wakes it for.

    They were left behind by an earlier run, were put off and have become due, or come from another
    process whose announcement was lost. A source of the scheduler.
    """

    store: Store
    worker: OutboxWorker
    clock: WallClock
    _woken: datetime = field(init=False)
    """The worker was woken for what was due by then."""
    _looked: datetime | None = field(default=None, init=False)
    """Time of the last check for new jobs."""

    def __post_init__(self) -> None:
        """Listen to what may have been missed."""
        self._woken = self.clock()
        self.store.listen_missed(self._check_missed)

    async def recover(self, scope: Scope | None = None) -> None:
        """Deliver and tidy up everything that an earlier run left behind in a scope."""
        now = self.clock()
        async with self.store.write() as tx:
            with tx.limited_to(scope):
                await outbox.unblock_matches(tx, None, now)
        number = last = 0
        while True:
            async with self.store.read() as tx:
                with tx.limited_to(scope):
                    found = await outbox.waiting_matches(tx, now, after=last, limit=_PAGE)
            if not found:
                break
            for match_id in found:
                self.worker.wake_in_turn(match_id)
            number, last = number + len(found), found[-1]
        async with self.store.read() as tx:
            with tx.limited_to(scope):
                untidy = await boards.left_over(tx, now - GIVES_UP)
        for match_id in untidy:
            self.worker.wake_in_turn(match_id)
        if number:
            log.info("delivering jobs left over from the last run", matches=number)

    def catch_up(self) -> None:
        """Catch up if the clock has been set back; called before `next`."""
        self._woken = min(self._woken, self.clock())

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next scheduled job becomes due."""
        return await outbox.next_due(tx, self._woken)

    async def due(self, now: datetime, /) -> None:
        """Deliver the jobs that have become due since the last call."""
        async with self.store.read() as tx:
            found = await outbox.due_between(tx, self._woken, now)
        self._woken = max(self._woken, now)
        for match_id in found:
            self.worker.wake(match_id)

    def _check_missed(self) -> None:
        """Look for new jobs of other processes, in case an announcement was lost."""
        self.worker.run(self._find_new, "outbox-new")

    async def _find_new(self) -> None:
        now = self.clock()
        since = (self._looked or now) - _NEW
        try:
            async with self.store.read() as tx:
                found = await outbox.added_since(tx, since, now)
        except StoreError as error:
            log.warning("could not look for new jobs", reason=str(error))
            return
        self._looked = now
        for match_id in found:
            self.worker.wake_in_turn(match_id)

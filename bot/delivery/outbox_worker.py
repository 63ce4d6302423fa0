"""Delivers committed changes to Discord: works through the outbox, one match at a time.

A job in the outbox says that Discord needs to show something about a match. Any commit that queues
one wakes the worker. The job is done when the messages about the match are up to date
(`bot.delivery.writer`), and survives whatever happens in between:

* the program dies: jobs pending at the next start may have been delivered already, so posts are
  searched for before they are repeated;
* Discord is down, slow or drops a connection: retried with growing pauses;
* the bot may not post: the job records why, and waits until something changes there.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import copy_context
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

import aiohttp
import discord
import structlog
from structlog.contextvars import bind_contextvars

from bot.delivery.interaction_transport import USER_INSTALL, by_user_install
from bot.delivery.open_interactions import OpenInteractions
from bot.delivery.request_budget import URGENCY, Urgency
from bot.delivery.requests import NoReply, Requests, refused
from bot.delivery.slots import BACKLOG, FRESH, UNHURRIED, Slots
from bot.errors import Refusal
from bot.interactions.reply import OPEN_REPLY
from bot.retries import repeated, until
from data import outbox
from data.computer_tasks import Kind
from data.errors import StoreError
from data.scope import shard_of

if TYPE_CHECKING:
    from datetime import datetime

    from bot.delivery.interaction_transport import InteractionTransport
    from bot.delivery.pings import Pings
    from bot.delivery.places import Places
    from bot.delivery.writer import Writer
    from bot.interactions.reply import Reply
    from bot.matches.service import Matches
    from bot.permissions.alerts import PermissionAlerts
    from bot.scheduling.wall_clock import WallClock
    from bot.shards.ownership import Shards
    from data.scope import Scope
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

AT_ONCE: Final = 32
"""Maximum matches delivered at once; answers to presses may exceed it, and delay others."""
MAX_BACKLOG: Final = 128
"""Maximum matches of the backlog in progress; of the rest only the numbers are kept."""
_NEW: Final = timedelta(minutes=2)
"""How far before the last check to look for new jobs: clocks differ, and a transaction may commit
some time after it has queued a job."""
TOGETHER: Final = 1.0
"""Seconds during which events about the same server count as one change."""
_PAGE: Final = 500
"""Maximum matches read at once from an earlier run's backlog."""


class _Match:
    """The work in progress for one match."""

    def __init__(self, requests: Requests) -> None:
        self.requests = requests
        self.offers: list[InteractionTransport] = []
        self.woken = asyncio.Event()
        self.backlog = False
        self.restarted = True
        self.asked: InteractionTransport | None = None
        self.task: asyncio.Task[None] | None = None
        self.shard: int | None = None
        """The shard whose owner writes its messages, once looked up."""


class OutboxWorker:
    """Keeps the messages about all matches up to date."""

    def __init__(
        self,
        store: Store,
        matches: Matches,
        writer: Writer,
        places: Places,
        alerts: PermissionAlerts,
        *,
        pings: Pings,
        shards: Shards,
        clock: WallClock,
    ) -> None:
        """Listen to the outbox of a store.

        Args:
            store: holds the outbox.
            matches: finds the match of a job.
            writer: writes the messages about a match.
            places: knows where boards can be shown.
            alerts: asks for help where they cannot.
            pings: knows which players want to be notified.
            shards: knows which messages this process writes.
            clock: the time of day.

        """
        self._store = store
        self._matches = matches
        self._writer = writer
        self._places = places
        self._alerts = alerts
        self._shards = shards
        self._interactions = OpenInteractions(pings, clock)
        self._clock = clock
        self._under_way: dict[int, _Match] = {}
        # A lock lives as long as a task holds it or waits for it.
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._woken = clock()
        self._looked: datetime | None = None
        """Time of the last check for unannounced jobs."""
        self._slots = Slots(AT_ONCE)
        self._backlog: dict[int, None] = {}
        """Matches waiting for their turn, in order."""
        self._from_backlog = 0
        """Matches of the backlog in progress."""
        self._inherited = 0
        """The last job that an earlier run may have started."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()
        self._asked: set[int] = set()
        store.listen(outbox.TOPIC, self.wake)
        store.listen_missed(self._check_missed)
        store.listen(Kind.MOVE.topic, self._expect)

    def wake(self, match_id: int) -> None:
        """Bring the messages about a match up to date, soon and in the background.

        If an interaction is being answered, it is used to reach Discord, also for the computer's
        move that follows. Work that no player waits for queues behind the rest.
        """
        if not match_id or self._closing.is_set():
            return
        reply = OPEN_REPLY.get() or self._interactions.expecting(match_id)
        if reply is None and UNHURRIED.get():
            self._wake_in_turn(match_id)
            return
        self._backlog.pop(match_id, None)
        match = self._match(match_id)
        if reply is not None:
            self._offer(match_id, match, reply)
        match.woken.set()
        if match.task is None:
            self._start(match_id, match)

    def _expect(self, match_id: int) -> None:
        reply = OPEN_REPLY.get()
        if reply is not None:
            self._interactions.expect(match_id, reply)

    def offer(self, match_id: int, reply: Reply) -> InteractionTransport:
        """Use the answer to a press to edit the pressed board; return its transport."""
        offer = self._offer(match_id, self._match(match_id), reply)
        self.wake(match_id)
        if self._closing.is_set():
            offer.done()
        return offer

    def keep(self, match_id: int, reply: Reply) -> None:
        """Keep a press, to edit the pressed board as soon as the match moves on.

        It was answered privately. Where the bot is present only by user install, nothing else
        could edit that board.
        """
        self._interactions.keep(match_id, reply)

    def remember(self, match_id: int, reply: Reply, message_id: int) -> None:
        """Remember an interaction that can edit its own public message for a while.

        Args:
            match_id: the match it is about.
            reply: answers it.
            message_id: the message it has sent.

        """
        self._interactions.transport(match_id, reply).posted.add(message_id)

    def restore(self, match_id: int, reply: Reply) -> None:
        """Post the board of a match again, soon and in the background, if its message is gone."""
        match = self._match(match_id)
        match.asked = self._offer(match_id, match, reply)
        self.wake(match_id)

    def retry(self, guild_id: int) -> None:
        """Deliver what waits in a server for a permission that it may have now, soon.

        Calls in quick succession count as one: one change in a server sends many events.
        """
        if guild_id not in self._asked and not self._closing.is_set():
            self._asked.add(guild_id)
            task = asyncio.create_task(self._retry(guild_id), name=f"outbox-server-{guild_id}")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def begin(self) -> None:
        """Note which jobs an earlier run has left behind; call this before any are queued."""
        async with self._store.read() as tx:
            self._inherited = await outbox.newest(tx)

    async def recover(self, scope: Scope | None = None) -> None:
        """Deliver everything that an earlier run left behind in a scope, page by page."""
        now = self._woken = self._clock()
        number = last = 0
        while True:
            async with self._store.read() as tx:
                found = await outbox.waiting_matches(tx, now, after=last, most=_PAGE, scope=scope)
            if not found:
                break
            for match_id in found:
                self._wake_in_turn(match_id)
            number, last = number + len(found), found[-1]
        if number:
            log.info("delivering jobs left over from the last run", matches=number)

    def _check_missed(self) -> None:
        """Look for new jobs of other processes, in case an announcement was lost."""
        if not self._closing.is_set():
            task = asyncio.create_task(self._find_new(), name="outbox-new")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _find_new(self) -> None:
        now = self._clock()
        since = (self._looked or now) - _NEW
        try:
            async with self._store.read() as tx:
                found = await outbox.added_since(tx, since, now, scope=self._shards.scope)
        except StoreError as error:
            log.warning("could not look for new jobs", why=str(error))
            return
        self._looked = now
        for match_id in found:
            self._wake_in_turn(match_id)

    def catch_up(self) -> None:
        """Catch up if the clock has been set back; called before `next`."""
        self._woken = min(self._woken, self._clock())

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next scheduled job becomes due."""
        return await outbox.next_due(tx, self._woken, scope=self._shards.scope)

    async def due(self, now: datetime, /) -> None:
        """Deliver the jobs that have become due since the last call."""
        async with self._store.read() as tx:
            found = await outbox.due_between(tx, self._woken, now, scope=self._shards.scope)
        self._woken = max(self._woken, now)
        for match_id in found:
            self.wake(match_id)

    async def release(self, shard: int, grace: float) -> None:
        """Finish the work in progress of a shard that another process takes over; cancel the rest.

        Args:
            shard: its number.
            grace: seconds before the rest is cancelled; it stays in the outbox.

        """
        found = {number: m for number, m in self._under_way.items() if m.shard == shard}
        tasks = [match.task for match in found.values() if match.task is not None]
        if tasks:
            _, left = await asyncio.wait(tasks, timeout=grace)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)
        for number, match in found.items():
            await match.requests.close()
            self._under_way.pop(number, None)

    def alone(self, match_id: int) -> asyncio.Lock:
        """Return the lock that keeps others from writing about a match."""
        return self._locks.setdefault(match_id, asyncio.Lock())

    @property
    def busy(self) -> bool:
        """Whether anything is in progress."""
        return bool(self._tasks or self._backlog) or any(
            match.task is not None or match.requests.under_way for match in self._under_way.values()
        )

    async def idle(self) -> None:
        """Wait until nothing is in progress."""
        while self.busy:
            tasks = [match.task for match in self._under_way.values() if match.task is not None]
            hanging = [match.requests.ended() for match in self._under_way.values()]
            await asyncio.gather(*tasks, *hanging, *self._tasks, return_exceptions=True)
            await asyncio.sleep(0)

    async def close(self, grace: float = 5.0) -> None:
        """Finish the work in progress; what does not finish in time stays in the outbox."""
        self._closing.set()
        self._backlog.clear()
        for match in self._under_way.values():
            match.woken.set()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.idle(), grace)
        left = [*self._tasks, *(m.task for m in self._under_way.values() if m.task is not None)]
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        for match in list(self._under_way.values()):
            await match.requests.close()

    def _wake_in_turn(self, match_id: int) -> None:
        """Bring the messages about a match up to date once the backlog reaches it."""
        match = self._under_way.get(match_id)
        if match is not None and match.task is not None:
            match.woken.set()
        else:
            self._backlog[match_id] = None
            self._begin_backlog()

    def _begin_backlog(self) -> None:
        while self._backlog and self._from_backlog < MAX_BACKLOG and not self._closing.is_set():
            match_id = next(iter(self._backlog))
            del self._backlog[match_id]
            match = self._match(match_id)
            match.woken.set()
            if match.task is None:
                match.backlog = True
                self._from_backlog += 1
                self._start(match_id, match)

    def _start(self, match_id: int, match: _Match) -> None:
        # Work that this starts later is not part of answering the interaction.
        context = copy_context()
        context.run(OPEN_REPLY.set, None)
        context.run(UNHURRIED.set, False)  # noqa: FBT003 -- a value
        context.run(bind_contextvars, match=match_id)
        work = self._work(match_id, match)
        match.task = asyncio.create_task(work, name=f"outbox-{match_id}", context=context)

    def _match(self, match_id: int) -> _Match:
        match = self._under_way.get(match_id)
        if match is None:
            match = self._under_way[match_id] = _Match(Requests(partial(self.wake, match_id)))
        return match

    def _offer(self, match_id: int, match: _Match, reply: Reply) -> InteractionTransport:
        for offer in match.offers:
            if offer.reply is reply:
                return offer
        offer = self._interactions.transport(match_id, reply)
        match.offers.append(offer)
        self._slots.hurry(match_id)
        return offer

    async def _work(self, match_id: int, match: _Match) -> None:
        """Bring a match up to date until the worker is no longer woken for it."""
        try:
            while match.woken.is_set():  # also while closing: what was committed is shown
                match.woken.clear()
                await self._bring(match_id, match)
        except asyncio.CancelledError:
            raise
        except Exception:
            log.exception("not delivered, giving up until the next start", match=match_id)
        finally:
            for offer in match.offers:
                offer.done()
            match.offers.clear()
            match.task = None
            if match.requests.settled:
                self._under_way.pop(match_id, None)
            if match.backlog:
                match.backlog = False
                self._from_backlog -= 1
                self._begin_backlog()

    async def _is_ours(self, match_id: int, match: _Match) -> bool:
        """Return whether this process writes the messages about a match.

        Where the bot is present only by user install, that is the process with the interaction.

        Raises:
            StoreError: unknown for now.

        """
        if self._shards.scope is None:
            return True
        view = self._matches.positions.cached(match_id)
        # Safe to reuse: a match never changes servers, nor does a server's match leave them.
        if view is None or view.match.place == USER_INSTALL:
            try:
                view = await self._matches.view(match_id)
            except Refusal as error:
                log.warning(
                    "could not look up whose messages these are", match=match_id, why=repr(error)
                )
                return True
        match.shard = shard_of(view.match.guild_id, self._shards.count)
        if view.match.place == USER_INSTALL:
            return bool(match.offers) or self._shards.owns(view.match.guild_id)
        return self._shards.owns(view.match.guild_id)

    async def _bring(self, match_id: int, match: _Match) -> None:
        offers: list[InteractionTransport] = []

        def failed(error: BaseException) -> bool:
            for offer in offers:
                offer.done()  # no player waits for retries
            if refused(error) or not isinstance(error, (*_TEMPORARY, NoReply)):
                return False
            log.warning("not delivered, trying again", match=match_id, why=repr(error))
            return not self._closing.is_set()

        async def work() -> None:
            nonlocal offers
            # Checked each time: the shard may have been handed over meanwhile.
            if not await self._is_ours(match_id, match):
                return
            if match.offers:
                self._slots.take_now()
            else:
                await self._slots.take(match_id, BACKLOG if match.backlog else FRESH)
            match.woken.clear()
            # Where the bot is present only by user install, a computer's move is a follow-up.
            offers = list(match.offers) or [
                offer
                for offer in self._interactions.follow_up(match_id)
                if by_user_install(offer.reply.interaction)
            ]
            waited_for = bool(offers) or not match.backlog
            URGENCY.set(Urgency.BOARD if waited_for else Urgency.REMINDER)
            try:
                await self._attempt(match_id, match, offers)
            finally:
                self._slots.release()

        try:
            await repeated(work, failed, sleep=until(match.woken))
        except (*_TEMPORARY, NoReply) as error:
            if isinstance(error, discord.HTTPException) and refused(error):
                await self._block(match_id, error, offers)
            else:
                log.warning("not delivered before shutdown", match=match_id, why=repr(error))
        finally:
            for offer in offers:
                offer.done()
            match.offers = [offer for offer in match.offers if offer not in offers]

    async def _attempt(
        self, match_id: int, match: _Match, offers: list[InteractionTransport]
    ) -> None:
        async with self.alone(match_id):
            if match.asked is not None:
                await self._writer.restore(
                    match_id, match.asked, self._interactions.reaching(match_id)
                )
                match.asked = None
            inherited = self._inherited if match.restarted else 0
            await self._writer.bring(
                match_id,
                match.requests,
                offers,
                kept=self._interactions.kept(match_id),
                earlier=self._interactions.reaching(match_id),
                inherited=inherited,
            )
        match.restarted = False

    async def _retry(self, guild_id: int) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), TOGETHER)
        self._asked.discard(guild_id)
        if self._closing.is_set():
            return
        try:
            async with self._store.write() as tx:
                waiting = await outbox.blocked_in(tx, guild_id)
                await outbox.unblock(tx, guild_id)
        except StoreError as error:
            log.warning("could not look up waiting jobs", server=guild_id, why=str(error))
            return
        for match_id, channel_id, parent_id in waiting:
            if self._places.open(channel_id, parent_id):
                self._wake_in_turn(match_id)

    async def _block(
        self, match_id: int, error: discord.HTTPException, offers: list[InteractionTransport]
    ) -> None:
        """Park the jobs of a match until something changes, and tell those who can change it."""
        log.warning("a board cannot be posted", match=match_id, code=error.code)
        try:
            view = await self._matches.view(match_id)
            # A player waiting for a computer's move is told too.
            waiting_replies = offers or (
                self._interactions.follow_up(match_id) if view.practice else []
            )
            if waiting_replies:
                await waiting_replies[-1].refused(view, error)
            await self._alerts.send(view, error)
            async with self._store.write() as tx:
                for job in await outbox.pending(tx, match_id):
                    if job.due(self._clock()):
                        await outbox.mark_failed(tx, job.id, f"{error.code}: {error.text}"[:200])
        except StoreError as second:
            log.warning("could not record why a board is waiting", match=match_id, why=str(second))


_TEMPORARY: Final = (discord.HTTPException, aiohttp.ClientError, OSError, StoreError)

"""Brings what is committed to Discord: drains the outbox, after each commit and at start.

A job says that the channel should show a match at a ply. It is done when a message there shows
it and no older message has controls. A job survives whatever happens in between:

* the program dies before the post: the job is pending at the next start;
* it dies after the post, or the answer is lost: the post carries a nonce, by which Discord
  drops a repetition for some minutes, and before any later repetition the channel's last
  messages are searched for the picture of that turn, or for the number of the job;
* Discord is down or slow: tried again, later and later, at most a minute apart;
* the bot may not post: the job says why and waits for the next nudge or start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

import aiohttp
import discord
import structlog

from bot.delivery.deliveries import Delivery
from data import outbox
from data.errors import StoreError

if TYPE_CHECKING:
    from datetime import datetime

    from bot.delivery.interaction_transport import InteractionTransport
    from bot.delivery.places import Places
    from bot.delivery.transport import ChannelTransport
    from bot.i18n.locales import Locales
    from bot.matches.positions import MatchView
    from bot.matches.service import Matches
    from bot.permissions.alerts import PermissionAlerts
    from bot.pictures.rendering import Renderer
    from bot.scheduling.wall_clock import Clock
    from bot.settings.service import Choices
    from data.outbox import Job
    from data.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

Told: TypeAlias = Callable[[int, discord.HTTPException], Awaitable[None]]
"""Tells somebody that Discord took no board in a channel: its id, and Discord's answer."""

_LONGEST_PAUSE = 60.0
_KEPT = timedelta(days=30)
"""How long jobs that are done are kept, to look into what happened."""


class OutboxWorker:
    """Posts boards, one match at a time and in order."""

    def __init__(
        self,
        poster: ChannelTransport,
        store: Store,
        matches: Matches,
        studio: Renderer,
        places: Places,
        *,
        choices: Choices,
        appeals: PermissionAlerts,
        tongues: Locales,
        clock: Clock,
        pause: float = 1.0,
    ) -> None:
        """Work on a store.

        Args:
            poster: the hand that posts.
            store: where the outbox is.
            matches: finds the match of a job.
            studio: paints its board.
            places: knows where each match is played.
            choices: knows how servers and players like it.
            appeals: asks for help where a board may not be shown.
            tongues: knows in which language.
            clock: the time of day.
            pause: seconds before the first repetition of a post that failed.

        """
        self._delivery = Delivery(
            poster,
            store,
            matches,
            studio,
            places,
            choices=choices,
            tongues=tongues,
            clock=clock,
        )
        self._places = places
        self._appeals = appeals
        self._store = store
        self._matches = matches
        self._clock = clock
        self._pause = pause
        # A lock lives as long as somebody holds it or waits for it.
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._ledger = self._delivery.ledger
        self._woken = clock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = asyncio.Event()
        self._asked: set[int] = set()

    def nudge(
        self,
        match_id: int,
        seen: MatchView | None = None,
        *,
        stripped: int | None = None,
        redrawn: int | None = None,
        restore: bool = False,
        visitor: InteractionTransport | None = None,
        told: Told | None = None,
    ) -> None:
        """Deliver what is pending for a match, soon and in the background.

        Args:
            match_id: the match.
            seen: the match as it was just committed, which spares looking it up.
            stripped: a message whose controls are gone already.
            redrawn: a message that shows the match as it was seen already.
            restore: whether to look if the last board is still there, and else to post another.
            visitor: posts where the bot is only because somebody uses it, if that is so.
            told: tells somebody that the channel does not take the board, and why.

        """
        if self._closing.is_set():
            return
        bring = partial(
            self._delivery.bring,
            match_id,
            seen,
            stripped=stripped,
            redrawn=redrawn,
            restore=restore,
            visitor=visitor,
        )
        self._do(self._deliver(match_id, bring, told), f"courier-{match_id}")

    def retry(self, guild_id: int) -> None:
        """Deliver what waits in a server for a permission, where there is one now; soon.

        Several calls in a row are one: what somebody changes in a server comes as many events.
        """
        if guild_id not in self._asked and not self._closing.is_set():
            self._asked.add(guild_id)
            self._do(self._retry(guild_id), f"courier-server-{guild_id}")

    async def recover(self) -> None:
        """Deliver everything that an earlier run left behind, and forget what is long done."""
        now = self._clock()
        async with self._store.write() as tx:
            await outbox.prune(tx, now - _KEPT)
            jobs = await outbox.pending(tx)
        self._woken = now
        due = [job for job in jobs if job.due(now)]
        self._delivery.doubt(due)
        for match_id in {job.match_id for job in due if job.match_id is not None}:
            self.nudge(match_id)
        if due:
            log.info("delivering what was left behind", jobs=len(due))

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next job becomes due that waits for its moment."""
        return await outbox.next_due(tx, self._woken)

    async def due(self, now: datetime, /) -> None:
        """Deliver what has become due since this was last asked."""
        async with self._store.read() as tx:
            found = await outbox.came_due(tx, self._woken, now)
        self._woken = max(self._woken, now)
        for match_id in found:
            self.nudge(match_id)

    def alone(self, match_id: int) -> asyncio.Lock:
        """Return what keeps the courier away from the boards of a match while it is held.

        Whoever changes a board by other means holds it, so that an earlier turn never covers a
        later one.
        """
        return self._locks.setdefault(match_id, asyncio.Lock())

    def settled(self, view: MatchView, message_id: int, job: Job) -> None:
        """Take notice that a message, pressed and redrawn, shows what a job should show."""
        self._delivery.settled(view, message_id, job)

    async def idle(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))
        with suppress(StoreError):  # tried again in the background
            await self._ledger.write()

    async def close(self, grace: float = 5.0) -> None:
        """Finish what is under way; what does not finish in time stays in the outbox."""
        self._closing.set()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=grace)
        for task in set(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._ledger.close()

    def _do(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _retry(self, guild_id: int) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), self._pause)
        self._asked.discard(guild_id)
        if self._closing.is_set():
            return
        try:
            async with self._store.read() as tx:
                waiting = await outbox.blocked_in(tx, guild_id)
        except StoreError as error:
            log.warning("could not look up what waits", server=guild_id, why=str(error))
            return
        for match_id, channel_id, parent_id in waiting:
            if self._places.open(channel_id, parent_id):
                self.nudge(match_id)

    async def _deliver(
        self, match_id: int, bring: Callable[[], Awaitable[None]], told: Told | None
    ) -> None:
        pause = self._pause
        while True:
            try:
                async with self.alone(match_id):
                    await bring()
            except (discord.HTTPException, aiohttp.ClientError, OSError, StoreError) as error:
                if isinstance(error, discord.HTTPException) and _final(error):
                    await self._block(match_id, error, told)
                    return
                log.warning("not delivered, trying again", match=match_id, why=str(error))
            except Exception:
                log.exception("not delivered, giving up until the next start", match=match_id)
                return
            else:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._closing.wait(), pause)
            if self._closing.is_set():
                return
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _block(self, match_id: int, error: discord.HTTPException, told: Told | None) -> None:
        log.warning("a board cannot be posted", match=match_id, code=error.code)
        try:
            if told is not None:
                await told((await self._matches.view(match_id)).match.channel_id, error)
        except (discord.HTTPException, aiohttp.ClientError, StoreError) as second:
            log.info("could not tell why a board waits", match=match_id, why=str(second))
        with suppress(StoreError):
            await self._appeals.ask(await self._matches.view(match_id), error)
        try:
            async with self._store.write() as tx:
                for job in await outbox.pending(tx, match_id):
                    if job.due(self._clock()):
                        await outbox.failed(tx, job.id, f"{error.code}: {error.text}"[:200])
        except StoreError as second:
            log.warning("could not note why a board waits", match=match_id, why=str(second))


def _final(error: discord.HTTPException) -> bool:
    """Tell whether trying again at once is in vain: somebody has to change something first."""
    return 400 <= error.status < 500 and error.status != 429

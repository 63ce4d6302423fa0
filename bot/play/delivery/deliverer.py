"""Brings the messages about one match up to date: writes, retries, or parks what may not be posted.

A press does so in its own task (`bot.play.delivery.boards`), and tries once. For everything else, and
for what a press leaves undone, `bot.play.delivery.outbox_worker` says which matches, and when.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any, Final
from weakref import WeakValueDictionary

import structlog

from bot.core.background import Slots, pause_until, retry, until
from bot.core.errors import Refusal
from bot.core.interactions.reply import USER_INSTALL
from bot.core.posts.failing_routes import FailingRoutes
from bot.core.requests.faults import MAX_PAUSE, POST
from bot.core.requests.sending import FAILED, URGENCY, Urgency, failure_of, refused, urgency
from bot.core.shards.ownership import Shards
from bot.play.delivery.match_requests import Requests
from bot.play.delivery.permission_posts import BlockedMatches
from bot.play.delivery.transport import InteractionTransport, OpenInteractions
from bot.play.delivery.writer import Writer
from bot.play.matches.service import Matches
from bot.play.matches.stored_messages import Alone, Snapshot
from data.matches import outbox
from data.sql.errors import StoreError
from data.sql.statements import shard_of
from data.store.store import Store

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

AT_ONCE: Final = 32
"""Maximum matches the worker delivers at once; presses come on top."""
_MAX_LATE: Final = 5
"""Maximum interactions kept per match while Discord fails."""
_PAUSE: Final = 1.0
"""Seconds before the worker tries again what a press could not deliver."""
_TEMPORARY: Final = (*FAILED, StoreError)


@dataclass(eq=False)
class Delivery:
    """The work in progress for one match."""

    match_id: int
    requests: Requests
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is something to deliver; ends the pause before a retry."""
    task: asyncio.Task[None] | None = None
    """The outbox worker's."""
    presses: list[asyncio.Task[Any] | None] = field(default_factory=list)
    """The tasks of presses that deliver it themselves."""
    late: list[InteractionTransport] = field(default_factory=list)
    """Interactions whose player still waits, as Discord has failed; newest last."""
    told: list[InteractionTransport] = field(default_factory=list)
    """Those whose player knows that the board comes later."""
    backlog: bool = False
    """Whether no player waits for it."""
    failures: int = 0
    """Attempts in a row that failed."""
    not_before: float = 0.0
    """When Discord takes such a request again, as it has said, by the event loop's clock."""
    shard: int | None = None
    """The shard whose owner writes its messages, once looked up."""

    @property
    def in_hand(self) -> bool:
        """Whether anyone is delivering it."""
        return self.task is not None or bool(self.presses)


@dataclass(eq=False, repr=False)
class Deliverer:
    """Brings the messages about single matches up to date."""

    store: Store
    matches: Matches
    writer: Writer
    blocked: BlockedMatches
    interactions: OpenInteractions
    failing: FailingRoutes
    shards: Shards
    inherited: int = field(default=0, init=False)
    """The last job that an earlier run may have started."""
    _slots: Slots = field(default_factory=lambda: Slots(AT_ONCE), init=False)
    stopping: bool = field(default=False, init=False)
    """Whether deliveries end when they fail; what they did not deliver stays in the outbox."""
    # A lock lives as long as a task holds it or waits for it.
    _locks: WeakValueDictionary[int, Alone] = field(default_factory=WeakValueDictionary, init=False)

    async def begin(self) -> None:
        """Note which jobs an earlier run has left behind; call this before any are queued."""
        async with self.store.read() as tx:
            self.inherited = await outbox.newest(tx)

    def alone(self, match_id: int) -> Alone:
        """Return the lock that keeps others from writing about a match."""
        return self._locks.setdefault(match_id, Alone())

    async def show(
        self,
        delivery: Delivery,
        interaction: InteractionTransport,
        snapshot: Snapshot | None = None,
    ) -> None:
        """Bring the messages about a match up to date for a press, without waiting for a slot.

        If Discord or the store fails, the delivery is left woken.
        """
        try:
            if await self._is_ours(delivery, interaction):
                with urgency(Urgency.BOARD):
                    await self._attempt(delivery, [interaction], snapshot)
        except _TEMPORARY as error:
            if refused(error):
                await self.blocked.park(delivery.match_id, error, [interaction])
            else:
                self._note(delivery, error)
                delivery.late = [*delivery.late, interaction][-_MAX_LATE:]
                if delivery.task is None:
                    delivery.woken.set()

    async def deliver(self, delivery: Delivery) -> None:
        """Bring the messages about a match up to date, retrying what may succeed later."""
        match_id = delivery.match_id
        interactions: list[InteractionTransport] = []

        def failed(error: BaseException) -> bool:
            if refused(error) or not isinstance(error, _TEMPORARY):
                return False
            self._note(delivery, error)
            return not self.stopping

        async def work() -> None:
            nonlocal interactions
            delivery.woken.clear()
            await self._pause(delivery)
            interactions = delivery.late or self.interactions.expecting(match_id)
            # Checked each time: the shard may have been handed over meanwhile.
            if not await self._is_ours(delivery, *interactions):
                return
            urgent = Urgency.REMINDER if delivery.backlog else Urgency.BOARD
            await self._slots.take(Urgency.PRESS if interactions else urgent)
            # Where the bot is present only by user install, a computer's move is a follow-up.
            interactions = [*interactions] or [
                interaction
                for interaction in self.interactions.follow_up(match_id)
                if interaction.reply.by_user_install
            ]
            URGENCY.set(Urgency.BOARD if interactions else urgent)
            try:
                await self._attempt(delivery, interactions)
            finally:
                self._slots.release()

        try:
            if delivery.failures and not self.stopping:  # those of a press
                delivery.woken.clear()
                await pause_until(delivery.woken, _PAUSE)
            await retry(work, failed, sleep=until(delivery.woken))
        except _TEMPORARY as error:
            if refused(error):
                delivery.failures = 0
                delivery.late.clear()
                await self.blocked.park(match_id, error, interactions)
            else:
                log.warning("not delivered before shutdown", match=match_id, reason=repr(error))
        finally:
            self.failing.forget(delivery)

    async def _attempt(
        self,
        delivery: Delivery,
        interactions: list[InteractionTransport],
        snapshot: Snapshot | None = None,
    ) -> None:
        """Bring the messages about a match up to date, once."""
        match_id, position = delivery.match_id, None
        try:
            async with (alone := self.alone(match_id)):
                stored = None if snapshot is None else snapshot.use()
                delivery.woken.clear()  # this attempt covers what has come meanwhile
                seen = tuple(delivery.requests.seen)
                # Asked before, as something in the server may lift it meanwhile, and be wrong.
                if interactions and match_id in self.blocked:
                    position = await self.matches.position(match_id)
                closed = None if position is None else self.blocked.waiting(position)
                alone.done = await self.writer.update(
                    match_id, delivery.requests, interactions, stored
                )
            delivery.requests.inherited = 0
            if position is not None and closed is not None:
                await interactions[-1].refused(position, closed)
        except _TEMPORARY as error:
            if delivery.failures and not refused(error):
                await self._tell_late(delivery, interactions)
            raise
        if delivery.failures:
            self.failing.succeeded()
            if delivery.presses:
                delivery.woken.set()  # ends the worker's pause before it tries again
        delivery.failures, delivery.not_before = 0, 0.0
        for message_id in seen:  # one pressed since then waits for the next attempt
            delivery.requests.seen.pop(message_id, None)
        delivery.told.clear()
        delivery.late.clear()

    async def _tell_late(
        self, delivery: Delivery, interactions: list[InteractionTransport]
    ) -> None:
        """Tell a player once that their board comes later, as Discord has failed twice."""
        late = [interaction for interaction in interactions if interaction not in delivery.told]
        delivery.told += late
        if late and (position := self.matches.positions.cached(delivery.match_id)) is not None:
            await late[-1].late(position)

    def _note(self, delivery: Delivery, error: BaseException) -> None:
        """Count a failed attempt, and remember when Discord takes the next one."""
        log.warning("not delivered, trying again", match=delivery.match_id, reason=repr(error))
        if not delivery.failures:
            self.failing.failed()
        _, wait = failure_of(error)
        wait = min(wait, MAX_PAUSE.total_seconds())
        delivery.not_before = asyncio.get_running_loop().time() + wait
        if not isinstance(error, StoreError):
            self.failing.wait_after(error, delivery.failures, delivery, delivery.woken.set, POST)
        delivery.failures += 1

    async def _pause(self, delivery: Delivery) -> None:
        """Wait before a request that is likely to fail again, unless a player waits, untold."""
        untold = any(offer not in delivery.told for offer in delivery.late)
        while delivery.failures and not untold and not self.stopping:
            wait = delivery.not_before - asyncio.get_running_loop().time()
            if wait <= 0:
                wait = self.failing.take().total_seconds()
            if wait <= 0:
                return
            await pause_until(delivery.woken, wait)
            delivery.woken.clear()

    async def _is_ours(self, delivery: Delivery, *interactions: InteractionTransport) -> bool:
        """Return whether this process writes the messages about a match.

        Where the bot is present only by user install, that is the process with the interaction.
        """
        match_id = delivery.match_id
        if self.shards.scope is None:
            return True
        position = self.matches.positions.cached(match_id)
        # Safe to reuse: a match never changes servers, nor does a server's match leave them.
        if position is None or position.match.channel_kind == USER_INSTALL:
            try:
                position = await self.matches.position(match_id)
            except Refusal as error:
                log.warning(
                    "could not look up whose messages these are", match=match_id, reason=repr(error)
                )
                return True
        delivery.shard = shard_of(position.match.guild_id, self.shards.count)
        if position.match.channel_kind == USER_INSTALL:
            return bool(interactions) or self.shards.owns(position.match.guild_id)
        return self.shards.owns(position.match.guild_id)

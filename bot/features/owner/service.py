"""Carries out the orders of the bot's owner: in the process that has the server, or direct messages.

An order is repeated from its start if the process is killed in between, and all of it can be repeated.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeAlias

import structlog

from bot.core.background import cancel
from bot.core.errors import MatchOver, Refusal
from bot.core.hooks import on_server_left
from bot.core.owner_decisions import Announcement, put_announcement, put_presence
from bot.core.scheduling.scheduler import BETWEEN_BATCHES, Scheduler, WallClock
from bot.play.matches import endings
from bot.play.matches.endings import Ending
from bot.play.matches.erasure import Erased, Erasure
from bot.play.matches.service import Matches
from data import locks, posts
from data.matches import matches, outbox
from data.people import owner_orders
from data.people.owner_orders import BotBlock, Order
from data.sql.errors import StoreError
from data.store.store import Store, Transaction

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

LeaveServer: TypeAlias = Callable[[int], Awaitable[bool]]
"""Leaves a server; returns whether the bot isn't there any more."""
AskOwners: TypeAlias = Callable[[], Awaitable[frozenset[int] | None]]
"""Returns the application's owner, or its team; ``None`` if Discord does not say."""

MAX_AT_ONCE: Final = 20
"""Matches of a server that are ended before others get their turn."""
ONCE_MORE: Final = timedelta(seconds=30)
"""After this time an order looks for what other processes began before they had heard of it."""
_STILL_TELLING: Final = timedelta(seconds=10)
_TELLS: Final = timedelta(minutes=10)
"""How long players of a server may take to be told before the bot leaves it."""
_AGAIN: Final = timedelta(minutes=1)
_POLL: Final = 2.0
"""Seconds between looks for orders from the terminal, of which SQLite tells nobody."""


class Step(NamedTuple):
    """What came of an order so far."""

    answer: str | None
    again: timedelta | None = None
    """When to look once more; ``None`` if it is done."""
    begun: bool = False
    """Whether it is now under way: only the rest is left."""


_BEGUN: Final = "begun"
_ERASED: Final = "Their data is deleted."


@dataclass(eq=False, repr=False)
class OwnerOrders:
    """A source of the scheduler: orders of the bot's owner."""

    store: Store
    clock: WallClock
    matches: Matches
    erasure: Erasure
    leave_server: LeaveServer
    owners: AskOwners
    every: float = field(default=_POLL, init=False)
    _looking: asyncio.Task[None] | None = field(default=None, init=False)

    def look_for(self, scheduler: Scheduler) -> None:
        """Look for orders that other programs write into this process's SQLite database."""
        self._looking = asyncio.create_task(self._look(scheduler), name="orders of the owner")

    async def close(self) -> None:
        """Stop looking."""
        await cancel(self._looking)

    async def _look(self, scheduler: Scheduler) -> None:
        while True:
            await asyncio.sleep(self.every)
            with suppress(StoreError):  # looks again soon
                due = await self.store.run_read(owner_orders.next_due)
                if due is not None and due <= self.clock():
                    scheduler.wake()

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when an order is next due, ``None`` for never."""
        return await owner_orders.next_due(tx)

    async def due(self, now: datetime, /) -> None:
        """Carry out what is due, in the order in which it was given."""
        async with self.store.read() as tx:
            found = await owner_orders.due(tx, now)
        for order in found:
            try:
                progress = await self._carry_out(order, now)
            except Refusal as refusal:
                progress = Step(f"Not yet: {refusal.sentence} Trying again.", _AGAIN)
            except StoreError:
                raise
            except Exception:
                log.exception("an order of the owner failed", order=order.id, what=order.what)
                progress = Step("It failed, and the log says why. Trying again.", _AGAIN)
            await self._note(order, progress, now)

    async def _note(self, order: Order, progress: Step, now: datetime) -> None:
        due_at = None if progress.again is None else now + progress.again
        async with self.store.write() as tx:
            if progress.begun and _BEGUN not in order.detail:
                await owner_orders.set_detail(tx, order.id, {**order.detail, _BEGUN: True})
            await owner_orders.answered(tx, order.id, progress.answer, due_at=due_at)
        log.info(
            "carried out an order of the owner",
            order=order.id,
            what=order.what,
            answer=progress.answer,
        )

    async def _carry_out(self, order: Order, now: datetime) -> Step:
        if order.what in {"announce", "presence", "unblock"}:
            return await self._change(order)
        begun = _BEGUN in order.detail
        if order.person_id is not None and order.person_id < 0:
            reason = order.answer or _ERASED  # it was killed before it said so
        else:
            reason = "" if begun else await self._conflict(order)
        if reason:
            return Step(reason)
        if order.what == "delete" and order.person_id is not None:
            return Step(f"{_ERASED} {_told(await self.erasure.erase(order.person_id))}")
        if order.what == "block" and not await self._keep_blocked(order, now, begun=begun):
            return Step("Unblocked since.")
        if order.person_id is not None:
            return await self._withdraw(order.person_id, order.answer if begun else None)
        return await self._leave(order, now, begun=begun)

    async def _change(self, order: Order) -> Step:
        """Change what takes effect by being stored."""
        detail = order.detail
        async with self.store.write() as tx:
            if order.what == "unblock":
                known = await owner_orders.unblock(tx, order.person_id or 0)
                return Step("Unblocked." if known else "Nobody with this id was blocked.")
            if order.what == "presence":
                await put_presence(tx, detail.get("text", ""))
                return Step("The status is changed.")
            if "until" not in detail:
                await put_announcement(tx, None)
                return Step("Nothing is announced any more.")
            until = datetime.fromisoformat(detail["until"])
            await put_announcement(tx, Announcement(detail.get("text", ""), until))
        return Step("Announced: boards show it from their next turn on, and /play at once.")

    async def _withdraw(self, user_id: int, answered: str | None) -> Step:
        ended = await self.erasure.withdraw(user_id)
        if answered is not None:
            return Step(answered)
        return Step(f"Blocked. {_told(ended)}", ONCE_MORE, begun=True)

    async def _keep_blocked(self, order: Order, now: datetime, *, begun: bool) -> bool:
        """Block a user or server at first; return whether it is blocked now."""
        server = order.person_id is None
        number = (order.guild_id if server else order.person_id) or 0
        async with self.store.write() as tx:
            if begun:
                return bool(await owner_orders.filter_blocked(tx, [number]))
            reason = order.detail.get("reason", "")
            await owner_orders.block(tx, BotBlock(number, server, reason, now))
            tx.announce(owner_orders.CHANGED, order.id)
        return True

    async def _conflict(self, order: Order) -> str:
        """Return why an order is not carried out, as an owner would decide their own match."""
        owners = await self.owners()
        if owners is None:
            raise Refusal("Discord does not say who the bot's owners are.")
        if order.person_id in owners and order.what == "block":
            return "Not done: this is one of the bot's owners."
        others = owners - {order.person_id}
        async with self.store.read() as tx:
            shared = await matches.open_against(
                tx, others, user_id=order.person_id, guild_id=order.guild_id
            )
        if not shared:
            return ""
        numbers = ", ".join(f"#{number}" for number in shared)
        return (
            "Not done: an owner of the bot plays there, and would decide their own match. Finish "
            f"or resign it first: {numbers}."
        )

    async def _leave(self, order: Order, now: datetime, *, begun: bool) -> Step:
        """End what goes on in a server, and leave it once the players have been told."""
        guild_id = order.guild_id
        assert guild_id is not None, "only servers can be left"
        if not begun:
            async with self.store.write() as tx:
                await locks.lock_id(tx, guild_id)
                for end in on_server_left:
                    await end(tx, guild_id, now)
        async with self.store.read() as tx:
            going_on = await matches.open_in(tx, guild_id, limit=MAX_AT_ONCE)
        for match_id in going_on:
            await self._void(match_id, now)
        if len(going_on) == MAX_AT_ONCE:
            return Step(order.answer, BETWEEN_BATCHES)
        if not begun:
            words = "What went on there has ended without a result. The bot leaves in a moment."
            return Step(words, ONCE_MORE, begun=True)
        if now < order.at + _TELLS and await self._still_telling(guild_id, now):
            return Step(order.answer, _STILL_TELLING)
        if not await self.leave_server(guild_id):
            return Step("Discord does not let the bot leave yet. Trying again.", _AGAIN)
        return Step("The bot has left. What went on there has ended without a result.")

    async def _still_telling(self, guild_id: int, now: datetime) -> bool:
        async with self.store.read() as tx:
            boards = await outbox.waiting_in(tx, guild_id, now)
            return boards or await posts.waiting_in(tx, guild_id, now)

    async def _void(self, match_id: int, now: datetime) -> None:
        position = await self.matches.position(match_id)
        ending = Ending({}, "voided", endings.server_left())
        with suppress(MatchOver):
            async with self.store.write() as tx:
                await endings.end(tx, position, ending, by=None, at=now)
        self.matches.positions.forget(match_id)


def _told(ended: Erased) -> str:
    return f"Matches given up: {len(ended.ended)}. Challenges closed: {len(ended.challenges)}."

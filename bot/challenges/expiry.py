"""Closes expired challenges, and redraws outdated challenge messages.

A closed challenge keeps its message id until the message is up to date, and an open one that lost a
player keeps a mark: so redrawing resumes after a crash and changes each message once.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from data import challenges, open_challenges
from data.challenges import State

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from bot.scheduling.wall_clock import WallClock
    from bot.shards.ownership import Shards
    from data.challenges import Challenge
    from data.store import Store, Transaction

_BATCH: Final = 5
"""Messages changed at a time: Discord limits the rate of edits."""
_BETWEEN_BATCHES: Final = timedelta(seconds=10)
_AFTER_FAILURE: Final = timedelta(minutes=1)
_GRACE: Final = timedelta(minutes=1)
"""How long the press that closed a challenge may take to update its message."""


class Expiry:
    """A source of the scheduler: expired challenges, and messages to redraw."""

    def __init__(
        self,
        store: Store,
        show: Callable[[Challenge], Awaitable[bool]],
        *,
        shards: Shards,
        clock: WallClock,
    ) -> None:
        """Close challenges of a store; ``show`` updates a message and returns if that worked."""
        self._store = store
        self._show = show
        self._shards = shards
        self._clock = clock
        self._not_before: datetime | None = None

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when something is next due, ``None`` for never."""
        scope = self._shards.scope
        moments = [await open_challenges.next_end(tx, scope=scope)]
        closed = await open_challenges.first_outdated(tx, self._clock(), scope=scope)
        if closed is not None:
            moments.append(max(closed + _GRACE, self._not_before or closed))
        wrong = await open_challenges.first_to_redraw(tx, scope=scope)
        if wrong is not None:
            moments.append(max(wrong, self._not_before or wrong))
        return min((moment for moment in moments if moment is not None), default=None)

    async def due(self, now: datetime, /) -> None:
        """Do everything that is due. Idempotent."""
        ended, scope = [], self._shards.scope
        async with self._store.write() as tx:
            for one in await open_challenges.expired(tx, now, scope=scope):
                with suppress(challenges.NotOpen):  # a press was faster
                    ended.append(await challenges.close(tx, one.id, State.EXPIRED, now))
        if self._not_before is not None and now < self._not_before:
            return
        async with self._store.read() as tx:
            left = [
                one
                for one in await open_challenges.outdated(tx, now, scope=scope)
                if one.closed_at is not None and one.closed_at + _GRACE <= now
            ]
            wrong = await open_challenges.to_redraw(tx, scope=scope)
        todo = [*ended, *left, *wrong]
        if len(todo) > _BATCH:
            self._not_before = now + _BETWEEN_BATCHES
        for one in todo[:_BATCH]:
            if not await (self._redraw(one) if one in wrong else self._show(one)):
                self._not_before = now + _AFTER_FAILURE
                return

    async def _redraw(self, challenge: Challenge) -> bool:
        """Redraw the message of an open challenge; return whether that worked."""
        changed: Challenge | None = challenge
        while changed is not None:  # a press may have been drawn before this was
            if not await self._show(changed):
                return False
            async with self._store.write() as tx:
                changed = await open_challenges.redrawn(tx, changed)
        return True

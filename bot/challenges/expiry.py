"""Closes expired challenges, and redraws outdated challenge messages.

Every change of a challenge commits a time to redraw its message, which is cleared once the message
shows the change: so redrawing resumes after a crash.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Protocol

from data import challenges, matches, open_challenges
from data.challenge import NotOpen, State
from data.match import THREAD

if TYPE_CHECKING:
    from datetime import datetime

    from bot.scheduling.wall_clock import WallClock
    from bot.shards.ownership import Shards
    from data.challenge import Challenge
    from data.scope import Scope
    from data.store import Store, Transaction

_BATCH: Final = 5
"""Messages changed at a time: Discord limits the rate of edits."""
_BETWEEN_BATCHES: Final = timedelta(seconds=10)
_AFTER_FAILURE: Final = timedelta(minutes=1)


class ShowChallenge(Protocol):
    """Updates the message of a challenge; see `ChallengeMessages.show`."""

    async def __call__(self, challenge: Challenge, /, *, thread: int | None) -> bool:
        """Show a challenge, with the thread of its match."""


class Expiry:
    """A source of the scheduler: expired challenges, and messages to redraw."""

    def __init__(
        self,
        store: Store,
        show: ShowChallenge,
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
        redraw = await open_challenges.next_redraw(tx, scope=scope)
        if redraw is not None:
            moments.append(max(redraw, self._not_before or redraw))
        return min((moment for moment in moments if moment is not None), default=None)

    async def due(self, now: datetime, /) -> None:
        """Do everything that is due. Idempotent."""
        await self._close_expired(now)
        if self._not_before is not None and now < self._not_before:
            return
        async with self._store.read() as tx:
            todo = await open_challenges.to_redraw(tx, now, scope=self._shards.scope)
        if len(todo) > _BATCH:
            self._not_before = now + _BETWEEN_BATCHES
        for one in todo[:_BATCH]:
            if not await self._redraw(one, now):
                self._not_before = now + _AFTER_FAILURE
                return

    async def _close_expired(self, now: datetime) -> None:
        async with self._store.read() as tx:
            expired = await open_challenges.expired(tx, now, scope=self._shards.scope)
        if not expired:
            return
        async with self._store.write() as tx:
            for one in expired:
                with suppress(NotOpen):  # a press was faster
                    await challenges.close(tx, one.id, State.EXPIRED, now)
                    await open_challenges.request_redraw(tx, one.id, now)

    async def recover(self, scope: Scope | None) -> None:
        """Redraw soon what the earlier owner of a scope may not have: it might have been killed."""
        async with self._store.write() as tx:
            await open_challenges.redraw_now(tx, self._clock(), scope=scope)

    async def _redraw(self, challenge: Challenge, now: datetime) -> bool:
        """Redraw the message of a challenge; return whether that worked."""
        thread = None
        if challenge.match_id is not None:
            async with self._store.read() as tx:
                match = await matches.get(tx, challenge.match_id)
            assert match is not None, "a match is never removed"
            if match.finished:  # its result is drawn from the outbox
                async with self._store.write() as tx:
                    await open_challenges.mark_redrawn(tx, challenge, now)
                return True
            thread = match.channel_id if match.place == THREAD else None
        return await self._show(challenge, thread=thread)

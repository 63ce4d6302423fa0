"""Schedules the steps of ladders, and posts their messages in the background."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from bot.background import KeyedBackground
from bot.ladder import changes
from bot.retries import MIN_PAUSE
from data import ladder_challenges, ladder_posts, ladders
from data.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import datetime

    from bot.ladder.steps import LadderSteps
    from bot.scheduling.wall_clock import WallClock
    from bot.shards.ownership import Shards
    from data.ladder_posts import LadderPost
    from data.store import Store, Transaction

Posted: TypeAlias = int | Literal["refused", "gone", "later"] | None
"""The message id; ``None`` if no message is needed; ``refused`` by Discord; its channel is ``gone``;
or try again ``later``."""

BATCH: Final = 20
"""Steps to take, and messages to read, at a time."""
_BETWEEN_BATCHES: Final = timedelta(seconds=2)
_AFTER_FAILURE: Final = timedelta(minutes=1)
AFTER_REFUSAL: Final = timedelta(hours=1)
_TRIES: Final = 7 * 24
"""How many refusals to accept from a channel that a ladder has left."""


class LadderSource:
    """The scheduler's source for ladders."""

    def __init__(
        self,
        store: Store,
        steps: LadderSteps,
        post: Callable[[LadderPost], Awaitable[Posted]],
        lost: Callable[[int], Awaitable[None]],
        *,
        shards: Shards,
        clock: WallClock,
    ) -> None:
        """Watch a store's ladders.

        Args:
            store: holds the ladders.
            steps: takes due steps.
            post: posts or edits a message.
            lost: notifies a ladder's creator that its channel is gone.
            shards: knows this process's servers.
            clock: the time of day.

        """
        self._store = store
        self._steps = steps
        self._post = post
        self._lost = lost
        self._shards = shards
        self._clock = clock
        self.work = KeyedBackground("ladder-posts", self._post_ladder, (StoreError,))
        self._not_before: datetime | None = None

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next job is due; messages due now are posted in the background."""
        now, scope = self._clock(), self._shards.scope
        for number in await ladder_posts.due_ladders(tx, now, scope=scope):
            self.work.wake_from_thread(number)
        found = (
            await ladders.next_check(tx, scope=scope),
            await ladder_challenges.next_due(tx, scope=scope),
            await ladder_posts.next_post(tx, now, scope=scope),
        )
        moment = min((one for one in found if one is not None), default=None)
        if moment is None or self._not_before is None:
            return moment
        return max(moment, self._not_before)

    async def due(self, now: datetime, /) -> None:
        """Take due steps, a batch at a time."""
        scope = self._shards.scope
        async with self._store.read() as tx:
            looked = await ladders.due_for_check(tx, now, limit=BATCH, scope=scope)
            called = await ladder_challenges.due(tx, now, limit=BATCH, scope=scope)
        for number in looked:
            await self._steps.check(number, now)
        for challenge in called:
            await self._steps.take(challenge, now)
        full = BATCH in {len(looked), len(called)}
        self._not_before = now + _BETWEEN_BATCHES if full else None

    async def _post_ladder(self, ladder_id: int) -> None:
        """Post a ladder's messages in order; if one fails, the rest wait."""
        while True:
            now, scope = self._clock(), self._shards.scope
            async with self._store.read() as tx:
                some = await ladder_posts.to_post(tx, ladder_id, now, limit=BATCH, scope=scope)
            if not some:
                return
            stopped = False
            for place, post in enumerate(some):
                if post.kind == "moved":
                    await self._post_moved(post, now)
                elif not stopped:
                    stopped = await self._post_one(post, some[place:], now)
            if stopped:
                await asyncio.sleep(MIN_PAUSE)

    async def _post_one(
        self, post: LadderPost, unposted: Sequence[LadderPost], now: datetime
    ) -> bool:
        """Post a message; return whether later ones in its channel must wait."""
        done = await self._post(post)
        async with self._store.write() as tx:
            ladder = await ladders.lock(tx, post.ladder_id)
            assert ladder is not None, "a ladder is never removed"
            if not isinstance(done, str):
                await ladder_posts.mark_posted(tx, post, done, now)
                return False
            if ladder.channel_id != post.channel_id:
                return True  # the ladder has moved: they go to its new channel
            if done != "gone":
                later = now + (AFTER_REFUSAL if done == "refused" else _AFTER_FAILURE)
                for one in unposted:
                    if one.kind != "moved":
                        await ladder_posts.postpone(tx, one, later)
                return True
            if ladder.closed_at is not None:
                await ladder_posts.give_up_posts(tx, ladder.id)
                return True
            await changes.pause(tx, ladder, now)
        await self._lost(ladder.id)
        return True

    async def _post_moved(self, post: LadderPost, now: datetime) -> None:
        """Update the post in a channel the ladder has left; no other message waits for it."""
        done = await self._post(post)
        async with self._store.write() as tx:
            if done == "later":
                await ladder_posts.postpone(tx, post, now + _AFTER_FAILURE)
            elif done == "refused":
                await ladder_posts.postpone_moved(tx, post, now + AFTER_REFUSAL, limit=_TRIES)
            else:
                await ladder_posts.forget_post(tx, post)

"""The scheduler's source for daily puzzles: chooses due ones and has them posted."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from data import daily_puzzles, puzzle_schedules

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from bot.daily.service import DailyPuzzles
    from bot.shards.ownership import Shards
    from data.daily_puzzles import Daily
    from data.store import Store, Transaction

Posted: TypeAlias = int | Literal["refused", "gone", "later"]
"""The message id, or why there is none: refused by Discord, channel deleted, or try later."""

BATCH: Final = 10
"""Puzzles chosen and posted at a time: many servers have them due at the same hour."""
_BETWEEN_BATCHES: Final = timedelta(seconds=2)
_AFTER_FAILURE: Final = timedelta(minutes=1)
AFTER_REFUSAL: Final = timedelta(hours=1)


class DailySource:
    """A source of the scheduler: daily puzzles."""

    def __init__(
        self,
        store: Store,
        puzzles: DailyPuzzles,
        post: Callable[[Daily], Awaitable[Posted]],
        stop: Callable[[Daily], Awaitable[None]],
        *,
        shards: Shards,
    ) -> None:
        """Choose the puzzles of a store.

        Args:
            store: the store.
            puzzles: chooses them.
            post: posts one, unless it is already there.
            stop: ends a server's puzzles, as their channel was deleted.
            shards: knows which servers belong to this process.

        """
        self._store = store
        self._puzzles = puzzles
        self._post = post
        self._stop = stop
        self._shards = shards
        self._not_before: datetime | None = None

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when something is next due, ``None`` for never."""
        moment = await daily_puzzles.next_moment(tx, scope=self._shards.scope)
        if moment is None or self._not_before is None:
            return moment
        return max(moment, self._not_before)

    async def due(self, now: datetime, /) -> None:
        """Choose and post due puzzles, a batch at a time. Idempotent."""
        scope = self._shards.scope
        async with self._store.read() as tx:
            schedules = await puzzle_schedules.due_now(tx, now, limit=BATCH, scope=scope)
        chosen = [await self._puzzles.choose(schedule, now) for schedule in schedules]
        async with self._store.read() as tx:
            waiting = await daily_puzzles.to_post(tx, now, limit=BATCH, scope=scope)
        done = await asyncio.gather(*(self._post(one) for one in waiting))
        for daily, posted in zip(waiting, done, strict=True):
            await self._record(daily, posted, now)
        self._not_before = None
        if BATCH in {len(schedules), len(waiting)} or not all(chosen):
            self._not_before = now + _BETWEEN_BATCHES

    async def _record(self, daily: Daily, posted: Posted, now: datetime) -> None:
        if posted == "gone":
            await self._stop(daily)
            return
        async with self._store.write() as tx:
            match posted:
                case "refused":
                    await daily_puzzles.postpone(tx, daily.id, now + AFTER_REFUSAL)
                case "later":
                    await daily_puzzles.postpone(tx, daily.id, now + _AFTER_FAILURE)
                case int():
                    await daily_puzzles.mark_posted(tx, daily.id, posted)
                    await puzzle_schedules.mark_notified(tx, daily.guild_id, notified=False)

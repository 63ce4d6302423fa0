"""Schedules the notifications for followers of matches that have ended."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from bot.scheduling.quiet_hours import after_quiet
from data import watching

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from bot.settings.service import SettingsStore
    from bot.shards.ownership import Shards
    from data.store import Store, Transaction
    from data.watching import Report

BATCH: Final = 10
"""Notifications per batch: Discord limits how fast a bot sends direct messages."""
_BETWEEN_BATCHES: Final = timedelta(seconds=2)
_AFTER_FAILURE: Final = timedelta(minutes=1)


class WatchSource:
    """The scheduler's source for notifications to followers."""

    def __init__(
        self,
        store: Store,
        tell: Callable[[Report], Awaitable[bool]],
        *,
        settings: SettingsStore,
        shards: Shards,
    ) -> None:
        """Work on a store.

        Args:
            store: holds the queued notifications.
            tell: notifies a follower if permitted; returns whether that is done.
            settings: holds players' quiet hours.
            shards: knows this process's servers.

        """
        self._store = store
        self._tell = tell
        self._settings = settings
        self._shards = shards
        self._not_before: datetime | None = None

    async def next(self, tx: Transaction, /) -> datetime | None:
        """Return when the next notification is due; ``None`` for never."""
        moment = await watching.next_report(tx, scope=self._shards.scope)
        if moment is None or self._not_before is None:
            return moment
        return max(moment, self._not_before)

    async def due(self, now: datetime, /) -> None:
        """Send a batch of due notifications, postponing those in quiet hours."""
        async with self._store.read() as tx:
            waiting = await watching.reports(tx, now, limit=BATCH, scope=self._shards.scope)
        moments = [
            after_quiet(await self._settings.player(report.user_id), now) for report in waiting
        ]
        awake = [one for one, at in zip(waiting, moments, strict=True) if at <= now]
        done = dict(zip(awake, await asyncio.gather(*map(self._tell, awake)), strict=True))
        async with self._store.write() as tx:
            for report, moment in zip(waiting, moments, strict=True):
                if done.get(report):
                    await watching.remove_report(tx, report.id)
                else:
                    later = moment if moment > now else now + _AFTER_FAILURE
                    await watching.postpone(tx, report.id, later)
        self._not_before = now + _BETWEEN_BATCHES if len(waiting) == BATCH else None

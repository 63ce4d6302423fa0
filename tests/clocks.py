"""The bot's view of a playground's clock, such as one that stands still until a test moves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from bot.core.scheduling.scheduler import WallClock
from playground.clock import Clock, TimerHandle

NAP = 300.0
"""Maximum seconds per sleep, as for the system clock."""


@dataclass(frozen=True, slots=True)
class HandClock(WallClock):
    """A clock that tells the playground's time and sleeps by it."""

    hands: Clock

    def __call__(self) -> datetime:
        """Return the current time."""
        return datetime.fromtimestamp(self.hands.time(), UTC)

    async def until(self, moment: datetime) -> None:
        """Sleep until a moment, even if the clock is set meanwhile."""
        while (left := (moment - self()).total_seconds()) > 0:
            await self.hands.sleep(min(left, NAP))

    def call_later(self, wait: timedelta, action: Callable[[], object]) -> TimerHandle:
        """Call back once the clock has advanced by a given time."""
        return self.hands.call_later(wait.total_seconds(), action)

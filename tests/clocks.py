"""The bot's view of a playground's clock, such as one that stands still until a test moves it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import timedelta

    from playground.clock import Clock, TimerHandle


NAP = 300.0
"""So many seconds it sleeps at once, as the system's clock does."""


@dataclass(frozen=True, slots=True)
class HandClock:
    """Tells the time of the playground, and sleeps by it."""

    hands: Clock

    def __call__(self) -> datetime:
        """Return the present moment."""
        return datetime.fromtimestamp(self.hands.time(), UTC)

    async def until(self, moment: datetime) -> None:
        """Return when the moment has come, also when the clock was set meanwhile."""
        while (left := (moment - self()).total_seconds()) > 0:
            await self.hands.sleep(min(left, NAP))

    def call_later(self, wait: timedelta, action: Callable[[], object]) -> TimerHandle:
        """Call back when the clock was advanced so far."""
        return self.hands.call_later(wait.total_seconds(), action)

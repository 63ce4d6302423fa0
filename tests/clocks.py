"""The bot's view of a playground's clock, such as one that stands still until a test moves it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playground.clock import Clock


@dataclass(frozen=True, slots=True)
class HandClock:
    """Tells the time of the playground, and sleeps by it."""

    hands: Clock

    def __call__(self) -> datetime:
        """Return the present moment."""
        return datetime.fromtimestamp(self.hands.time(), UTC)

    async def until(self, moment: datetime) -> None:
        """Return when the clock was advanced to a moment."""
        await self.hands.sleep((moment - self()).total_seconds())

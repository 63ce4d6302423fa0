"""The time of day comes from outside, so that tests can let days pass."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

_MAX_SLEEP: Final = timedelta(minutes=5)
"""A sleeper looks at the clock this often: the machine may be suspended or set to another time."""


class WallClock(Protocol):
    """Tells the time and wakes those who wait for a moment."""

    def __call__(self) -> datetime:
        """Return the present moment, aware and in UTC."""

    async def until(self, moment: datetime) -> None:
        """Return when the moment has come; at once when it has passed."""


class SystemClock:
    """The machine's clock."""

    def __call__(self) -> datetime:
        """Return the present moment."""
        return datetime.now(UTC)

    async def until(self, moment: datetime) -> None:
        """Return when the moment has come, also when the clock was set meanwhile."""
        while (left := moment - self()) > timedelta():  # noqa: ASYNC110 -- a moment is waited for
            await asyncio.sleep(min(left, _MAX_SLEEP).total_seconds())

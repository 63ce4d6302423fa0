"""The time of day, injected so that tests can control it."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

_MAX_SLEEP: Final = timedelta(minutes=5)
"""Sleeps are capped, as the machine may be suspended or its clock set."""


class WallClock(Protocol):
    """The time of day, and waiting for a moment."""

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

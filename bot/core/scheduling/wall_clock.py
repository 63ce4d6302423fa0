"""The time of day, injected so that tests can control it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

_MAX_SLEEP: Final = timedelta(minutes=5)
"""Sleeps are capped, as the machine may be suspended or its clock set."""


class Timer(Protocol):
    """A pending call."""

    def cancel(self) -> object:
        """Cancel it."""


class WallClock(Protocol):
    """The time of day, and waiting for a moment."""

    def __call__(self) -> datetime:
        """Return the current time, aware and in UTC."""

    async def until(self, moment: datetime) -> None:
        """Return at a moment; at once if it has passed."""

    def call_later(self, wait: timedelta, action: Callable[[], object]) -> Timer:
        """Call back after a period in which the program was running."""


class SystemClock:
    """The machine's clock."""

    def __call__(self) -> datetime:
        """Return the current time."""
        return datetime.now(UTC)

    async def until(self, moment: datetime) -> None:
        """Return at a moment, even if the clock is set meanwhile."""
        while (left := moment - self()) > timedelta():  # noqa: ASYNC110 -- waits for a time of day
            await asyncio.sleep(min(left, _MAX_SLEEP).total_seconds())

    def call_later(self, wait: timedelta, action: Callable[[], object]) -> Timer:
        """Call back later: sleep of the machine delays it, setting the clock does not."""
        return asyncio.get_running_loop().call_later(wait.total_seconds(), action)

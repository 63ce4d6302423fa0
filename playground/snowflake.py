"""Ids as Discord makes them: the moment of birth in milliseconds, then a running number."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playground.clock import Clock

EPOCH = 1_420_070_400.0
"""The first second of 2015, from which Discord counts."""


class Snowflakes:
    """Makes ids that are never the same and always grow."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        """Return the next id. A busy millisecond borrows from the next one."""
        self._last = max(int((self._clock.time() - EPOCH) * 1000) << 22, self._last + 1)
        return self._last

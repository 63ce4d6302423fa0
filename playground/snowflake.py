"""Discord's ids: milliseconds since 2015, followed by a counter."""

from __future__ import annotations

from playground.clock import Clock

EPOCH = 1_420_070_400.0
"""Discord's epoch: the start of 2015."""


class Snowflakes:
    """Generates unique, increasing ids."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def next(self) -> int:
        """Return the next id; the counter overflows into the milliseconds."""
        self._last = max(int((self._clock.time() - EPOCH) * 1000) << 22, self._last + 1)
        return self._last

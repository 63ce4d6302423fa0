"""Limits on starting sessions: a number per day, and one per bucket at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from playground.clock import Clock
from playground.errors import JSON

_DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class RefusedIdentify:
    """An identify that was refused."""

    at: float
    """Seconds since 1970."""
    shard: tuple[int, int]
    after: float | None
    """Seconds since the last identify in its bucket; ``None`` if the day's number was used up."""


class SessionStarts:
    """Counts identifies.

    Attributes:
        total: number allowed per day.
        max_concurrency: number of buckets; a shard's bucket is its number modulo this.
        seconds: how long a bucket is closed after an identify. 0, the default, accepts any pace, as
            tests start bots in quick succession.
        times: when each shard identified, in seconds since 1970, oldest first.
        refused: the identifies that came too soon.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.total = 1000
        self.max_concurrency = 1
        self.seconds = 0.0
        self.times: list[tuple[float, int]] = []
        self.refused: list[RefusedIdentify] = []
        self._day_began = clock.time()
        self._used = 0
        self._last: dict[int, float] = {}

    @property
    def remaining(self) -> int:
        """Number of identifies left until the day ends."""
        self._turn_day()
        return max(0, self.total - self._used)

    @remaining.setter
    def remaining(self, left: int) -> None:
        self._turn_day()
        self._used = self.total - left

    @property
    def reset_after(self) -> float:
        """Seconds until the day ends."""
        self._turn_day()
        return self._day_began + _DAY - self._clock.time()

    def limit(self) -> JSON:
        """Return Discord's ``session_start_limit``."""
        return {
            "total": self.total,
            "remaining": self.remaining,
            "reset_after": int(self.reset_after * 1000),
            "max_concurrency": self.max_concurrency,
        }

    def accepts(self, shard: tuple[int, int]) -> bool:
        """Count an identify; return whether it is allowed."""
        now = self._clock.time()
        bucket = shard[0] % self.max_concurrency
        last = self._last.get(bucket)
        if self.remaining <= 0:
            self.refused.append(RefusedIdentify(now, shard, None))
            return False
        if last is not None and now - last < self.seconds:
            self.refused.append(RefusedIdentify(now, shard, now - last))
            return False
        self._used += 1
        self._last[bucket] = now
        self.times.append((now, shard[0]))
        return True

    def _turn_day(self) -> None:
        now = self._clock.time()
        if now >= self._day_began + _DAY:
            self._day_began, self._used = now, 0

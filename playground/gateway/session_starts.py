"""How often the bot may begin sessions: so many a day, and one a bucket in some seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from playground.clock import Clock
    from playground.errors import JSON

_DAY: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class TooSoon:
    """An identify that was refused."""

    at: float
    """Seconds since 1970."""
    shard: tuple[int, int]
    after: float | None
    """Seconds since the last identify of its bucket; ``None`` if none was left of the day."""


class SessionStarts:
    """Counts identifies.

    Attributes:
        total: how many are allowed in a day.
        max_concurrency: how many buckets there are; a shard's is its number modulo this.
        seconds: how long a bucket is closed after an identify. At 0, which is the default, as tests
            start bots one right after the other, any pace is accepted.
        times: when each shard identified, seconds since 1970, the latest last.
        refused: the identifies that came too soon.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.total = 1000
        self.max_concurrency = 1
        self.seconds = 0.0
        self.times: list[tuple[float, int]] = []
        self.refused: list[TooSoon] = []
        self._day_began = clock.time()
        self._used = 0
        self._last: dict[int, float] = {}

    @property
    def remaining(self) -> int:
        """How many identifies are left until the day ends."""
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
        """Count an identify; return whether it may be."""
        now = self._clock.time()
        bucket = shard[0] % self.max_concurrency
        last = self._last.get(bucket)
        if self.remaining <= 0:
            self.refused.append(TooSoon(now, shard, None))
            return False
        if last is not None and now - last < self.seconds:
            self.refused.append(TooSoon(now, shard, now - last))
            return False
        self._used += 1
        self._last[bucket] = now
        self.times.append((now, shard[0]))
        return True

    def _turn_day(self) -> None:
        now = self._clock.time()
        if now >= self._day_began + _DAY:
            self._day_began, self._used = now, 0

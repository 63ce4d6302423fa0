"""What only tidies up about a match: it holds up no board and no notice, whatever fails.

Removing old controls, deleting calls, renaming threads, adding pictures that Discord has refused:
each is tried again by the clock, with growing pauses of at most an hour. What Discord refuses
for about a day is not tried any more until there is news about the match.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import aiohttp
import discord
import structlog

from bot.posts.faults import Fault, NoReply, fault_of, pause_after

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from datetime import datetime
    from typing import Any

    from bot.posts.faults import FailureBudget
    from bot.scheduling.wall_clock import Timer, WallClock

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

MAX_FAILURES_A_MINUTE: Final = 30
"""Attempts a minute that may fail again after they failed before, over all matches."""


_MAX_REFUSALS: Final = 30
"""Refusals in a row, over about a day, after which the clock alone tries nothing again."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    failures: int
    until: datetime


class Extras:
    """The tidying up about one match that has failed, by what it is."""

    def __init__(
        self, clock: WallClock, wake: Callable[[], object], failures: FailureBudget
    ) -> None:
        """Wait by a clock, and call ``wake`` when something may be tried again."""
        self._clock = clock
        self._wake = wake
        self._failures = failures
        self._waiting: dict[str, _Waiting] = {}
        self._timer: Timer | None = None

    @property
    def due(self) -> bool:
        """Whether anything that failed may be tried again now."""
        now = self._clock()
        return any(one.until <= now for one in self._waiting.values())

    @property
    def empty(self) -> bool:
        """Whether nothing has failed."""
        return not self._waiting

    def waits(self, kind: str) -> bool:
        """Return whether something is not to be tried for now."""
        waiting = self._waiting.get(kind)
        return waiting is not None and waiting.until > self._clock()

    def failures(self, kind: str) -> int:
        """Return how often something has failed in a row."""
        waiting = self._waiting.get(kind)
        return 0 if waiting is None else waiting.failures

    def failed(self, kind: str, error: BaseException | None = None) -> None:
        """Note that something has failed, and try it again later."""
        now, before, refused = self._clock(), self.failures(kind), _refused(error)
        self._failures.failed(now)
        if refused and before >= _MAX_REFUSALS:
            self._waiting.pop(kind, None)
        else:
            pause = max(pause_after(before, refused=refused), self._failures.wait(now))
            self._waiting[kind] = _Waiting(before + 1, now + pause)
        self._schedule()

    def succeeded(self, kind: str) -> None:
        """Note that something has worked."""
        if self._waiting.pop(kind, None) is not None:
            self._schedule()

    async def attempt(self, kind: str, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """Do something unless it is to wait; return whether nothing is left to do.

        After a first failure it does not wait for the clock alone: whatever is written next about
        the match tries it again. It ends when it works, when what it is about is gone, and when
        Discord has refused it for about a day.
        """
        if self.failures(kind) > 1 and self.waits(kind):
            return False
        try:
            await work()
        except discord.NotFound as error:
            log.info("nothing to tidy up is left", what=kind, code=error.code)
        except (NoReply, discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("could not tidy up", what=kind, reason=repr(error))
            self.failed(kind, error)
            return kind not in self._waiting
        self.succeeded(kind)
        return True

    def close(self) -> None:
        """Try nothing again."""
        if self._timer is not None:
            self._timer.cancel()

    def _schedule(self) -> None:
        self.close()
        now = self._clock()
        later = [one.until for one in self._waiting.values() if one.until > now]
        if later:
            self._timer = self._clock.call_later(min(later) - now, self._come_due)

    def _come_due(self) -> None:
        self._wake()
        self._schedule()  # for what is due later


def _refused(error: BaseException | None) -> bool:
    if not isinstance(error, discord.HTTPException):
        return False
    return fault_of(error.status, error.code) not in {Fault.NO_REPLY, Fault.BUSY}

"""What only tidies up about a match: it holds up no board and no notice, whatever fails.

Removing old controls, deleting calls, adding pictures that Discord has refused:
each is tried again by the clock, with growing pauses of at most an hour. What Discord refuses
for about a day is not tried any more until there is news about the match.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

import aiohttp
import discord
import structlog

from bot.core.posts.failing_routes import FailingRoutes, failed_route
from bot.core.requests.faults import MAX_PAUSE, Fault, NoReply, fault_of, pause_after, wake_after
from bot.core.requests.one_try import Route, answer_of
from bot.core.scheduling.wall_clock import Timer, WallClock

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

_GIVES_UP: Final = timedelta(days=1)
"""How long Discord refuses something before it is not tried any more by the clock alone."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    since: datetime
    failures: int
    until: datetime


@dataclass(eq=False, repr=False)
class Extras:
    """The tidying up about one match that has failed, by what it is."""

    clock: WallClock
    wake: Callable[[], object]
    failing: FailingRoutes
    _waiting: dict[str, _Waiting] = field(default_factory=dict, init=False)
    _timer: Timer | None = field(default=None, init=False)

    @property
    def due(self) -> bool:
        """Whether anything that failed may be tried again now."""
        now = self.clock()
        return any(one.until <= now for one in self._waiting.values())

    @property
    def empty(self) -> bool:
        """Whether nothing has failed."""
        return not self._waiting

    def waits(self, kind: str) -> bool:
        """Return whether something is not to be tried for now."""
        waiting = self._waiting.get(kind)
        return waiting is not None and waiting.until > self.clock()

    def failures(self, kind: str) -> int:
        """Return how often something has failed in a row."""
        waiting = self._waiting.get(kind)
        return 0 if waiting is None else waiting.failures

    def failed(
        self, kind: str, error: BaseException | None = None, *, route: Route | None = None
    ) -> None:
        """Note that something has failed, and try it again later.

        Args:
            kind: what it is.
            error: why it failed, if that matters.
            route: what it waits for, if the error does not say.

        """
        now, before = self.clock(), self._waiting.get(kind)
        failures, since = (0, now) if before is None else (before.failures, before.since)
        if not failures:
            self.failing.failed()
        fault, wait = Fault.NO_REPLY, 0.0
        if isinstance(error, discord.HTTPException):
            status, code, wait = answer_of(error)
            fault = fault_of(status, code)
        refused = fault not in {Fault.NO_REPLY, Fault.BUSY}
        if refused and now - since > _GIVES_UP:
            self._waiting.pop(kind, None)
        else:
            grown, said = pause_after(failures, refused=refused), timedelta(seconds=wait)
            limited = fault is Fault.EDITS_REFUSED and wait
            pause = min(said if limited else max(grown, said), MAX_PAUSE)
            self._waiting[kind] = _Waiting(since, failures + 1, now + pause)
            soon = wake_after(failures, fault, wait=wait)
            waits_for = failed_route(error, route) if error is not None else route
            self.failing.wait(waits_for, (self, kind), partial(self._may_work, kind), soon)
        self._schedule()

    def succeeded(self, kind: str, route: Route | None = None) -> None:
        """Note that something has worked, and with it a route that others may wait for."""
        if self._waiting.pop(kind, None) is not None:
            self.failing.succeeded()
            self.failing.forget((self, kind))
            self._schedule()
        if route is not None:
            self.failing.works(route)

    async def attempt(self, kind: str, work: Callable[[], Coroutine[Any, Any, None]]) -> bool:
        """Do something unless it is to wait; return whether nothing is left to do.

        After a first failure it does not wait for the clock alone: whatever is written next about
        the match tries it again. It ends when it works, when what it is about is gone, and when
        Discord has refused it for about a day.
        """
        if self.failures(kind) > 1 and self.waits(kind):
            return False
        if self.failures(kind) and (pause := self.failing.take()):
            waiting = self._waiting[kind]
            self._waiting[kind] = replace(waiting, until=self.clock() + pause)
            self._schedule()
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
        for kind in self._waiting:
            self.failing.forget((self, kind))
        self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _may_work(self, kind: str) -> None:
        if (waiting := self._waiting.get(kind)) is not None:
            self._waiting[kind] = replace(waiting, until=self.clock())
            self.wake()

    def _schedule(self) -> None:
        self._stop()
        now = self.clock()
        later = [one.until for one in self._waiting.values() if one.until > now]
        if later:
            self._timer = self.clock.call_later(min(later) - now, self._come_due)

    def _come_due(self) -> None:
        self.wake()
        self._schedule()  # for what is due later

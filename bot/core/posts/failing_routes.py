"""Which routes of Discord fail, and what waits for them.

Everything that failed tries again by its own clock, with pauses that grow up to an hour. So that
nothing waits so long once a route works again, any success on it tries what waits for it, and
meanwhile something that waits is tried every half minute. In a channel that refuses, that happens
each minute in the first hour, and then the more seldom the longer it has lasted, hourly in the end.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine, Hashable
from contextvars import Context
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any, Final

import discord
import structlog

from bot.core.requests.faults import (
    MAX_PAUSE,
    Fault,
    Route,
    pause_after,
    route_to,
    wake_after,
)
from bot.core.requests.sending import FAILED, failure_of
from bot.core.scheduling.scheduler import Timer, WallClock

log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
MAX_RETRIES_A_MINUTE: Final = 30
"""Requests a minute, over all routes, that may fail again after they failed before."""
_LOOK: Final = timedelta(seconds=10)
"""How often to look for a route that is due."""
_PROBED: Final = timedelta(seconds=30)
"""How often something that waits for a route is tried."""
_REFUSED: Final = timedelta(minutes=1)
"""The same for a channel that refuses, in the first hour."""
_PART: Final = 60
"""Later the pause is this part of the time that it has lasted."""
_CHANNELS: Final = 5
"""Channels that refuse and are tried within half a minute."""
_WOKEN: Final = 5
"""What is tried at once when a route works; each success tries more."""
GIVES_UP: Final = timedelta(days=1)
"""How long Discord refuses something before it is not tried any more by the clock alone."""


def failed_route(error: BaseException | None, default: Route | None = None) -> Route | None:
    """Return the route to wait for after a failed request, if it is known."""
    if isinstance(error, discord.HTTPException):
        route = route_to(error.response.method, error.response.url.path)
    else:
        route = getattr(error, "route", None)
    if route is None:
        return default
    fails = failure_of(error)[0] in {Fault.NO_REPLY, Fault.BUSY}
    return route._replace(channel_id=None) if fails else route


@dataclass(slots=True)
class _Failing:
    since: datetime
    probe_at: datetime
    waiting: dict[Hashable, tuple[Callable[[], object], datetime]] = field(default_factory=dict)
    """What to call, and not before when."""


@dataclass(eq=False, repr=False)
class FailingRoutes:
    """Tries what waits for a route that has failed, as soon as it works again.

    Over all routes, few requests a minute may fail again: Discord blocks an address that sends
    10,000 invalid requests in ten minutes.
    """

    clock: WallClock
    _failing: dict[Route, _Failing] = field(default_factory=dict, init=False)
    _timer: Timer | None = field(default=None, init=False)
    _failed_at: deque[datetime] = field(
        default_factory=lambda: deque(maxlen=MAX_RETRIES_A_MINUTE), init=False
    )
    _refused_at: deque[datetime] = field(
        default_factory=lambda: deque(maxlen=_CHANNELS), init=False
    )
    """When channels that refuse were tried."""

    def failed(self) -> None:
        """Count a request that failed for the first time."""
        self._failed_at.append(self.clock())

    def take(self) -> timedelta:
        """Return how long a request that failed before has to wait; if not at all, count it."""
        now = self.clock()
        if len(self._failed_at) == MAX_RETRIES_A_MINUTE:
            wait = self._failed_at[0] + timedelta(minutes=1) - now
            if wait > timedelta():
                return wait
        self._failed_at.append(now)
        return timedelta()

    def succeeded(self) -> None:
        """Take back the count of a request: it did not fail again."""
        if self._failed_at:
            self._failed_at.pop()

    def wait_after(
        self,
        error: BaseException | None,
        failures: int,
        key: Hashable,
        wake: Callable[[], object],
        default: Route | None = None,
    ) -> None:
        """Call ``wake`` once a request may work that has failed, after ``failures`` earlier ones.

        ``default`` is its route, where the error does not say; see `wait`.
        """
        fault, wait = failure_of(error)
        soon = wake_after(failures, fault, wait=wait)
        self.wait(failed_route(error, default), key, wake, soon)

    def wait(
        self, route: Route | None, key: Hashable, wake: Callable[[], object], pause: timedelta
    ) -> None:
        """Call ``wake`` once a route may work again, after a pause at the earliest.

        Then it is forgotten: what fails again waits again. ``key`` is what waits.
        """
        if route is None:
            return
        now = self.clock()
        if route not in self._failing:
            self._failing[route] = _Failing(now, now + _pause(route, timedelta()))
        self._failing[route].waiting[key] = (wake, now + pause)
        if self._timer is None:
            self._timer = self.clock.call_later(_LOOK, self._probe)

    def forget(self, key: Hashable) -> None:
        """Let something wait no more."""
        for failing in self._failing.values():
            failing.waiting.pop(key, None)

    def answered(self, method: str, path: str) -> None:
        """Try some of what waits for such requests, as one has succeeded."""
        if self._failing and (route := route_to(method, path)) is not None:
            self.works(route)

    def works(self, route: Route) -> None:
        """Try some of what waits for a route."""
        for one in {route, route._replace(channel_id=None)}:
            failing = self._failing.get(one)
            if failing is not None:
                self._wake(failing, _WOKEN)
                failing.probe_at = self.clock()  # what may not be tried yet follows when it may
                if not failing.waiting:
                    del self._failing[one]

    async def close(self) -> None:
        """Try nothing again."""
        self._failing.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _probe(self) -> None:
        """Try something for each route that is due, but only a few channels that refuse."""
        now, tried = self.clock(), self._refused_at
        for route, failing in sorted(self._failing.items(), key=lambda item: item[1].probe_at):
            refuses = route.channel_id is not None
            enough = refuses and len(tried) == _CHANNELS and tried[0] + _PROBED > now
            if failing.probe_at > now or enough:
                continue
            if not failing.waiting and failing.probe_at + MAX_PAUSE < now:
                del self._failing[route]  # what was tried has not failed again
            elif self._wake(failing, 1):
                failing.probe_at = now + _pause(route, now - failing.since)
                if refuses:
                    tried.append(now)
        self._timer = self.clock.call_later(_LOOK, self._probe) if self._failing else None

    def _wake(self, failing: _Failing, limit: int) -> int:
        """Try some of what waits and may be tried; return how much that is."""
        now = self.clock()
        waiting = (key for key, (_, earliest) in failing.waiting.items() if earliest <= now)
        ready = list(islice(waiting, limit))
        for key in ready:
            wake, _ = failing.waiting.pop(key)
            Context().run(wake)  # what it begins is no part of the request that has succeeded
        return len(ready)


def _pause(route: Route, lasted: timedelta) -> timedelta:
    if route.channel_id is None:
        return _PROBED
    return min(max(_REFUSED, lasted / _PART), MAX_PAUSE)


@dataclass(slots=True)
class _Waiting:
    since: datetime
    failures: int
    until: datetime
    earliest: datetime
    """When it may be tried if its route is."""
    route: Route | None = None


@dataclass(eq=False, repr=False)
class Extras:
    """What only tidies up about a match and has failed: it holds up no board, whatever fails.

    Removing old controls, deleting calls, adding pictures that Discord has refused: each is tried
    again by the clock, with growing pauses of at most an hour. What Discord refuses for about a day
    is not tried any more until there is news about the match.
    """

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

    def waits(self, kind: str, failures: int = 1) -> bool:
        """Return whether something that has failed so often in a row is not to be tried for now."""
        waiting = self._waiting.get(kind)
        return waiting is not None and waiting.failures >= failures and waiting.until > self.clock()

    def failed(
        self, kind: str, error: BaseException | None = None, *, route: Route | None = None
    ) -> None:
        """Note that something has failed, and try it again later.

        ``error`` is why, if that matters; ``route`` what it waits for, if the error does not say.
        """
        now = self.clock()
        route = failed_route(error, route)
        before = self._waiting.get(kind) or _Waiting(now, 0, now, now)
        if not before.failures:
            self.failing.failed()
        fault, wait = failure_of(error)
        refused = fault not in {Fault.NO_REPLY, Fault.BUSY}
        if refused and now - before.since > GIVES_UP:
            self._waiting.pop(kind, None)
        else:
            grown, said = pause_after(before.failures, refused=refused), timedelta(seconds=wait)
            limited = fault is Fault.EDITS_REFUSED and wait
            pause = min(said if limited else max(grown, said), MAX_PAUSE)
            soon = wake_after(before.failures, fault, wait=wait)
            self._waiting[kind] = _Waiting(
                before.since, before.failures + 1, now + pause, now + soon, route
            )
            self.failing.wait(route, (self, kind), partial(self._may_work, route), soon)
        self._schedule()

    def succeeded(self, kind: str, route: Route | None = None) -> None:
        """Note that something has worked, and with it a route that others may wait for."""
        if self._waiting.pop(kind, None) is not None:
            self.failing.forget((self, kind))
            self._schedule()
        if route is not None:
            self.failing.works(route)

    async def attempt(self, kind: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Do something unless it is to wait.

        After a first failure it does not wait for the clock alone: whatever is written next about
        the match tries it again. It ends when it works, when what it is about is gone, and when
        Discord has refused it for about a day.
        """
        if self.waits(kind, failures=2):
            return
        waiting = self._waiting.get(kind)
        if waiting is not None and (pause := self.failing.take()):
            waiting.until = self.clock() + pause
            self._schedule()
            return
        try:
            await work()
        except discord.NotFound as error:
            log.info("nothing to tidy up is left", what=kind, code=error.code)
        except FAILED as error:
            log.info("could not tidy up", what=kind, reason=repr(error))
            self.failed(kind, error)
            return
        if waiting is not None:
            self.failing.succeeded()
        self.succeeded(kind)

    def close(self) -> None:
        """Try nothing again."""
        for kind in self._waiting:
            self.failing.forget((self, kind))
        self._stop()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _may_work(self, route: Route | None) -> None:
        """Try all that waits for a route: for some of it, perhaps nothing is left to do."""
        now = self.clock()
        for waiting in self._waiting.values():
            if waiting.route == route and waiting.earliest <= now:
                waiting.until = now
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

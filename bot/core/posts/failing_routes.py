"""Which routes of Discord fail, and what waits for them.

Everything that failed tries again by its own clock, with pauses that grow up to an hour. So that
nothing waits so long once a route works again, any success on it tries what waits for it, and
meanwhile something that waits is tried every half minute. In a channel that refuses, that happens
each minute in the first hour, and then the more seldom the longer it has lasted, hourly in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from contextvars import Context
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Final

import discord

from bot.core.requests.faults import MAX_PAUSE, Fault, RetryBudget, fault_of
from bot.core.requests.one_try import Route, answer_of, route_to
from bot.core.scheduling.wall_clock import Timer, WallClock

MAX_RETRIES_A_MINUTE: Final = 30
"""Requests a minute, over all routes, that may fail again after they failed before."""
_PROBED: Final = timedelta(seconds=30)
"""How often something that waits for a route is tried."""
_REFUSED: Final = timedelta(minutes=1)
"""The same for a channel that refuses, in the first hour."""
_PART: Final = 60
"""Later the pause is this part of the time that it has lasted."""
_CHANNELS: Final = 5
"""Channels that refuse and are tried at a time."""
_WOKEN: Final = 5
"""What is tried at once when a route works; each success tries more."""


def failed_route(error: BaseException, default: Route | None = None) -> Route | None:
    """Return the route to wait for after a failed request, if it is known."""
    if isinstance(error, discord.HTTPException):
        route = route_to(error.response.method, error.response.url.path)
    else:
        route = getattr(error, "route", None)
    if route is None:
        return default
    status, code, _ = answer_of(error)
    fails = fault_of(status, code) in {Fault.NO_REPLY, Fault.BUSY}
    return route._replace(channel_id=None) if fails else route


@dataclass(slots=True)
class _Failing:
    since: datetime
    probe_at: datetime
    waiting: dict[Hashable, tuple[Callable[[], object], datetime]] = field(default_factory=dict)
    """What to call, and not before when."""


@dataclass(eq=False, repr=False)
class FailingRoutes:
    """Tries what waits for a route that has failed, as soon as it works again."""

    clock: WallClock
    _failing: dict[Route, _Failing] = field(default_factory=dict, init=False)
    _timer: Timer | None = field(default=None, init=False)
    _budget: RetryBudget = field(
        default_factory=lambda: RetryBudget(MAX_RETRIES_A_MINUTE), init=False
    )

    def failed(self) -> None:
        """Count a request that failed for the first time."""
        self._budget.failed(self.clock())

    def take(self) -> timedelta:
        """Return how long a request that failed before has to wait; if not at all, count it."""
        return self._budget.take(self.clock())

    def succeeded(self) -> None:
        """Take back the count of a request: it did not fail again."""
        self._budget.succeeded()

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
            self._timer = self.clock.call_later(_PROBED, self._probe)

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
                if not failing.waiting:
                    del self._failing[one]

    async def close(self) -> None:
        """Try nothing again."""
        self._failing.clear()
        if self._timer is not None:
            self._timer.cancel()

    def _probe(self) -> None:
        """Try something for each route that is due, but only a few channels that refuse."""
        now, refusing = self.clock(), 0
        for route, failing in sorted(self._failing.items(), key=lambda item: item[1].probe_at):
            if failing.probe_at > now or refusing == _CHANNELS:
                continue
            if not failing.waiting and failing.probe_at + MAX_PAUSE < now:
                del self._failing[route]  # what was tried has not failed again
            elif self._wake(failing, 1):
                refusing += route.channel_id is not None
                failing.probe_at = now + _pause(route, now - failing.since)
        self._timer = self.clock.call_later(_PROBED, self._probe) if self._failing else None

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

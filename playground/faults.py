"""Fault injection: wrong, late and lost responses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TypedDict, Unpack

from playground.errors import JSON, ApiError
from playground.request_log import Request

Predicate = Callable[["Request"], bool]

_MESSAGES = {
    429: "You are being rate limited.",
    500: "500: Internal Server Error",
    502: "502: Bad Gateway",
    503: "503: Service Unavailable",
    504: "504: Gateway Timeout",
}


@dataclass(slots=True)
class Fault:
    """A fault that affects matching requests.

    Attributes:
        route: such as ``"POST /channels/{channel_id}/messages"``; ``*`` matches anything.
        status: the HTTP status of the response; None for the usual one of ``code``.
        code: Discord's error code in the response, such as 50013.
        retry_after: seconds to wait, in a 429.
        delay: seconds on the clock before anything else happens.
        hold: seconds on the clock between carrying the request out and the response.
        page: whether the response is a proxy's web page, without Discord's headers.
        drop: whether the connection is dropped instead of a response.
        after: whether the request is carried out first.
        times: the number of requests to affect; None for all.
        when: called with each matching request; the fault affects those for which it returns True.
        hits: the number of requests affected so far.
    """

    route: str
    status: int | None = None
    code: int | None = None
    retry_after: float = 0.05
    delay: float = 0.0
    hold: float = 0.0
    page: bool = False
    drop: bool = False
    after: bool = False
    times: int | None = 1
    when: Predicate | None = None
    hits: int = 0

    def matches(self, request: Request) -> bool:
        """Return whether the fault affects a request, counting it if so."""
        if self.times is not None and self.hits >= self.times:
            return False
        if self.route != request.route and not fnmatchcase(request.route, self.route):
            return False
        if self.when is not None and not self.when(request):
            return False
        self.hits += 1
        return True

    @property
    def replaces_response(self) -> bool:
        """Whether it sends a faulty response."""
        return self.status is not None or self.code is not None

    def response(self) -> tuple[int, JSON]:
        """Return the status and body of the faulty response."""
        if self.code is not None:
            error = ApiError(self.code, status=self.status)
            if error.status == 429:
                error.extra = {"retry_after": self.retry_after, "global": False}
            return error.status, error.body
        assert self.status is not None
        body: JSON = {"message": _MESSAGES.get(self.status, "Error"), "code": 0}
        if self.status == 429:
            body = {"message": _MESSAGES[429], "retry_after": self.retry_after, "global": False}
        return self.status, body


class Which(TypedDict, total=False):
    """Selects which requests of a route a fault affects; see `Fault`."""

    times: int | None
    when: Predicate | None


@dataclass(slots=True)
class Faults:
    """The injected faults. Each method but `clear` injects one and returns it."""

    active: list[Fault] = field(default_factory=list)

    def respond(
        self,
        route: str,
        *,
        status: int | None = None,
        code: int | None = None,
        after: bool = False,
        retry_after: float = 0.05,
        page: bool = False,
        **which: Unpack[Which],
    ) -> Fault:
        """Respond with an HTTP status or one of Discord's error codes.

        With ``after`` the request is carried out first, as if a proxy had failed; with ``page`` the
        response is the proxy's web page.

        Raises:
            ValueError: without a status or code.
        """
        if status is None and code is None:
            raise ValueError("Either a status or a code is required.")
        fault = Fault(route, status, code, retry_after, after=after, page=page, **which)
        return self._add(fault)

    def drop(self, route: str, *, after: bool = True, **which: Unpack[Which]) -> Fault:
        """Drop the connection, before or after carrying out the request."""
        return self._add(Fault(route, drop=True, after=after, **which))

    def delay(self, route: str, seconds: float, **which: Unpack[Which]) -> Fault:
        """Delay a request by some seconds on the clock."""
        return self._add(Fault(route, delay=seconds, **which))

    def hold(
        self, route: str, seconds: float, *, drop: bool = False, **which: Unpack[Which]
    ) -> Fault:
        """Carry out a request at once, but respond, or drop the connection, some seconds later."""
        return self._add(Fault(route, hold=seconds, drop=drop, after=True, **which))

    def clear(self) -> None:
        """Remove all faults."""
        self.active.clear()

    def _add(self, fault: Fault) -> Fault:
        self.active.append(fault)
        return fault

    def match(self, request: Request) -> Fault | None:
        """Return the first fault that affects a request."""
        return next((fault for fault in self.active if fault.matches(request)), None)

"""Faults on purpose: wrong answers, late answers, and answers that get lost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from playground.errors import ApiError

if TYPE_CHECKING:
    from playground.errors import JSON
    from playground.request_log import Request

Predicate = Callable[["Request"], bool]

_WORDS = {
    429: "You are being rate limited.",
    500: "500: Internal Server Error",
    502: "502: Bad Gateway",
    503: "503: Service Unavailable",
    504: "504: Gateway Timeout",
}


@dataclass(slots=True)
class Fault:
    """One fault, waiting for the requests that it befalls.

    Attributes:
        route: such as ``"POST /channels/{channel_id}/messages"``; ``*`` matches anything.
        status: the HTTP status to answer, or None to answer with ``code`` or not to interfere.
        code: Discord's code to answer with, such as 50013.
        retry_after: seconds that a 429 asks to wait.
        delay: seconds on the clock before anything else happens.
        hold: seconds on the clock between carrying the request out and the answer.
        page: whether an error comes from a proxy: a web page without Discord's headers.
        drop: whether the line breaks instead of an answer.
        after: whether the request is carried out first.
        times: how many requests it befalls; None for all.
        when: asked about each matching request; the fault befalls it when this says so.
        hits: how many requests it has befallen.
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

    def befalls(self, request: Request) -> bool:
        """Tell whether it strikes this request, and count it if so."""
        if self.times is not None and self.hits >= self.times:
            return False
        if self.route != request.route and not fnmatchcase(request.route, self.route):
            return False
        if self.when is not None and not self.when(request):
            return False
        self.hits += 1
        return True

    @property
    def answers(self) -> bool:
        """Whether it puts another answer in the place of the right one."""
        return self.status is not None or self.code is not None

    def answer(self) -> tuple[int, JSON]:
        """Give the wrong answer: status and body."""
        if self.code is not None:
            error = ApiError(self.code, status=self.status)
            if error.status == 429:
                error.extra = {"retry_after": self.retry_after, "global": False}
            return error.status, error.body
        assert self.status is not None
        body: JSON = {"message": _WORDS.get(self.status, "Error"), "code": 0}
        if self.status == 429:
            body = {"message": _WORDS[429], "retry_after": self.retry_after, "global": False}
        return self.status, body


@dataclass(slots=True)
class Faults:
    """All faults that are set. Each method sets one and returns it, to be looked at later."""

    waiting: list[Fault] = field(default_factory=list)

    def answer(
        self,
        route: str,
        *,
        status: int | None = None,
        code: int | None = None,
        times: int | None = 1,
        when: Predicate | None = None,
        after: bool = False,
        retry_after: float = 0.05,
        page: bool = False,
    ) -> Fault:
        """Answer wrongly: with an HTTP status, or as Discord does for one of its codes.

        With ``after`` the request is carried out all the same, as when a proxy fails. With
        ``page`` the answer is the web page of a proxy.

        Raises:
            ValueError: when neither status nor code is given.
        """
        if status is None and code is None:
            raise ValueError("Say which status or which code to answer with.")
        return self._set(
            Fault(
                route,
                status=status,
                code=code,
                times=times,
                when=when,
                after=after,
                retry_after=retry_after,
                page=page,
            )
        )

    def drop(
        self,
        route: str,
        *,
        times: int | None = 1,
        when: Predicate | None = None,
        after: bool = True,
    ) -> Fault:
        """Break the line: after carrying out the request, or before it."""
        return self._set(Fault(route, drop=True, times=times, when=when, after=after))

    def delay(
        self,
        route: str,
        seconds: float,
        *,
        times: int | None = 1,
        when: Predicate | None = None,
    ) -> Fault:
        """Let a request lie for some seconds on the clock, then serve it."""
        return self._set(Fault(route, delay=seconds, times=times, when=when))

    def hold(
        self,
        route: str,
        seconds: float,
        *,
        drop: bool = False,
        times: int | None = 1,
        when: Predicate | None = None,
    ) -> Fault:
        """Carry a request out at once and answer some seconds later, or break the line then."""
        return self._set(Fault(route, hold=seconds, drop=drop, after=True, times=times, when=when))

    def clear(self) -> None:
        """Let everything work again."""
        self.waiting.clear()

    def _set(self, fault: Fault) -> Fault:
        self.waiting.append(fault)
        return fault

    def strike(self, request: Request) -> Fault | None:
        """Find the first fault that befalls a request."""
        for fault in self.waiting:
            if fault.befalls(request):
                return fault
        return None

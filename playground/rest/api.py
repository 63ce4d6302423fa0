"""The desk: every request of the bot passes here, whatever its route.

In order: read, write down, break on purpose, ask for the token, count against the rate limits,
carry out (which checks all limits), compare with Discord's own description, answer.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from aiohttp import web

from playground import uploads
from playground.errors import ApiError
from playground.limits.message import REQUEST_BYTES
from playground.limits.problems import Problem, Problems
from playground.ratelimits import VIA
from playground.request_log import Request, Violation

if TYPE_CHECKING:
    from playground.clock import Clock
    from playground.faults import Fault, Faults
    from playground.openapi import OpenApi
    from playground.ratelimits import RateLimits

PREFIX: Final = "/api/v10"
KEPT_REQUESTS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Call:
    """A request as a handler sees it."""

    params: dict[str, str]
    query: dict[str, str]
    body: uploads.Body
    problems: Problems

    def id(self, name: str) -> int:
        """Read an id from the path.

        Raises:
            ApiError: 50035 when it is none.
        """
        try:
            return int(self.params[name])
        except ValueError:
            raise _not_an_id(name, self.params[name]) from None

    @property
    def json(self) -> dict[str, Any]:
        """The body as an object; an absent body is an empty one.

        Raises:
            ApiError: 50035 when it is something else.
        """
        if self.body.json is None:
            return {}
        if not isinstance(self.body.json, dict):
            raise ApiError(50035)
        return self.body.json


def _not_an_id(name: str, value: str) -> ApiError:
    return ApiError(
        50035,
        errors={
            name: {
                "_errors": [
                    {
                        "code": "NUMBER_TYPE_COERCE",
                        "message": f'Value "{value}" is not snowflake.',
                    }
                ]
            }
        },
    )


Result = tuple[int, Any]
Handler = Callable[[Call], Result]


class RestApi:
    """Takes requests and keeps the book of them.

    Args:
        token: what the bot must show.
        clock: what time it is.
        limits: the rate limits.
        faults: what goes wrong on purpose.
    """

    def __init__(self, *, token: str, clock: Clock, limits: RateLimits, faults: Faults) -> None:
        self._authorization = f"Bot {token}"
        self._clock = clock
        self.limits = limits
        self.faults = faults
        self.openapi: OpenApi | None = None
        self.requests: deque[Request] = deque(maxlen=KEPT_REQUESTS)
        self.violations: list[Violation] = []
        self.schema_errors: list[str] = []
        self._news = asyncio.Event()
        self._serial: Callable[[Any], str] = json.JSONEncoder(separators=(",", ":")).encode

    def register(
        self, app: web.Application, route: str, handler: Handler, *, webhook: bool = False
    ) -> None:
        """Serve a route such as ``"GET /users/{user_id}"``.

        ``hooked`` ones are those of interactions and webhooks: they need no bot token and are
        outside the limit for all routes together.
        """
        method, template = route.split(" ", 1)

        async def serve(request: web.Request) -> web.StreamResponse:
            return await self._serve(request, route, handler, webhook=webhook)

        app.router.add_route(method, PREFIX + template, serve)

    def register_unknown(self, app: web.Application) -> None:
        """Answer every route that there is none."""

        async def serve(request: web.Request) -> web.StreamResponse:
            note = Request(f"{request.method} {request.path}", request.path, {}, self._clock.time())
            self.requests.append(note)
            note.status = 404
            self._violate(note, Problem((), "UNKNOWN_ROUTE", "The playground has no such route."))
            return self._response(404, {"message": "404: Not Found", "code": 0}, {"Via": VIA})

        app.router.add_route("*", PREFIX + "/{rest:.*}", serve)

    async def _serve(
        self, request: web.Request, route: str, handler: Handler, *, webhook: bool
    ) -> web.StreamResponse:
        note = Request(
            route,
            request.path.removeprefix(PREFIX),
            dict(request.match_info),
            self._clock.time(),
            query=dict(request.query),
        )
        self.requests.append(note)
        self._news.set()
        try:
            body = await self._read(request, note)
        except ApiError as error:
            return self._finish(note, error.status, error.body, {"Via": VIA})
        fault = self.faults.strike(note)
        if fault is not None and fault.delay:
            await self._clock.sleep(fault.delay)
        if fault is not None and not fault.after and (fault.drop or fault.answers):
            return self._go_wrong(request, note, fault)
        response = self._admit(request, note, handler, body, webhook=webhook)
        if fault is not None and fault.hold:
            await self._clock.sleep(fault.hold)
        if fault is not None and fault.after and (fault.drop or fault.answers):
            return self._go_wrong(request, note, fault)
        return response

    @staticmethod
    async def _read(request: web.Request, note: Request) -> uploads.Body:
        if (request.content_length or 0) > REQUEST_BYTES + 100_000:
            raise ApiError(40005)
        body = uploads.read(request.headers.get("Content-Type", ""), await request.read())
        note.json = body.json
        note.note_files(body.files)
        return body

    def _go_wrong(self, request: web.Request, note: Request, fault: Fault) -> web.Response:
        note.status = None
        if fault.drop:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        status, answer = fault.answer()
        if fault.page:
            note.status = status
            page = f"<html><head><title>{status}</title></head><body>error {status}</body></html>"
            retry = {"Retry-After": str(max(1, round(fault.retry_after)))}
            return web.Response(status=status, text=page, content_type="text/html", headers=retry)
        return self._finish(note, status, answer, {"Via": VIA})

    def _admit(
        self,
        request: web.Request,
        note: Request,
        handler: Handler,
        body: uploads.Body,
        *,
        webhook: bool,
    ) -> web.Response:
        if not webhook and request.headers.get("Authorization") != self._authorization:
            error = ApiError(0)
            return self._finish(note, error.status, error.body, {"Via": VIA})
        verdict = self.limits.judge(note.route, note.params, exempt=webhook)
        if verdict.retry_after is not None:
            return self._finish(note, 429, verdict.body, verdict.headers)
        return self._carry_out(note, handler, body, verdict.headers)

    def _carry_out(
        self, note: Request, handler: Handler, body: uploads.Body, headers: dict[str, str]
    ) -> web.Response:
        problems = Problems()
        call = Call(note.params, note.query, body, problems)
        if self.openapi is not None:
            for complaint in self.openapi.check_request(note.route, body):
                self._violate(note, Problem((), "OPENAPI", complaint))
        try:
            status, answer = handler(call)
        except ApiError as error:
            status, answer = error.status, error.body
            note.code = error.code
            if error.code in {50006, 40005}:
                self._violate(note, Problem((), str(error.code), error.message))
            if status == 429:
                headers = headers | {"Retry-After": "1", "X-RateLimit-Scope": "shared"}
        for problem in problems.found:
            self._violate(note, problem)
        if self.openapi is not None:
            self.schema_errors += self.openapi.check_answer(note.route, status, answer)
        return self._finish(note, status, answer, headers)

    def _violate(self, note: Request, problem: Problem) -> None:
        self.violations.append(Violation(note, problem))

    def _finish(
        self, note: Request, status: int, answer: Any, headers: dict[str, str]
    ) -> web.Response:
        note.status = status
        if status >= 400 and isinstance(answer, dict):
            note.code = answer.get("code", 0)
        return self._response(status, answer, headers)

    def _response(self, status: int, answer: Any, headers: dict[str, str]) -> web.Response:
        if answer is None:
            return web.Response(status=status, headers=headers)
        return web.Response(
            status=status,
            body=self._serial(answer).encode(),
            content_type="application/json",
            headers=headers,
        )

    async def wait_for_request(self, route: str, *, timeout: float = 20.0) -> Request:
        """Give the newest request of a route, or wait for one.

        Raises:
            TimeoutError: after ``timeout`` real seconds.
        """
        async with asyncio.timeout(timeout):
            while True:
                for request in reversed(self.requests):
                    if request.route == route:
                        return request
                self._news.clear()
                await self._news.wait()

    @property
    def invalid_requests(self) -> int:
        """How many answers were 401, 403 or 429: ten thousand in ten minutes bar a bot."""
        return sum(request.status in {401, 403, 429} for request in self.requests)

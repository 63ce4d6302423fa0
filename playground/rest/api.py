"""The REST API: how each request is handled.

Log, authenticate, read the body, inject faults, apply rate limits, call the handler (which checks
Discord's limits), validate against Discord's OpenAPI document, respond.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from aiohttp import web

from playground import uploads
from playground.activities.oauth2 import Grant, OAuth2
from playground.addresses import REST_PATH
from playground.clock import Clock
from playground.errors import SAFETY_SECONDS, ApiError
from playground.faults import Fault, Faults
from playground.limits.message import REQUEST_BYTES
from playground.limits.problems import Problem, Problems
from playground.openapi import OpenApi
from playground.ratelimits import VIA, RateLimits
from playground.request_log import Request, Violation

log = logging.getLogger(__name__)

MAX_LOGGED_REQUESTS: Final = 20_000
FORM_BYTES: Final = 16 * 1024
"""Of a form that comes from anyone."""
_BODY_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class Call:
    """An API call, as its handler sees it."""

    params: dict[str, str]
    query: dict[str, str]
    body: uploads.Body
    problems: Problems
    grant: Grant | None = None
    """What a person's token stands for, if one asks instead of the bot."""
    authorization: str = field(default="", repr=False)

    def id(self, name: str) -> int:
        """Return an id from the path.

        Raises:
            ApiError: 50035 if it is not an id.
        """
        try:
            return int(self.params[name])
        except ValueError:
            raise _not_an_id(name, self.params[name]) from None

    @property
    def json(self) -> dict[str, Any]:
        """The JSON body; an empty object if there is no body.

        Raises:
            ApiError: 50035 if it is not an object.
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
Known = Callable[[Mapping[str, str]], bool]


@dataclass(frozen=True, slots=True)
class _Route:
    name: str
    handler: Handler
    known: Known | None
    bearer: bool
    form: bool


class RestApi:
    """Handles requests and logs them.

    Args:
        token: the bot's token.
        clock: the time.
        limits: the rate limits.
        faults: the faults to inject.
        oauth2: the tokens of people.
        openapi: Discord's OpenAPI document, to validate requests and responses.

    Attributes:
        routes: all routes served.
        requests: the latest `MAX_LOGGED_REQUESTS` requests, oldest first.
        violations: problems with the bot's requests.
        schema_errors: differences between the playground's responses and the OpenAPI document.
    """

    def __init__(
        self,
        *,
        token: str,
        clock: Clock,
        limits: RateLimits,
        faults: Faults,
        oauth2: OAuth2,
        openapi: OpenApi | None = None,
    ) -> None:
        self._oauth2 = oauth2
        self._authorization = f"Bot {token}"
        self._clock = clock
        self._limits = limits
        self._faults = faults
        self._openapi = openapi
        self.requests: deque[Request] = deque(maxlen=MAX_LOGGED_REQUESTS)
        self.violations: list[Violation] = []
        self.schema_errors: list[str] = []
        self.routes: set[str] = set()
        self._logged = asyncio.Event()
        self._encode: Callable[[Any], str] = json.JSONEncoder(separators=(",", ":")).encode

    def register(
        self,
        app: web.Application,
        route: str,
        handler: Handler,
        *,
        known: Known | None = None,
        bearer: bool = False,
        form: bool = False,
    ) -> None:
        """Serve a route such as ``"GET /users/{user_id}"``.

        ``known`` marks the routes of interactions and webhooks, which need no bot token and do not
        count towards the global rate limit. It says whether a path has a token of theirs; without
        one, the body is not read. ``bearer`` marks the routes that people's tokens open, too,
        ``form`` the small forms that open to anyone.
        """
        self.routes.add(route)
        method, template = route.split(" ", 1)
        one = _Route(route, handler, known, bearer, form)

        async def serve(request: web.Request) -> web.StreamResponse:
            return await self._serve(request, one)

        app.router.add_route(method, REST_PATH + template, serve)

    def register_unknown(self, app: web.Application) -> None:
        """Respond with 404 to every other route."""

        async def serve(request: web.Request) -> web.StreamResponse:
            entry = Request(
                f"{request.method} {request.path}", request.path, {}, self._clock.time()
            )
            entry.status = 404
            if self._is_bot(request):
                self.requests.append(entry)
                problem = Problem((), "UNKNOWN_ROUTE", "The playground has no such route.")
                self._violate(entry, problem)
            missing = self._response(404, {"message": "404: Not Found", "code": 0}, {"Via": VIA})
            missing.force_close()  # aiohttp would read the body
            return missing

        app.router.add_route("*", REST_PATH + "/{rest:.*}", serve)

    async def _serve(self, request: web.Request, route: _Route) -> web.StreamResponse:
        entry = Request(
            route.name,
            request.path.removeprefix(REST_PATH),
            dict(request.match_info),
            self._clock.time(),
            query=dict(request.query),
        )
        self.requests.append(entry)
        self._logged.set()
        try:
            grant = self._grant(request) if route.bearer else None
            body = await self._read(request, entry, route, grant)
        except ApiError as error:
            refused = self._finish(entry, error.status, error.body, {"Via": VIA})
            refused.force_close()  # aiohttp would read the rest of the body
            return refused
        fault = self._faults.match(entry)
        if fault is not None and fault.delay:
            await self._clock.sleep(fault.delay)
        if fault is not None and not fault.after and (fault.drop or fault.replaces_response):
            return self._inject(request, entry, fault)
        response = self._limited(
            entry, route, body, grant, request.headers.get("Authorization", "")
        )
        if fault is not None and fault.hold:
            await self._clock.sleep(fault.hold)
        if fault is not None and fault.after and (fault.drop or fault.replaces_response):
            return self._inject(request, entry, fault)
        return response

    def _is_bot(self, request: web.Request) -> bool:
        given = request.headers.get("Authorization", "")
        return secrets.compare_digest(given.encode(), self._authorization.encode())

    def _grant(self, request: web.Request) -> Grant | None:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        return self._oauth2.grant(token) if kind == "Bearer" else None

    async def _read(
        self, request: web.Request, entry: Request, route: _Route, grant: Grant | None
    ) -> uploads.Body:
        """Return the body of a request that may have one."""
        if route.form:
            if request.content_length is None or request.content_length > FORM_BYTES:
                raise ApiError(40005)
        elif route.known is None:
            if grant is None and not self._is_bot(request):
                raise ApiError(0)
        elif not route.known(entry.params):
            return uploads.Body()  # the handler says what is wrong with the token
        if (request.content_length or 0) > REQUEST_BYTES + 100_000:
            raise ApiError(40005)
        try:
            async with asyncio.timeout(_BODY_SECONDS):
                raw = await request.read()
        except TimeoutError:
            raise ApiError(50109) from None
        body = uploads.read(request.headers.get("Content-Type", ""), raw)
        entry.json = body.json
        entry.log_files(body.files)
        return body

    def _inject(self, request: web.Request, entry: Request, fault: Fault) -> web.Response:
        entry.status = None
        if fault.drop:
            if request.transport is not None:
                request.transport.abort()
            return web.Response(status=500)
        status, data = fault.response()
        retry = {"Retry-After": str(max(1, round(fault.retry_after)))}
        if fault.page:
            entry.status = status
            page = f"<html><head><title>{status}</title></head><body>error {status}</body></html>"
            return web.Response(status=status, text=page, content_type="text/html", headers=retry)
        return self._finish(entry, status, data, {"Via": VIA, **(retry if status == 429 else {})})

    def _limited(
        self,
        entry: Request,
        route: _Route,
        body: uploads.Body,
        grant: Grant | None,
        authorization: str,
    ) -> web.Response:
        exempt = route.known is not None or route.form or grant is not None
        result = self._limits.check(entry.route, entry.params, global_exempt=exempt)
        if result.retry_after is not None:
            return self._finish(entry, 429, result.body, result.headers)
        call = Call(entry.params, entry.query, body, Problems(), grant, authorization)
        return self._handle(entry, route.handler, call, result.headers)

    def _handle(
        self, entry: Request, handler: Handler, call: Call, headers: dict[str, str]
    ) -> web.Response:
        problems, body = call.problems, call.body
        if self._openapi is not None:
            for error in self._openapi.check_request(entry.route, body):
                self._violate(entry, Problem((), "OPENAPI", error))
        try:
            status, data = handler(call)
        except ApiError as error:
            status, data = error.status, error.body
            entry.code = error.code
            if error.code in {50006, 40005}:
                self._violate(entry, Problem((), str(error.code), error.message))
            if status == 429:
                headers = headers | {"Retry-After": "1", "X-RateLimit-Scope": "shared"}
        except Exception:
            log.exception("cannot handle a request to %s", entry.route)
            self._violate(entry, Problem((), "MALFORMED", "It has values of the wrong kind."))
            status, data = 400, ApiError(50035).body
        for problem in problems.found:
            self._violate(entry, problem)
        if self._openapi is not None:
            self.schema_errors += self._openapi.check_response(entry.route, status, data)
        return self._finish(entry, status, data, headers)

    def _violate(self, entry: Request, problem: Problem) -> None:
        self.violations.append(Violation(entry, problem))

    def _finish(
        self, entry: Request, status: int, data: Any, headers: dict[str, str]
    ) -> web.Response:
        entry.status = status
        if status >= 400 and isinstance(data, dict):
            entry.code = data.get("code", 0)
        return self._response(status, data, headers)

    def _response(self, status: int, data: Any, headers: dict[str, str]) -> web.Response:
        if data is None:
            return web.Response(status=status, headers=headers)
        return web.Response(
            status=status,
            body=self._encode(data).encode(),
            content_type="application/json",
            headers=headers,
        )

    async def wait_for_request(self, route: str, *, timeout: float = SAFETY_SECONDS) -> Request:
        """Return the newest request of a route, or wait for one.

        Raises:
            TimeoutError: after ``timeout`` real seconds.
        """
        async with asyncio.timeout(timeout):
            while True:
                for request in reversed(self.requests):
                    if request.route == route:
                        return request
                self._logged.clear()
                await self._logged.wait()

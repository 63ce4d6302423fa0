"""Whatever fails while the bot holds a secret, neither an answer nor a line of the log quotes it."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from io import StringIO
from typing import Any, NoReturn

import pytest
import structlog
from aiohttp import web
from yarl import URL

from bot.core import logs
from bot.features.web import match_views, share_views
from bot.features.web.guard import ABOUT, HEADER
from bot.features.web.server import WebServer
from bot.features.web.service import WebAccess
from bot.play.pictures.rendering import Renderer
from playground.faults import Fault
from tests.end_to_end.gateways import until
from tests.end_to_end.harness import Environment
from tests.end_to_end.pages import Frame
from tests.end_to_end.shared_links import finished, made

GAME = "tablut"
GONE = "gone_"
VALUES = {"match": "2", "block": "0"}
"""What stands for the parts of addresses that are no secrets."""


@dataclass(eq=False)
class Held:
    """A page with all its secrets in use."""

    env: Environment
    frame: Frame
    shared: str
    session: str
    link: str
    code: str

    @property
    def secrets(self) -> list[str]:
        """All of them; Discord's tokens come to be while the page asks for them."""
        oauth = self.env.playground.oauth2
        return [
            *(self.shared, self.session, self.link, self.code),
            *(self.env.playground.client_secret, self.env.playground.token),
            *(*oauth._access, *oauth._refresh),
        ]

    @property
    def routes(self) -> list[web.AbstractRoute]:
        """Everything that the page answers; what ends the session comes last."""
        found = self.env.app.get(WebServer)._app().router.routes()
        asked = [one for one in found if one.method != "HEAD"]
        return sorted(
            asked, key=lambda one: one.method == "POST" and "session" in str(one.resource)
        )

    def quoted(self, text: str) -> list[str]:
        """Return the secrets that stand in a text."""
        return [secret for secret in self.secrets if secret in text]

    async def ask(self, route: web.AbstractRoute) -> tuple[int, str]:
        """Ask with every secret that a browser could send; return the status and all that comes back."""
        assert route.resource is not None
        named = VALUES | {"secret": self.shared, "name": "main.js"}
        address = self.frame.url.join(URL(route.resource.canonical.format(**named)))
        body = {
            "link": self.link,
            "code": self.code,
            "channel": str(self.env.channel().id),
            "version": 0,
            "ply": 0,
            "steps": [],
            "line": [],
            "custom_id": "more:2",
        }
        async with self.frame.http.request(
            route.method,
            address,
            json=body if route.method == "POST" else None,
            headers={HEADER: "1", "Authorization": f"Bearer {self.session}"},
            cookies={"session": self.session},
        ) as answer:
            told = f"{answer.status} {answer.reason} {dict(answer.headers)} "
            stream = answer.content_type == "text/event-stream"
            read = await (answer.content.readany() if stream else answer.read())
            return answer.status, told + read.decode(errors="replace")


@pytest.fixture
async def held(env: Environment, frame: Frame) -> Held:
    """Share a finished match, and begin another with a session, an unused link and an unused code."""
    await finished(env)
    shared = (await made(env, env.ann)).name
    await env.begin(GAME)
    await frame.enter(env, env.ann)
    unused = await env.app.get(WebAccess).link(env.ann.id, match_id=2, locale="en-US")
    code = env.playground.oauth2.code(env.ann.user, ["identify"])
    env.expected |= {400, 401, 403, 404, 503}
    return Held(env, frame, shared, frame.secret, unused, code)


@pytest.fixture
def log(held: Held) -> Iterator[StringIO]:
    """Log as the program does, every level of its own and of all libraries, but redact no secret for being known."""
    root, heard = logging.getLogger(), StringIO()
    before = root.handlers[:], root.level, sys.excepthook, threading.excepthook
    logs.configure("DEBUG", "json")
    root.setLevel(logging.DEBUG)
    (handler,) = root.handlers
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(heard)
    yield heard
    root.handlers[:], root.level, sys.excepthook, threading.excepthook = before
    for ours in logs._OURS:
        logging.getLogger(ours).setLevel(logging.NOTSET)
    structlog.reset_defaults()


def quoting(*args: Any, **how: Any) -> NoReturn:
    raise RuntimeError(f"cannot do it with {args} {how}")


def rename_tables(held: Held, old: str, new: str) -> None:
    """Rename all tables that begin with a prefix."""
    with closing(sqlite3.connect(held.env.folder / "games.db", isolation_level=None)) as database:
        database.execute("PRAGMA legacy_alter_table = ON")
        found = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        for (name,) in database.execute(found).fetchall():
            if name.startswith(old):
                database.execute(f'ALTER TABLE "{name}" RENAME TO "{new}{name.removeprefix(old)}"')


def store_is_closed(held: Held, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(held.env.store, "_closed", True)


def tables_are_gone(held: Held, _: pytest.MonkeyPatch) -> None:
    rename_tables(held, "", GONE)


def tables_are_gone_and_sessions_forgotten(held: Held, _: pytest.MonkeyPatch) -> None:
    rename_tables(held, "", GONE)
    held.env.app.get(WebAccess)._known.clear()
    held.env.app.get(WebAccess)._last.clear()


def discord_quotes_secrets(held: Held, patch: pytest.MonkeyPatch) -> None:
    respond = Fault.response

    def quoted(fault: Fault) -> tuple[int, Any]:
        status, body = respond(fault)
        return status, body if fault.route == "*" else {**body, "message": " ".join(held.secrets)}

    patch.setattr(Fault, "response", quoted)
    # Where it is sent some: what it answers to all else is logged, for whoever runs the bot.
    for route in ("POST /oauth2/token", "GET /users/@me", "*"):
        held.env.faults.respond(route, status=400, times=None)


def discord_is_away(held: Held, _: pytest.MonkeyPatch) -> None:
    held.env.faults.respond("*", status=503, times=None)


def nothing_can_be_drawn(_: Held, patch: pytest.MonkeyPatch) -> None:
    for module in (match_views, share_views):
        for name in ("static_part", "moving_part"):
            patch.setattr(module, name, quoting)
    patch.setattr(share_views, "document", quoting)
    for name in ("picture", "chart"):
        patch.setattr(Renderer, name, quoting)


@pytest.fixture
def patch(held: Held, log: StringIO) -> Iterator[pytest.MonkeyPatch]:
    """Let things fail, while it is logged, and put them in order at the end."""
    with pytest.MonkeyPatch.context() as made:
        yield made
    held.env.faults.clear()
    rename_tables(held, GONE, "")


@pytest.mark.parametrize(
    "fail",
    [
        *(store_is_closed, tables_are_gone, tables_are_gone_and_sessions_forgotten),
        *(discord_quotes_secrets, discord_is_away, nothing_can_be_drawn),
    ],
)
async def test_no_answer_and_no_line_quotes_a_secret_whatever_fails(
    held: Held,
    log: StringIO,
    patch: pytest.MonkeyPatch,
    fail: Callable[[Held, pytest.MonkeyPatch], None],
) -> None:
    fail(held, patch)
    failed, signed_out = 0, 0
    for route in held.routes:
        status, told = await held.ask(route)
        failed += status >= HTTPStatus.BAD_REQUEST
        signed_out += status == HTTPStatus.UNAUTHORIZED
        assert route.resource is not None
        works = status == HTTPStatus.OK and route.resource.canonical == "/s/{secret}"
        own = [held.shared] if works else []  # a shared page names its own address
        assert set(held.quoted(told)) <= set(own), (route, told)
    assert failed > signed_out, "what fails is not its session alone"
    assert log.getvalue()
    assert held.quoted(log.getvalue()) == []


MALFORMED = (
    "GET /s/{shared} HTTP/9.9\r\nHost: {host}\r\n\r\n",
    "GET /s/{shared}\0 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "GET /api/matches HTTP/1.1\r\nHost: {host}\r\nCookie: session={session}\0\r\n\r\n",
    "GET /api/matches HTTP/1.1\r\nHost: {host}\r\nCookie session={session}\r\n\r\n",
    "GET /api/matches HTTP/1.1\r\nHost: {host}\r\nCookie: session={session}{long}\r\n\r\n",
    "POST /api/session HTTP/1.1\r\nHost: {host}\r\nContent-Length: {link}\r\n\r\n",
    "POST /api/session HTTP/1.1\r\nHost: {host}\r\nX-Board: 1\r\nTransfer-Encoding: chunked\r\n\r\n{link}\r\n",
)
"""Requests that no browser sends, but that a broken proxy may make of one."""


@pytest.mark.parametrize("malformed", MALFORMED)
@pytest.mark.parametrize("earlier", [0, 1])
async def test_no_line_quotes_a_request_that_cannot_be_read(
    held: Held, log: StringIO, malformed: str, earlier: int
) -> None:
    url = held.frame.url
    host = f"{url.host}:{url.port}"
    reader, writer = await asyncio.open_connection(url.host, url.port)
    for _ in range(earlier):
        writer.write(f"HEAD / HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        assert b"200" in await reader.readuntil(b"\r\n\r\n")
    filled = malformed.format(
        host=host, shared=held.shared, session=held.session, link=held.link, long="x" * 20_000
    )
    writer.write(filled.encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    assert answer.split()[1].startswith(b"4"), answer
    assert held.quoted(log.getvalue()) == []
    assert '"level": "error"' not in log.getvalue(), "nor does anybody fill it so"


async def test_who_goes_before_the_answer_ends_leaves_no_error(held: Held, log: StringIO) -> None:
    url, others = held.frame.url, asyncio.all_tasks()
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(f"GET {ABOUT} HTTP/1.1\r\nHost: {url.host}:{url.port}\r\n\r\n".encode())
    assert b"200" in await reader.readuntil(b"\r\n\r\n")
    answering = [task for task in asyncio.all_tasks() - others if "RequestHandler" in repr(task)]
    assert answering
    writer.close()
    await until(lambda: all(task.done() for task in answering))
    assert '"level": "error"' not in log.getvalue(), log.getvalue()

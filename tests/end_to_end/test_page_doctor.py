"""The doctor goes to the page as people do, and says what is wrong on the way there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from aiohttp.typedefs import Handler
from yarl import URL

from bot.app import page_checks
from bot.app.machine_checks import Level
from bot.app.page_checks import examine_page
from bot.features.web.guard import ABOUT
from tests.end_to_end.harness import Environment
from tests.end_to_end.program import Program


@asynccontextmanager
async def serving(handler: Handler) -> AsyncIterator[str]:
    """Serve something else, such as a reverse proxy; yield its address."""
    app = web.Application()
    app.router.add_get("/{path:.*}", handler)
    async with TestServer(app) as server:
        yield str(server.make_url("/").origin())


def proxy(
    to: URL, *, at_once: bool = True, host: str = "127.0.0.1", honest: bool = True
) -> Handler:
    """Return a reverse proxy, which may do things wrong."""

    async def handler(request: web.Request) -> web.StreamResponse:
        seen = "203.0.113.5" if honest else request.headers["X-Forwarded-For"]
        headers = {"Host": host, "X-Forwarded-For": seen}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            session.get(to.join(URL(request.path_qs))) as answer,
        ):
            if not at_once:
                return web.Response(status=answer.status, body=await answer.read())
            passed = web.StreamResponse(status=answer.status)
            await passed.prepare(request)
            async for part in answer.content.iter_any():
                await passed.write(part)
            return passed

    return handler


async def test_a_page_that_works_behind_a_proxy_is_fine(env: Environment, url: URL) -> None:
    async with serving(proxy(url)) as behind:
        (found,) = await examine_page(behind, str(env.bot.application_id))
    assert found.level is Level.OK, found


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"at_once": False}, "holds news back"),
        ({"host": "backend.local"}, "by another name"),
        ({"honest": False}, "claim to come from"),
    ],
)
async def test_what_a_proxy_does_wrong_is_said(url: URL, wrong: dict[str, bool], said: str) -> None:
    async with serving(proxy(url, **wrong)) as behind:  # type: ignore[arg-type]
        (found,) = await examine_page(behind, None)
    assert found.level is Level.WARNING
    assert said in found.fact
    assert found.advice


async def test_another_bots_page_is_an_error(url: URL) -> None:
    async with serving(proxy(url)) as behind:
        (found,) = await examine_page(behind, "1")
    assert found.level is Level.ERROR
    assert "another bot's page" in found.fact


@pytest.mark.parametrize(
    ("answer", "level", "said"),
    [
        (lambda: web.Response(text="Welcome to nginx!"), Level.ERROR, "something else answers"),
        (lambda: web.json_response({"version": 1}), Level.ERROR, "something else answers"),
        (
            lambda: web.Response(status=HTTPStatus.BAD_GATEWAY),
            Level.WARNING,
            "does not reach the bot",
        ),
        (
            lambda: web.Response(
                status=HTTPStatus.FOUND, headers={"Location": f"https://www.example.org{ABOUT}"}
            ),
            Level.WARNING,
            "sends people on to https://www.example.org",
        ),
    ],
)
async def test_what_else_answers_there_is_named(
    answer: Callable[[], web.Response], level: Level, said: str
) -> None:
    async def handler(_: web.Request) -> web.StreamResponse:
        return answer()

    async with serving(handler) as address:
        (found,) = await examine_page(address, None)
    assert found.level is level
    assert said in found.fact


async def test_an_address_without_a_server_or_with_a_bad_certificate_is_reported(
    url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    (found,) = await examine_page("http://127.0.0.1:1", None)
    assert "cannot be reached" in found.fact
    (found,) = await examine_page(str(url.with_scheme("https").origin()), None)
    assert "certificate" in found.fact
    monkeypatch.setattr(page_checks, "_TIMEOUT", 0.05)
    (found,) = await examine_page(str(url.origin()), None)
    assert "cannot be reached: TimeoutError" in found.fact


async def test_the_programs_doctor_goes_to_the_page(env: Environment, url: URL) -> None:
    process = await Program(env).launch(arguments=["doctor"], WEB_URL=str(url.origin()))
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    assert "page" in output.decode()
    assert "something else answers" not in output.decode()


async def test_what_the_page_says_of_itself_is_no_secret(env: Environment, url: URL) -> None:
    async with aiohttp.ClientSession() as session, session.get(url.join(URL(ABOUT))) as answer:
        text = await answer.text()
    assert env.playground.token not in text
    assert set(page_checks._read(text) or {}) == {"version", "application", "from"}

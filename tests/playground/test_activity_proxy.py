"""The Activity's origin: the application's page, under Discord's rules."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from yarl import URL

from playground.app import Playground
from playground.chat.page import attach
from playground.errors import SAFETY_SECONDS

APP_POLICY = "default-src *; frame-ancestors 'none'"


class Page:
    """The application's page, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []
        self.go_on = asyncio.Event()
        self.left = asyncio.Event()
        self.url = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Remember a request, and answer by its path."""
        headers = {name.lower(): value for name, value in request.headers.items()}
        self.asked.append((request.method, request.raw_path, headers, await request.read()))
        match request.path:
            case "/packed":
                packed = {"Content-Encoding": "gzip", "Content-Type": "text/plain"}
                return web.Response(body=gzip.compress(b"unpacked"), headers=packed)
            case "/moved":
                return web.Response(status=303, headers={"Location": "/there"})
            case "/cookies":
                response = web.Response(text="two")
                response.headers.add("Set-Cookie", "a=1; Secure; SameSite=None; Partitioned")
                response.headers.add("Set-Cookie", "b=2")
                return response
            case "/news":
                return await self._news(request)
            case _:
                return web.Response(
                    text="the page",
                    content_type="text/html",
                    headers={"Content-Security-Policy": APP_POLICY, "X-Own": "kept"},
                )

    async def _news(self, request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        await response.write(b"data: first\n\n")
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.left.set()
            raise
        if "dies" in request.query and request.transport is not None:
            request.transport.abort()
        else:
            await response.write(b"data: last\n\n")
        return response


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    one = Page()
    app = web.Application()
    app.router.add_route("*", "/{rest:.*}", one.serve)
    async with TestServer(app) as server:
        one.url = str(server.make_url("/").origin())
        yield one
        one.go_on.set()


@pytest.fixture
async def playground() -> AsyncIterator[Playground]:
    async with Playground(attach=[attach]) as one:
        yield one


def host(playground: Playground) -> str:
    return f"{playground.world.application.id}.localhost:{playground.port}"


@pytest.fixture
async def frame(playground: Playground, page: Page) -> AsyncIterator[aiohttp.ClientSession]:
    """A client at the Activity's origin, as a browser finds it."""
    playground.enable_activities(page.url)
    headers = {"Host": host(playground)}
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(
        playground.url, headers=headers, cookie_jar=jar, skip_auto_headers=("User-Agent",)
    ) as session:
        yield session


@pytest.mark.parametrize("prefix", ["", "/.proxy"])
async def test_the_page_comes_through_with_discords_policy_instead_of_its_own(
    playground: Playground, page: Page, frame: aiohttp.ClientSession, prefix: str
) -> None:
    # As a browser would send it: nothing is decoded on the way.
    url = URL(f"{playground.url}{prefix}/a%2Fb?frame_id=1&x=%20%2F", encoded=True)
    async with frame.get(url) as answer:
        assert (answer.status, await answer.text()) == (200, "the page")
        assert answer.headers["X-Own"] == "kept"
        [policy] = answer.headers.getall("Content-Security-Policy")
    assert page.asked[-1][:2] == ("GET", "/a%2Fb?frame_id=1&x=%20%2F")
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert "unsafe-inline" not in rules["script-src"]
    assert rules["connect-src"].startswith(f"http://{host(playground)}/ ")
    port = playground.port
    assert rules["frame-ancestors"] == f"'self' http://127.0.0.1:{port} http://localhost:{port}"


async def test_the_page_learns_what_was_asked_but_not_from_where(
    page: Page, frame: aiohttp.ClientSession
) -> None:
    headers = {
        "Authorization": "Bearer session",
        "Cookie": "a=1",
        "Forwarded": "for=10.0.0.1",
        "Origin": "http://1.localhost",
        "X-Board": "1",
        "X-Forwarded-For": "10.0.0.1",
    }
    async with frame.post("/api/moves", data=b"e4", headers=headers) as answer:
        assert answer.status == 200
    method, path, told, body = page.asked[-1]
    assert (method, path, body) == ("POST", "/api/moves", b"e4")
    assert told["host"] == page.url.removeprefix("http://")
    assert {told[name] for name in ("authorization", "cookie", "x-board")} == {
        *("Bearer session", "a=1", "1")
    }
    assert not {"x-forwarded-for", "forwarded"} & told.keys()
    async with frame.delete("/api/session") as answer:
        assert answer.status == 200
    assert page.asked[-1][0] == "DELETE"


async def test_packed_answers_redirects_and_cookies_pass_as_they_are(
    frame: aiohttp.ClientSession,
) -> None:
    async with frame.get("/packed") as answer:
        assert await answer.text() == "unpacked"
    async with frame.get("/moved", allow_redirects=False) as answer:
        assert (answer.status, answer.headers["Location"]) == (303, "/there")
    async with frame.get("/cookies") as answer:
        assert len(answer.headers.getall("Set-Cookie")) == 2
    async with frame.head("/") as answer:
        assert (answer.status, await answer.read()) == (200, b"")


async def test_news_pass_as_they_come(page: Page, frame: aiohttp.ClientSession) -> None:
    async with frame.get("/news") as answer:
        assert await answer.content.readuntil(b"\n\n") == b"data: first\n\n"
        page.go_on.set()
        assert await answer.content.read() == b"data: last\n\n"


async def test_an_answer_that_breaks_off_is_not_taken_for_whole(
    page: Page, frame: aiohttp.ClientSession
) -> None:
    async with frame.get("/news?dies=1") as answer:
        await answer.content.readuntil(b"\n\n")
        page.go_on.set()
        with pytest.raises(aiohttp.ClientError):
            await answer.content.read()


async def test_who_leaves_a_silent_page_is_gone_for_it_too(
    page: Page, frame: aiohttp.ClientSession
) -> None:
    async with frame.get("/news") as answer:
        await answer.content.readuntil(b"\n\n")
        answer.close()
    await asyncio.wait_for(page.left.wait(), SAFETY_SECONDS)


async def test_a_page_that_is_away_or_was_never_there_is_told(
    playground: Playground, page: Page, frame: aiohttp.ClientSession
) -> None:
    playground.world.application.activity_url = "http://127.0.0.1:1"
    async with frame.get("/") as answer:
        assert answer.status == 502
    playground.world.application.activity_url = None
    async with frame.get("/") as answer:
        assert answer.status == 404
    assert page.asked == []


async def test_websockets_are_refused_in_words(frame: aiohttp.ClientSession) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await frame.ws_connect("/socket")
    assert refusal.value.status == 501


@pytest.mark.parametrize(
    "path", ["/page/main.js", "/page/ws?as=ann", "/api/v10/users/@me", "/gateway/"]
)
async def test_nothing_of_discord_is_at_the_activitys_origin(
    page: Page, frame: aiohttp.ClientSession, path: str
) -> None:
    async with frame.get(path) as answer:
        assert await answer.text() == "the page"
    assert page.asked[-1][1] == path


async def test_the_frame_around_the_page_is_at_its_origin_alone(
    playground: Playground, page: Page, frame: aiohttp.ClientSession
) -> None:
    async with frame.get("/.playground/?frame_id=1") as answer:
        assert "relay.js" in await answer.text()
        assert "frame-src 'self'" in answer.headers["Content-Security-Policy"]
        assert "frame-ancestors 'self' http://127" in answer.headers["Content-Security-Policy"]
    async with frame.get("/.playground/relay.js") as answer:
        assert answer.content_type == "text/javascript"
    async with frame.get("/.playground/..%2Fproxy.py") as answer:
        assert answer.status == 404
    assert page.asked == []
    async with aiohttp.ClientSession(playground.url) as session:
        for path in ("/.playground/", "/.playground/relay.js"):
            async with session.get(path) as answer:
                assert answer.status == 404


@pytest.mark.parametrize("name", ["1.localhost", "evil.localhost", "x.discordsays.com"])
async def test_other_names_are_refused(
    playground: Playground, frame: aiohttp.ClientSession, name: str
) -> None:
    async with frame.get("/", headers={"Host": f"{name}:{playground.port}"}) as answer:
        assert answer.status == 403


async def test_the_activity_cannot_act_in_the_chat(
    playground: Playground, frame: aiohttp.ClientSession
) -> None:
    assert frame.headers
    async with aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
            await session.ws_connect(
                f"{playground.url}/page/ws?as=ann", origin=f"http://{host(playground)}"
            )
        assert refusal.value.status == 403
        async with session.get(playground.url) as answer:
            policy = answer.headers["Content-Security-Policy"]
    assert f"frame-src http://{host(playground)};" in policy

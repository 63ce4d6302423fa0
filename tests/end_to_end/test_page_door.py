"""What strangers and forgers try at the page's door: broken bodies, odd headers, silence, floods of secrets."""

from __future__ import annotations

import asyncio
from contextlib import closing
from http import HTTPStatus
from typing import Never

import pytest
from pydantic import SecretStr
from yarl import URL

from bot.core.owner_decisions import OwnerDecisions
from bot.features.web import activity, guard
from bot.features.web.activity import Activity
from bot.features.web.server import WebServer
from bot.features.web.service import WebAccess
from data.people import owner_orders
from data.people.owner_orders import BotBlock
from tests.end_to_end.harness import Environment
from tests.end_to_end.pages import PageWindow, link, window

GAME = "tablut"
TOKEN = "POST /oauth2/token"
POSTED = (
    "/api/session",
    "/api/activity",
    *(f"/api/matches/1/{what}" for what in ("moves", "presses", "tries", "plans", "hints")),
)
BROKEN = (
    b"",
    b"{",
    b"\xff\xfe",
    b"null",
    b"[" * 20_000,
    b'{"a":' * 5_000,
    b'{"version": 1e999, "steps": []}',
    b'{"version": %s, "steps": []}' % (b"9" * 5_000),
    b'{"version": 1, "steps": ["\\ud800"]}',
    b'{"version": 1, "text": "\\ud800\\u0000"}',
    b'{"link": "\\ud800"}',
    b'{"code": "\\ud800", "channel": "\\ud800"}',
    b'{"custom_id": "\\ud800"}',
    b'{"custom_id": "note:1", "fields": {"\\u0000": "\\ud800"}}',
    b'{"custom_id": "note:1", "fields": 5}',
    b'{"custom_id": "share", "values": ["\\u0000"], "type": 1e999}',
    b'{"ply": 1e999, "line": []}',
    b'{"ply": 0, "line": [["\\ud800"]]}',
    b'{"version": 0, "line": [], "remove": 1e999}',
    b'{"version": 0, "line": [], "remove": %s}' % (b"9" * 400),
)


async def raw(url: URL, request: bytes) -> bytes:
    """Send bytes, and return all that comes back before the connection is closed."""
    reader, writer = await asyncio.open_connection(url.host, url.port)
    with closing(writer):
        writer.write(request)
        return await reader.read()


async def status_of(url: URL, method: str, path: str, *headers: bytes, body: bytes = b"") -> int:
    """Send a request with headers as they are, and return the status."""
    lines = (
        f"{method} {path} HTTP/1.1".encode(),
        f"Host: {url.host}".encode(),
        b"X-Board: 1",
        b"Connection: close",
        b"Content-Length: %d" % len(body),
        *headers,
    )
    answer = await raw(url, b"\r\n".join(lines) + b"\r\n\r\n" + body)
    return int(answer.split()[1])


async def test_no_body_is_an_error_of_ours(
    browser: PageWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The environment fails the test if one is logged, too."""
    monkeypatch.setattr(guard, "BURST", 10_000)
    for path in POSTED:
        for body in BROKEN:
            for kind in ("application/json", "application/json; charset=nonsense"):
                async with browser.http.post(
                    browser.url.join(URL(path)),
                    data=body,
                    headers={guard.HEADER: "1", "Content-Type": kind},
                ) as answer:
                    said = (path, body[:40], await answer.text())
                    assert answer.status < HTTPStatus.INTERNAL_SERVER_ERROR, said
    assert (await browser.ask("/api/matches"))[0] == HTTPStatus.OK


async def test_no_header_is_an_error_of_ours(env: Environment, url: URL) -> None:
    board = await env.begin(GAME)
    odd = b"\xff\xc3\x28 \xed\xa0\x80"
    for header in (
        b"Authorization: Bearer " + odd,
        b"Cookie: session=" + odd,
        b"Accept-Language: " + odd,
        b"X-Forwarded-For: fe80::1%" + odd,
        b"X-Forwarded-For: 1.2.3.4:5, ",
        b"Sec-Fetch-Site: " + odd,
    ):
        for path in ("/api/matches", "/api/activity", "/s/" + "x" * 22, "/", "/page/%ff"):
            status = await status_of(url, "GET", path, header)
            assert status < HTTPStatus.INTERNAL_SERVER_ERROR, (header, path)
    secret = await env.app.get(WebAccess).link(env.mover(board).id, match_id=1, locale="en-US")
    body = f'{{"link": "{secret}"}}'.encode()
    status = await status_of(url, "POST", "/api/session", b"User-Agent: " + odd, body=body)
    assert status == HTTPStatus.OK, "a browser may call itself anything"


async def test_a_stranger_is_refused_in_the_first_language_that_there_is(url: URL) -> None:
    async with window(url) as stranger:
        for accepted, words in (("da, de;q=0.5", "abgemeldet"), ("da", "signed out")):
            status, said = await stranger.ask("/api/matches", **{"Accept-Language": accepted})
            assert status == HTTPStatus.UNAUTHORIZED
            assert words in said["error"]


async def test_who_never_sends_a_body_is_disconnected(
    url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor do they keep others out meanwhile, however many there are."""
    monkeypatch.setattr(guard, "_BODY_SECONDS", 0.2)
    head = (
        f"POST /api/session HTTP/1.1\r\nHost: {url.host}\r\nX-Board: 1\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    answer = await raw(url, head.encode())
    assert int(answer.split()[1]) == HTTPStatus.REQUEST_TIMEOUT


async def test_only_what_a_proxy_itself_adds_is_believed(
    url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some proxies add a line of their own below what a client has sent."""
    monkeypatch.setattr(guard, "HELD", 0.0)
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)  # however slow this machine is

    async def flood(*templates: str) -> set[int]:
        return {
            await status_of(
                url,
                "GET",
                "/api/matches",
                *(f"X-Forwarded-For: {one.format(n=n)}".encode() for one in templates),
            )
            for n in range(200)
        }

    assert HTTPStatus.TOO_MANY_REQUESTS in await flood("192.0.2.{n}", "198.51.100.1")
    assert await flood("::ffff:203.0.113.{n}") == {HTTPStatus.UNAUTHORIZED}, "each is a client"
    assert HTTPStatus.TOO_MANY_REQUESTS in await flood("::ffff:198.51.100.2")


async def test_guessed_links_write_nothing(
    env: Environment, browser: PageWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All writes of a database stand in one line, and moves are among them."""

    def written() -> Never:
        pytest.fail("a stranger's guess waits in line with moves")

    with monkeypatch.context() as patched:
        patched.setattr(env.app.get(WebAccess).store, "write", written)
        for guess in ("", "x" * 22, "x" * 30_000):
            status, _ = await browser.ask("/api/session", {"link": guess})
            assert status == HTTPStatus.FORBIDDEN


async def test_a_browser_that_opens_another_link_has_one_session(
    env: Environment, browser: PageWindow
) -> None:
    """The secret of the earlier one is overwritten there: only a thief could still have it."""
    mover = env.mover(env.board())
    access = env.app.get(WebAccess)
    (first,) = await access.of_user(mover.id)
    async with window(browser.url) as thief, window(browser.url) as elsewhere:
        await elsewhere.open(await link(env, mover))
        thief.http.cookie_jar.update_cookies({"session": _cookie(browser)}, browser.url)
        assert (await thief.ask("/api/matches"))[0] == HTTPStatus.OK
        assert (await browser.open(await link(env, mover)))[0] == HTTPStatus.OK
        assert (await thief.ask("/api/matches"))[0] == HTTPStatus.UNAUTHORIZED
        for one in (browser, elsewhere):
            assert (await one.ask("/api/matches"))[0] == HTTPStatus.OK
    left = await access.of_user(mover.id)
    assert len(left) == 2
    assert first.id not in {one.id for one in left}


async def test_a_link_that_is_no_good_signs_nobody_out(
    env: Environment, browser: PageWindow
) -> None:
    assert (await browser.ask("/api/session", {"link": "x" * 22}))[0] == HTTPStatus.FORBIDDEN
    assert (await browser.ask("/api/matches"))[0] == HTTPStatus.OK


async def test_news_end_with_a_block(env: Environment, browser: PageWindow) -> None:
    """Nothing follows what was sent: no second answer in the middle of the first."""
    mover = env.mover(env.board())
    async with browser.news() as news:
        async with env.store.write() as tx:
            await owner_orders.block(
                tx, BotBlock(mover.id, server=False, reason="", since=env.now())
            )
        await env.app.get(OwnerDecisions).load()
        for path in ("/api/matches", "/api/matches/1"):
            status, said = await browser.ask(path)
            assert status == HTTPStatus.FORBIDDEN
            assert "turn" not in said
        env.app.get(WebServer).news_routes.changes._changed(1)
        assert await news.get() == "closed"


async def test_who_signs_out_is_told_nothing_more_at_once(
    env: Environment, browser: PageWindow
) -> None:
    """Nobody waits for a heartbeat with a page open that somebody else may sit at."""
    async with browser.news() as news:
        await env.app.get(WebAccess).end(env.mover(env.board()).id)
        assert await news.get() == "closed"


async def test_a_flood_of_codes_does_not_have_discord_shut_the_bot_out(
    env: Environment, url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord bans addresses that get too many refusals, and the whole bot with them."""
    env.expected |= {429}
    monkeypatch.setattr(guard, "BURST", 10_000)
    env.app.get(Activity).begin(SecretStr(env.playground.client_secret))
    env.faults.respond(TOKEN, status=429, retry_after=60, times=None)
    async with window(url) as stranger:
        for _ in range(8):
            flood = (stranger.ask("/api/activity", {"code": "made up"}) for _ in range(25))
            answers = await asyncio.gather(*flood)
            assert {status for status, _ in answers} == {HTTPStatus.CONFLICT}
        assert len(env.requests_to(TOKEN)) == activity.MAX_REFUSED
        assert "Too many people" in answers[-1][1]["error"]
        env.faults.clear()
        await env.advance(minutes=11)
        code = env.playground.oauth2.code(env.ann.user, ["identify"])
        assert (await stranger.ask("/api/activity", {"code": code}))[0] == HTTPStatus.OK


def _cookie(browser: PageWindow) -> str:
    (found,) = [one.value for one in browser.http.cookie_jar if one.key == "session"]
    return found

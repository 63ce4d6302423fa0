"""What attackers of the page try: links and sessions of others, other sites, floods, and readers who do not read.

`test_page.py` says what the page does, `test_activity.py` what it is inside Discord.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path

import aiohttp
import pytest
from yarl import URL

from bot.features.web import guard, server
from bot.features.web.changes import Changes
from bot.features.web.service import WebAccess
from playground.errors import SAFETY_SECONDS
from tests.end_to_end.harness import Environment
from tests.end_to_end.pages import PageWindow, link, serve, window
from tests.end_to_end.program import Program
from tests.ports import free_port

GAME = "tablut"
IDLE = 1_000
MOST_KB = 64
"""Memory of an idle window's stream."""


def secret_of(browser: PageWindow) -> str:
    """Return the session that a browser holds."""
    return str(next(iter(browser.http.cookie_jar)).value)


# ------------------------------------------------------------------ links and sessions


async def test_who_forwards_a_link_sees_that_it_was_used_and_can_end_it(
    env: Environment, url: URL
) -> None:
    board = await env.begin(GAME)
    person = env.mover(board)
    forwarded = await link(env, person)
    async with window(url) as thief, window(url) as owner:
        assert (await thief.open(forwarded))[0] == HTTPStatus.OK
        status, said = await owner.open(forwarded)
        assert status == HTTPStatus.FORBIDDEN
        assert "has been used" in said["error"]
        access = env.app.get(WebAccess)
        assert len(await access.of_user(person.id)) == 1, "/me settings lists it"
        async with thief.news() as news:
            await access.end(person.id)
            env.app.get(Changes)._changed(1)
            assert await news.get() == "closed"
        assert (await thief.ask("/api/matches/1"))[0] == HTTPStatus.UNAUTHORIZED


async def test_nothing_says_where_a_reader_came_from(env: Environment, browser: PageWindow) -> None:
    """No answer of any kind lets a browser send its address, and with it a link, to anybody."""
    for path in ("/", "/page/main.js", "/page/none.js", "/none", "/api/matches", "/api/about"):
        async with browser.http.get(browser.url.join(URL(path))) as answer:
            assert answer.headers["Referrer-Policy"] == "no-referrer", path
            assert "Access-Control-Allow-Origin" not in answer.headers


async def test_a_session_that_somebody_else_chose_is_not_taken(env: Environment, url: URL) -> None:
    board = await env.begin(GAME)
    async with window(url) as victim, window(url) as attacker:
        for one in (victim, attacker):
            one.http.cookie_jar.update_cookies({"session": "chosen-by-the-attacker"}, url)
        assert (await victim.open(await link(env, env.mover(board))))[0] == HTTPStatus.OK
        assert secret_of(victim) != "chosen-by-the-attacker"
        assert (await victim.ask("/api/matches/1"))[0] == HTTPStatus.OK
        assert (await attacker.ask("/api/matches/1"))[0] == HTTPStatus.UNAUTHORIZED


async def test_nobody_is_signed_in_by_another_site(env: Environment, url: URL) -> None:
    """Else they would play and write notes in the attacker's session without noticing."""
    board = await env.begin(GAME)
    secret = URL(await link(env, env.mover(board))).fragment.partition("=")[2]
    async with window(url) as victim:
        for headers in ({}, {guard.HEADER: "1", "Sec-Fetch-Site": "cross-site"}):
            async with victim.http.post(
                url.join(URL("/api/session")), json={"link": secret}, headers=headers
            ) as answer:
                assert answer.status == HTTPStatus.FORBIDDEN
                assert "Set-Cookie" not in answer.headers
        assert (await victim.ask("/api/session", {"link": secret}))[0] == HTTPStatus.OK


async def test_a_stolen_session_ends_everywhere_at_once(
    env: Environment, browser: PageWindow
) -> None:
    person = env.mover(env.board())
    async with window(browser.url) as thief:
        thief.http.cookie_jar.update_cookies({"session": secret_of(browser)}, browser.url)
        assert (await thief.view())["turn"]
        unused = await link(env, person)
        await env.app.get(WebAccess).end(person.id)
        view = {"match": 1, "version": 0}
        assert (await thief.ask("/api/matches/1"))[0] == HTTPStatus.UNAUTHORIZED
        assert (await thief.play(view, ["e7", "-e9"]))[0] == HTTPStatus.UNAUTHORIZED
        assert (await thief.open(unused))[0] == HTTPStatus.FORBIDDEN, "unused links end, too"


async def test_other_sites_can_neither_listen_nor_ask_first(
    env: Environment, browser: PageWindow
) -> None:
    path = browser.url.join(URL("/api/news?match=1"))
    foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    async with browser.http.get(path, headers=foreign) as answer:
        assert answer.status == HTTPStatus.FORBIDDEN
    async with browser.http.options(path, headers=foreign) as answer:
        assert not [name for name in answer.headers if name.startswith("Access-Control")]
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await browser.http.ws_connect(path, headers=foreign)


# ------------------------------------------------------------------ moves


async def test_of_a_move_in_chat_and_one_on_the_page_one_is_played(
    env: Environment, browser: PageWindow
) -> None:
    for n in range(6):
        board, view = env.board(), await browser.view()
        if not view["turn"]:
            await env.done(env.mover(board).slash(f"/{GAME} move", move=(await env.legal())[0]))
            continue
        steps = view["moves"][n]["steps"]
        played, (status, _) = await asyncio.gather(
            env.mover(board).slash(f"/{GAME} move", move=(await env.legal())[-1 - n]),
            browser.play(view, steps),
        )
        await env.settled()
        assert await env.ply() == view["ply"] + 1
        assert status in {HTTPStatus.OK, HTTPStatus.CONFLICT}
        assert played.error is None
    assert "match #1" in env.board().text, "Discord shows the match"


async def test_a_page_three_turns_behind_plays_nothing_and_catches_up(
    env: Environment, browser: PageWindow
) -> None:
    old = await browser.view()
    for _ in range(4):
        await env.done(env.mover(env.board()).slash(f"/{GAME} move", move=(await env.legal())[3]))
    for asked in ({"steps": old["moves"][0]["steps"]}, {"text": "e7-e9"}):
        status, said = await browser.ask(
            "/api/matches/1/moves", {"version": old["version"], **asked}
        )
        assert status == HTTPStatus.CONFLICT
        assert said["error"]
    now = await browser.view()
    assert now["ply"] == await env.ply() == old["ply"] + 4


async def test_no_answer_holds_what_is_anothers(env: Environment, url: URL) -> None:
    """Neither the seed, nor a word, nor another's note, plan or half of a move."""
    board = await env.begin(GAME)
    mover, other = env.mover(board), env.other(board)
    async with window(url) as one, window(url) as two, window(url) as spectator:
        for browser, person in ((one, mover), (two, other), (spectator, env.carol)):
            await browser.open(await link(env, person))
        view = await one.view()
        _, said = await one.press(view, "Note")
        (form,) = said["answers"]
        field = form["components"][0]["component"]["custom_id"]
        note = {"custom_id": form["custom_id"], "fields": {field: "a secret note"}}
        await one.ask("/api/matches/1/presses", note)
        half = view["moves"][0]["steps"][0]
        await one.ask("/api/matches/1/presses", {"custom_id": f"t:1:{view['version']}:{half}"})
        assert "a secret note" in json.dumps(await one.view())
        match = (await env.position()).match
        for browser in (two, spectator):
            seen = await browser.view()
            _, games = await browser.ask("/api/matches")
            _, begun = await browser.ask("/api/matches/1?ply=0")
            _, rules = await browser.press(seen, "Rules")
            text = json.dumps([seen, games, begun, rules])
            assert "a secret note" not in text
            assert match.seed.hex() not in text
            assert (await browser.view())["moves"] == []


# ------------------------------------------------------------------ floods


async def test_a_flood_is_answered_late_and_others_at_once(
    env: Environment, url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who is turned away waits for it, so that the next request of that connection comes later."""
    monkeypatch.setattr(guard, "HELD", 60.0)
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)  # however slow this machine is
    asked = b"GET /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 203.0.113.9\r\n\r\n"
    writers = []
    for _ in range(5):
        _, writer = await asyncio.open_connection("127.0.0.1", url.port)
        writer.write(asked * 1_000)
        writers.append(writer)
    held = env.app.get(guard.Guard)._held
    while held.total() < len(writers):  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.01)
    async with window(url) as other:
        for _ in range(20):
            assert (await other.ask("/api/matches"))[0] == HTTPStatus.UNAUTHORIZED
    for writer in writers:
        writer.transport.abort()


async def test_more_than_may_wait_are_disconnected(
    env: Environment, url: URL, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "HELD", 60.0)
    monkeypatch.setattr(guard, "MAX_HELD", 3)
    monkeypatch.setattr(guard, "_PER_SECOND", 0.0)
    held = env.app.get(guard.Guard)._held
    flood = {"X-Forwarded-For": "203.0.113.9"}
    async with window(url) as browser:
        for _ in range(guard.BURST):
            await browser.ask("/api/matches", **flood)
        waiting = []
        while held.total() < guard.MAX_HELD:
            waiting.append(asyncio.create_task(browser.ask("/api/matches", **flood)))
            await asyncio.sleep(0.01)
        async with browser.http.get(url.join(URL("/api/matches")), headers=flood) as answer:
            assert answer.status == HTTPStatus.TOO_MANY_REQUESTS
            assert answer.headers["Connection"] == "close"
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def test_a_reader_who_does_not_read_is_disconnected(
    env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "READING_SECONDS", 0.2)
    url = await serve(env)
    served = env.app.get(server.WebServer)._server
    assert served is not None
    raw = socket.create_connection(("127.0.0.1", url.port or 0))
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    raw.settimeout(0)
    raw.sendall(b"GET /page/style.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 1_000)
    while not served.connections:  # noqa: ASYNC110 -- no event to await
        await asyncio.sleep(0.01)
    async with asyncio.timeout(SAFETY_SECONDS):
        while served.connections:  # noqa: ASYNC110 -- no event to await
            await asyncio.sleep(0.05)
    raw.close()


@pytest.mark.timeout(180)
async def test_a_thousand_idle_windows_cost_little_memory_and_all_hear_of_a_move(
    env: Environment, program: Program
) -> None:
    # The program uses the machine's clock, by which the match must not be old.
    env.clock.advance(time.time() - env.clock.time())
    person = env.mover(await env.begin(GAME))
    access = env.app.get(WebAccess)
    await access.link(person.id, match_id=1, locale="en-US")
    await env.stop()
    secrets = many_sessions(env.folder / "games.db", IDLE // 8)
    port = free_port()
    process = await program.launch(
        WEB_URL=f"http://127.0.0.1:{port}", WEB_ADDRESS=f"127.0.0.1:{port}"
    )
    await program.logged("bot.app.client", "ready")
    before = resident(process.pid)
    news = []
    for n in range(IDLE):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(
            f"GET /api/news?match=1 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"X-Forwarded-For: 203.0.113.{n % 250}\r\nCookie: session={secrets[n // 8]}\r\n\r\n".encode()
        )
        news.append((reader, writer))
    for reader, _ in news:
        assert await reader.readuntil(b"hello") != b""
    assert (resident(process.pid) - before) / IDLE <= MOST_KB
    async with window(URL(f"http://127.0.0.1:{port}")) as browser:
        browser.http.cookie_jar.update_cookies({"session": secrets[0]}, browser.url)
        view = await browser.view()
        assert (await browser.play(view, view["moves"][0]["steps"]))[0] == HTTPStatus.OK
    for reader, writer in news:
        assert await reader.readuntil(b"changed") != b""
        writer.transport.abort()


def many_sessions(file: Path, number: int) -> list[str]:
    """Turn the only link in a database into sessions; return their secrets."""
    secrets = [f"secret-{n}" for n in range(number)]
    until = (datetime.now(UTC) + timedelta(days=300)).replace(microsecond=0)
    with closing(sqlite3.connect(file)) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(web_sessions)")]
        (row,) = database.execute("SELECT * FROM web_sessions").fetchall()
        for n, secret in enumerate(secrets, 1):
            made = dict(zip(columns, row, strict=True)) | {
                "id": row[columns.index("id")] + n,
                "secret_hash": sha256(secret.encode()).hexdigest(),
                "opened": 1,
                "expires_at": until.isoformat(),
            }
            marks = ", ".join("?" * len(columns))
            database.execute(f"INSERT INTO web_sessions VALUES ({marks})", list(made.values()))
        database.commit()
    return secrets


def resident(pid: int) -> float:
    """Return a process's own memory, in KB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4.0

"""The page in the browser: how much of it there is, how soon it shows a board and a move, and what viewers cost.

The bot runs as usual, ``python -m bot`` in its own process on a SQLite file, and serves the page beside
its boards. Viewers only listen, as open windows do while nothing moves. The times are those of a page in
headless Chromium, by its own clock: from following a personal link to the board, with nothing cached, and
from the tap that completes a move to the answer that shows it.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib.util
import re
import shutil
import statistics
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import aiohttp
from aiohttp.test_utils import unused_port
from yarl import URL

from bench.loopback.load import LoadGenerator
from bench.loopback.program import Program
from bench.loopback.tables import Table
from bench.row import Row
from data.matches import matches
from data.people import web_sessions
from data.people.web_sessions import WebSession
from data.store.store import Store
from playground.app import Playground

GAME: Final = "tablut"
VIEWERS = 200
"""Windows that listen, two for each player."""
REST = 20.0
"""Seconds in which nothing moves."""
LOADS = 15
MOVES = 20
_EACH: Final = 2
_MOST_KB, _MOST_SHARE, _MOST_FIRST_MS, _MOST_MOVE_MS = 80.0, 10.0, 300.0, 150.0
_BROWSERS: Final = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_NAMED: Final = re.compile(r'"(?:\./|page/)([a-z]+\.(?:js|css))"')
_SETTLING: Final = 3.0
_BOARD: Final = """
window.boardAt = new Promise((done) => new MutationObserver((_, seen) => {
  if (!document.querySelector("#board svg")) return;
  seen.disconnect();
  done(performance.now());
}).observe(document, { childList: true, subtree: true }));
document.addEventListener("click", () => { window.tappedAt = performance.now(); }, { capture: true });
"""
_PLAYED: Final = """
() => {
  const turn = () => document.querySelector("#history input")?.max;
  const before = turn();
  window.played = new Promise((done) => new MutationObserver((_, seen) => {
    if (turn() === before) return;
    seen.disconnect();
    done(performance.now() - window.tappedAt);
  }).observe(document.getElementById("history"), { childList: true, subtree: true, attributes: true }));
}
"""


def run() -> list[Row]:
    """Measure and return the figures."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        return asyncio.run(_measure(Path(folder)))


async def _measure(folder: Path) -> list[Row]:
    file = folder / "games.db"
    port = unused_port()
    settings = {
        "DATABASE_URL": f"sqlite:///{file}",
        "ANALYSE_MATCHES": "false",
        "WEB_URL": f"http://127.0.0.1:{port}",
        "WEB_ADDRESS": f"127.0.0.1:{port}",
    }
    url = URL(settings["WEB_URL"])
    async with Playground() as playground:
        tables = max(1, VIEWERS // (2 * _EACH))
        generator = LoadGenerator(playground, _challenge, tables=tables, spare=0)
        async with Program(playground, folder, "bot", settings=settings):
            await generator.prepare()
        await playground.gateway.wait_connected(present=False)
        people = [person.id for table in generator.tables for person in table.people]
        sessions, links = await _admit(file, people)
        async with Program(playground, folder, "bot", settings=settings) as program:
            rows = [await _size(url), *await _viewers(program, url, sessions)]
            rows += await _in_chromium(url, links)
        await playground.gateway.wait_connected(present=False)
    return rows


async def _challenge(table: Table) -> None:
    one, other = table.people
    reply = await one.slash(f"/{GAME} challenge", channel=table.channel, opponent=other)
    await other.press(await reply.filled(), "Accept")


async def _admit(file: Path, people: Sequence[int]) -> tuple[list[str], list[list[str]]]:
    """Give each person sessions; return their secrets, and links for the two players of one match."""
    now = datetime.now(UTC)
    store = await Store.open(f"sqlite:///{file}")

    async with store.read() as tx:
        (match,) = await matches.of_player(tx, people[0], limit=1)

    async def add(user_id: int, secret: str, *, opened: bool) -> str:
        new = WebSession(
            0,
            user_id,
            hashlib.sha256(secret.encode()).hexdigest(),
            opened=opened,
            match_id=match.id,
            locale="en-US",
            device="bench",
            since=now,
            expires_at=now + timedelta(days=1),
        )
        async with store.write() as tx:
            await web_sessions.add(tx, new)
        return secret

    each = [(user_id, f"session-{user_id}-{n}") for user_id in people for n in range(_EACH)]
    sessions = [await add(user_id, secret, opened=True) for user_id, secret in each]
    links = [
        [await add(one, f"link-{one}-{n}", opened=False) for n in range(LOADS)]
        for one in people[:2]
    ]
    await store.close()
    return sessions, links


async def _size(url: URL) -> Row:
    """Add up the page and all files that it loads."""
    fetched, size, wanted = set[str](), 0, {"/"}
    async with aiohttp.ClientSession(headers={"Accept-Encoding": "deflate"}) as http:
        while wanted:
            path = wanted.pop()
            fetched.add(path)
            async with http.get(url.join(URL(path))) as answer:
                size += int(answer.headers["Content-Length"])
                named = _NAMED.findall(await answer.text())
            wanted |= {f"/page/{name}" for name in named} - fetched
    note = f"{len(fetched)} files, as they are sent"
    return Row("page: the page and its code", size / 1000, "KB", note, at_most=_MOST_KB)


async def _viewers(program: Program, url: URL, sessions: Sequence[str]) -> list[Row]:
    """Measure a process at rest, with and without people who look at their matches."""
    await asyncio.sleep(_SETTLING)
    alone, before = await _share(program), program.memory()
    async with _listening(url, sessions):
        await asyncio.sleep(_SETTLING)
        share, after = await _share(program), program.memory()
    many = f"page: {len(sessions)} viewers while nothing moves"
    return [
        Row(many, 100 * share, "%", f"of a core; {100 * alone:.1f} % without", at_most=_MOST_SHARE),
        Row("page: memory of a viewer", (after - before) / 1024 / len(sessions), "KB"),
    ]


async def _share(program: Program) -> float:
    """Return the processor load at rest, 1 being a core."""
    loop = asyncio.get_running_loop()
    spent, began = program.processor_seconds(), loop.time()
    await asyncio.sleep(REST)
    return (program.processor_seconds() - spent) / (loop.time() - began)


@asynccontextmanager
async def _listening(url: URL, sessions: Sequence[str]) -> AsyncIterator[None]:
    """Open a window for each session, as far as its requests go."""
    begun = asyncio.Semaphore(0)

    async def listen(http: aiohttp.ClientSession, number: int, secret: str) -> None:
        # Each from elsewhere, as a proxy would say.
        address = f"203.0.{number // 250}.{number % 250}"
        cookie = {"Cookie": f"session={secret}", "X-Forwarded-For": address}
        async with http.get(url.join(URL("/api/matches")), headers=cookie) as answer:
            (match,) = (await answer.json())["matches"]
        path = url.join(URL(f"/api/news?match={match['match']}"))
        async with http.get(path, headers=cookie) as answer:
            async for _ in answer.content:
                begun.release()

    unlimited = aiohttp.TCPConnector(limit=0)
    async with (
        aiohttp.ClientSession(
            connector=unlimited,
            timeout=aiohttp.ClientTimeout(),
            cookie_jar=aiohttp.DummyCookieJar(),
        ) as http,
        asyncio.TaskGroup() as windows,
    ):
        opened = [windows.create_task(listen(http, n, one)) for n, one in enumerate(sessions)]
        for _ in opened:
            await begun.acquire()
        yield
        for window in opened:
            window.cancel()


async def _in_chromium(url: URL, links: Sequence[Sequence[str]]) -> list[Row]:
    """Measure how soon a board and a move are seen; nothing where there is no Chromium."""
    path = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if path is None or importlib.util.find_spec("playwright") is None:
        return []
    from playwright.async_api import async_playwright  # noqa: PLC0415 -- not installed everywhere

    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        first = [await _first_board(browser, url, link) for link in links[0][1:]]
        moves = await _moves(browser, url, [own[0] for own in links])
        await browser.close()
    return [
        Row(
            "page: p50 from following a link to the board",
            statistics.median(first),
            "ms",
            f"at most {max(first):.0f} ms, {len(first)} times in Chromium, nothing cached",
            at_most=_MOST_FIRST_MS,
        ),
        Row(
            "page: p50 from the last tap of a move to its board",
            statistics.median(moves),
            "ms",
            f"at most {max(moves):.0f} ms, {len(moves)} moves in Chromium",
            at_most=_MOST_MOVE_MS,
        ),
    ]


async def _first_board(browser: Any, url: URL, link: str) -> float:
    """Return after how many milliseconds a link shows the board."""
    context = await browser.new_context()
    shown = await (await _opened(context, url, link)).evaluate("window.boardAt")
    await context.close()
    return float(shown)


async def _opened(context: Any, url: URL, link: str) -> Any:
    page = await context.new_page()
    await page.add_init_script(_BOARD)
    await page.goto(f"{url.origin()}/#open={link}")
    await page.evaluate("window.boardAt")
    return page


async def _moves(browser: Any, url: URL, links: Sequence[str]) -> list[float]:
    """Play a match in two windows; return how many milliseconds each move took."""
    pages = [
        await _opened(await browser.new_context(reduced_motion="reduce"), url, link)
        for link in links
    ]
    taken: list[float] = []
    for n in range(MOVES):
        mover = await _mover(pages)
        await mover.evaluate(_PLAYED)
        men = mover.locator("#board .squares .can")
        await men.nth(n % await men.count()).click()
        targets = mover.locator("#board .squares .can")
        await targets.first.click()
        taken.append(float(await mover.evaluate("window.played")))
    return taken


async def _mover(pages: Sequence[Any]) -> Any:
    """Return the window whose turn it is, once it shows that."""
    while True:
        for page in pages:
            if await page.locator("#board .squares .can").count():
                return page
        await asyncio.sleep(0.02)

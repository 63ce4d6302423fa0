"""A browser on the page, as far as its requests go."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any

import aiohttp
from yarl import URL

from bot.features.web.guard import HEADER
from bot.features.web.server import WebServer
from playground.model import Message
from playground.people import Person
from tests.end_to_end.gateways import Cluster
from tests.end_to_end.harness import Environment
from tests.end_to_end.people import more


class PageWindow:
    """One person's browser: its cookies, and what it asks."""

    def __init__(self, http: aiohttp.ClientSession, url: URL) -> None:
        self.http = http
        self.url = url

    async def ask(
        self, path: str, body: object = None, *, method: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Ask as the page does; return the status and the JSON."""
        wanted = method or ("GET" if body is None else "POST")
        async with self.http.request(
            wanted, self.url.join(URL(path)), json=body, headers={HEADER: "1"} | headers
        ) as answer:
            spoken = answer.content_type == "application/json"
            return answer.status, await answer.json() if spoken else None

    async def open(self, link: str) -> tuple[int, Any]:
        """Use a link."""
        return await self.ask("/api/session", {"link": URL(link).fragment.partition("=")[2]})

    async def view(self, number: int = 1) -> Any:
        """Return a match, which must be visible."""
        status, found = await self.ask(f"/api/matches/{number}")
        assert status == HTTPStatus.OK, found
        return found

    async def play(self, view: Any, steps: list[str]) -> tuple[int, Any]:
        """Play a move in a match as shown."""
        asked = {"version": view["version"], "steps": steps}
        return await self.ask(f"/api/matches/{view['match']}/moves", asked)

    async def press(self, view: Any, label: str, *, match: int = 1, **more: Any) -> tuple[int, Any]:
        """Press a control of a match's view, or of an answer."""
        (found,) = [one for one in controls(view) if one.get("label") == label]
        asked = {"custom_id": found["custom_id"], **more}
        return await self.ask(f"/api/matches/{match}/presses", asked)

    @asynccontextmanager
    async def news(self, number: int = 1) -> AsyncIterator[asyncio.Queue[str]]:
        """Listen to a match."""
        heard: asyncio.Queue[str] = asyncio.Queue()

        async def listen() -> None:
            address = self.url.join(URL(f"/api/news?match={number}"))
            with suppress(aiohttp.ClientError):
                async with self.http.get(address) as answer:
                    async for line in answer.content:
                        if line.startswith(b"data: "):
                            told = line[6:].decode().strip()
                            heard.put_nowait("changed" if told == f"changed {number}" else told)
            heard.put_nowait("closed")

        listening = asyncio.create_task(listen())
        assert await heard.get() == "hello"
        yield heard
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


class Frame(PageWindow):
    """The page in a frame of Discord's: no cookies, a secret in memory."""

    secret = ""

    async def ask(
        self, path: str, body: object = None, *, method: str | None = None, **headers: str
    ) -> tuple[int, Any]:
        """Ask with the session's secret."""
        self.http.cookie_jar.clear()
        bearer = {"Authorization": f"Bearer {self.secret}"} if self.secret else {}
        headers |= {"User-Agent": "Mozilla/5.0 (X11; Linux x86_64) discord/1.0 Chrome/140"}
        return await super().ask(path, body, method=method, **bearer, **headers)

    async def enter(
        self, place: Environment | Cluster, person: Person, **told: str
    ) -> tuple[int, Any]:
        """Sign in as Discord's client lets the page."""
        code = place.playground.oauth2.code(person.user, ["identify"])
        status, said = await self.ask("/api/activity", {"code": code, **told})
        self.secret = said.get("secret", "")
        return status, said


def controls(part: Any) -> list[dict[str, Any]]:
    """Return all controls in a view or an answer."""
    if isinstance(part, dict):
        own = [part] if "custom_id" in part and "label" in part else []
        return own + [one for value in part.values() for one in controls(value)]
    if isinstance(part, list):
        return [one for value in part for one in controls(value)]
    return []


async def link(env: Environment, person: Person, board: Message | None = None) -> str:
    """Return the link that a person gets from *Open the board*."""
    menu = await more(env, person, board)
    answer = await env.done(person.press(menu, "Open the board"))
    (found,) = [one.url for one in answer.shown.buttons if one.url]
    return str(found)


async def serve(env: Environment) -> URL:
    """Serve the page of an environment's bot; return its address."""
    server = env.app.get(WebServer)
    await server.start("http://127.0.0.1:0", "127.0.0.1:0")
    assert server.url is not None
    return server.url


@asynccontextmanager
async def window(url: URL) -> AsyncIterator[PageWindow]:
    """Open a browser without a session."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        yield PageWindow(http, url)

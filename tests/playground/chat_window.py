"""A window of the chat page, without a browser: its WebSocket, used as the page uses it."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from playground.app import Playground
from playground.errors import SAFETY_SECONDS

JSON = dict[str, Any]


class Window:
    """A WebSocket, used as the page uses it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.frames: list[JSON] = []
        self._refs = itertools.count(1)

    async def next(self, matching: Callable[[JSON], bool]) -> JSON:
        """Return the first matching frame, among those not yet taken and those to come."""
        for kept in self.frames:
            if matching(kept):
                self.frames.remove(kept)
                return kept
        while True:
            frame: JSON = json.loads(
                await asyncio.wait_for(self.socket.receive_str(), SAFETY_SECONDS)
            )
            if matching(frame):
                return frame
            self.frames.append(frame)

    async def op(self, op: str) -> JSON:
        """Return the next frame of a kind."""
        return await self.next(lambda frame: frame["op"] == op)

    async def send(self, op: str, **fields: Any) -> int:
        """Send a request without waiting; return its number."""
        ref = next(self._refs)
        await self.socket.send_json({"op": op, "ref": ref, **fields})
        return ref

    async def ask(self, op: str, **fields: Any) -> JSON:
        """Send a request and wait for the answer."""
        ref = await self.send(op, **fields)
        return await self.next(lambda frame: frame["op"] == "ack" and frame["ref"] == ref)

    async def message(self, text: str) -> JSON:
        """Return the next message frame with a text."""
        frame = await self.next(lambda f: f["op"] == "message" and text in json.dumps(f["message"]))
        return dict(frame["message"])


@asynccontextmanager
async def window(playground: Playground, person: str) -> AsyncIterator[Window]:
    """Open a window as the page does."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(
            f"{playground.url}/page/ws?as={person}", origin=playground.url
        ) as socket,
    ):
        yield Window(socket)

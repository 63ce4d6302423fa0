"""Gateway sessions and the WebSocket connections they run on."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
from enum import IntFlag
from typing import Any, Final

from aiohttp import web

from playground.errors import JSON

MAX_REPLAYED_EVENTS: Final = 2000


class Intent(IntFlag):
    """The relevant gateway intents, with Discord's bits."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_PRESENCES = 1 << 8
    GUILD_MESSAGES = 1 << 9
    GUILD_MESSAGE_TYPING = 1 << 11
    DIRECT_MESSAGES = 1 << 12
    DIRECT_MESSAGE_TYPING = 1 << 14
    MESSAGE_CONTENT = 1 << 15


PRIVILEGED: Final = Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES | Intent.MESSAGE_CONTENT


@dataclass(slots=True, eq=False)
class Session:
    """The session of a bot or of one of its shards. It outlives its connection."""

    id: str
    intents: int
    shard: tuple[int, int] = (0, 1)
    sequence: int = 0
    replay: deque[tuple[int, str]] = field(
        default_factory=lambda: deque(maxlen=MAX_REPLAYED_EVENTS)
    )
    connection: Connection | None = None
    disconnected_at: float = 0.0

    def owns(self, guild_id: int | None) -> bool:
        """Return whether a server belongs to this shard. Shard 0 has the direct messages."""
        number, count = self.shard
        return number == ((guild_id >> 22) % count if guild_id else 0)

    def dispatch(self, name: str, data: JSON) -> None:
        """Send an event, now or on resume."""
        self.sequence += 1
        text = json.dumps(
            {"op": 0, "t": name, "s": self.sequence, "d": data}, separators=(",", ":")
        )
        self.replay.append((self.sequence, text))
        if self.connection is not None:
            self.connection.send(text)


class GatewayClose(Exception):
    """The client's mistake, which closes the connection with a code."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


class Connection:
    """A WebSocket with a send queue, written by its own task."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.BaseTransport) -> None:
        self.socket = socket
        self._transport = transport
        peer = transport.get_extra_info("peername")
        self.port: int = peer[1] if peer else 0
        """The TCP port at the bot's end."""
        self._queue: asyncio.Queue[str | GatewayClose] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    def send(self, text: str) -> None:
        """Queue a message."""
        self._queue.put_nowait(text)

    def send_op(self, op: int, data: Any = None) -> None:
        """Queue a message other than a dispatch."""
        self.send(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def close(self, reason: GatewayClose) -> None:
        """Close the connection after the queued messages."""
        self._queue.put_nowait(reason)

    async def _write(self) -> None:
        try:
            while True:
                item = await self._queue.get()
                if isinstance(item, GatewayClose):
                    await self.socket.close(code=item.code, message=item.reason.encode())
                    return
                await self.socket.send_str(item)
        except (ConnectionError, RuntimeError):
            return

    def abort(self) -> None:
        """Drop the connection without a close frame."""
        if isinstance(self._transport, asyncio.Transport):
            self._transport.abort()

    async def closed(self) -> None:
        """Wait until the close frame is sent or the connection is lost."""
        await self._writer

    async def stop(self) -> None:
        """Stop writing."""
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

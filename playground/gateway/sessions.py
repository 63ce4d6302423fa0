"""What the gateway remembers of a bot, and the line to it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from dataclasses import dataclass, field
from enum import IntFlag
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from aiohttp import web

    from playground.errors import JSON

KEPT_EVENTS: Final = 2000


class Intent(IntFlag):
    """What a bot may ask to hear of."""

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
    """What the gateway remembers of one bot, or of one shard of it."""

    id: str
    intents: int
    shard: tuple[int, int] = (0, 1)
    sequence: int = 0
    kept: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=KEPT_EVENTS))
    socket: Connection | None = None
    left_at: float = 0.0

    def concerns(self, guild_id: int | None) -> bool:
        """Tell whether this shard looks after a server; shard 0 has the direct messages."""
        number, count = self.shard
        return number == ((guild_id >> 22) % count if guild_id else 0)

    def dispatch(self, name: str, data: JSON) -> None:
        """Tell the bot of an event, now or when it resumes."""
        self.sequence += 1
        text = json.dumps(
            {"op": 0, "t": name, "s": self.sequence, "d": data}, separators=(",", ":")
        )
        self.kept.append((self.sequence, text))
        if self.socket is not None:
            self.socket.send(text)


class Closed(Exception):
    """The client did something for which the gateway closes the connection."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code
        self.why = why


class Connection:
    """One WebSocket. Sending never waits: a task of its own writes what is queued."""

    def __init__(self, socket: web.WebSocketResponse, transport: asyncio.BaseTransport) -> None:
        self.socket = socket
        self._transport = transport
        self._queue: asyncio.Queue[str | Closed] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    def send(self, text: str) -> None:
        """Queue a message."""
        self._queue.put_nowait(text)

    def send_op(self, op: int, data: Any = None) -> None:
        """Queue a message that is not an event."""
        self.send(json.dumps({"op": op, "d": data, "s": None, "t": None}))

    def close(self, goodbye: Closed) -> None:
        """Queue a goodbye; nothing is sent after it."""
        self._queue.put_nowait(goodbye)

    async def _write(self) -> None:
        try:
            while True:
                item = await self._queue.get()
                if isinstance(item, Closed):
                    await self.socket.close(code=item.code, message=item.why.encode())
                    return
                await self.socket.send_str(item)
        except (ConnectionError, RuntimeError):
            return

    def tear(self) -> None:
        """Break the line without a word."""
        if isinstance(self._transport, asyncio.Transport):
            self._transport.abort()

    async def written(self) -> None:
        """Return when the goodbye has been said, or nobody is there to hear it."""
        await self._writer

    async def stop(self) -> None:
        """Stop writing."""
        self._writer.cancel()
        await asyncio.gather(self._writer, return_exceptions=True)

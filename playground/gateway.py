"""The gateway: where the bot hears of everything, over a WebSocket.

A session outlives its connection. What happens while the bot is away is kept, numbered, and told
when it resumes. Commands that are not understood, bad tokens and unlisted intents close the
connection with Discord's codes.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from dataclasses import dataclass, field
from enum import IntFlag
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSMsgType, web

from playground import events, payloads
from playground.model import ChannelKind
from playground.permissions import Permission, permissions_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from playground.errors import JSON
    from playground.interactions import Interactions
    from playground.model import Channel, Guild, Message
    from playground.world import World

HEARTBEAT_MS: Final = 41_250
KEPT_EVENTS: Final = 2000
RESUME_SECONDS: Final = 300.0
_DISCORD_EPOCH_SHIFT: Final = 22


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
        return number == ((guild_id >> _DISCORD_EPOCH_SHIFT) % count if guild_id else 0)

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


class Gateway:
    """Lets bots in, and tells them what happens.

    Attributes:
        granted: the privileged intents switched on for the application; none, if not said.
        unreachable: while True, nobody can connect.
        identifies: how often a bot has identified.
        resumes: how often a session was resumed.
    """

    def __init__(
        self,
        world: World,
        interactions: Interactions,
        token: str,
        welcome: Callable[[], None],
    ) -> None:
        self._world = world
        self._interactions = interactions
        self._token = token
        self._welcome = welcome
        self._changed = asyncio.Event()
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.granted = Intent(0)
        self.unreachable = False
        self.identifies = 0
        self.resumes = 0
        self._connections: set[Connection] = set()
        world.listen(self._hear)

    # What tests and the page ask and do

    @property
    def connected(self) -> bool:
        """Whether a bot is here at this moment."""
        return any(session.socket is not None for session in self.sessions.values())

    async def wait_connected(self, *, present: bool = True, timeout: float = 20.0) -> None:
        """Wait until a bot is here, or, with ``present=False``, until none is.

        Raises:
            TimeoutError: after ``timeout`` real seconds.
        """
        async with asyncio.timeout(timeout):
            while self.connected is not present:
                self._changed.clear()
                await self._changed.wait()

    def drop(self) -> None:
        """Break every line without a word, as a failing network does. Sessions can be resumed."""
        for connection in list(self._connections):
            connection.tear()
        self._leave_all()

    def close(self, code: int) -> None:
        """Close every connection with a code, such as 4000. Sessions can be resumed."""
        for connection in list(self._connections):
            connection.close(Closed(code, ""))
        self._leave_all()

    def reconnect(self) -> None:
        """Ask every bot to connect again and resume (op 7)."""
        for connection in list(self._connections):
            connection.send_op(7)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Tell every bot that its session is no good (op 9)."""
        for connection in list(self._connections):
            connection.send_op(9, resumable)
        if not resumable:
            self._leave_all()
            self.sessions.clear()

    def _leave_all(self) -> None:
        for session in self.sessions.values():
            self._leave(session)

    def _leave(self, session: Session) -> None:
        if session.socket is not None:
            session.socket = None
            session.left_at = self._world.clock.time()
            self._changed.set()

    # A connection

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve one WebSocket until it closes."""
        if self.unreachable or request.transport is None:
            return web.Response(status=503)
        socket = web.WebSocketResponse(max_msg_size=4096 * 4, compress=False)
        await socket.prepare(request)
        connection = Connection(socket, request.transport)
        self._connections.add(connection)
        connection.send_op(10, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []})
        session: Session | None = None
        try:
            async for frame in socket:
                if frame.type is not WSMsgType.TEXT:
                    raise Closed(4002, "Error while decoding payload.")  # noqa: TRY301 - the one place that closes
                session = self._receive(connection, session, frame.data)
        except Closed as closed:
            connection.close(closed)
            await connection.written()
        except ConnectionError:
            pass
        finally:
            self._connections.discard(connection)
            if session is not None and session.socket is connection:
                self._leave(session)
                if socket.close_code in {1000, 1001}:
                    self.sessions.pop(session.id, None)
            await connection.stop()
        return socket

    def _receive(
        self, connection: Connection, session: Session | None, text: str
    ) -> Session | None:
        if len(text) > 4096:
            raise Closed(4002, "Payload too large.")
        try:
            message = json.loads(text)
            op, data = message["op"], message.get("d")
        except (ValueError, KeyError, TypeError):
            raise Closed(4002, "Error while decoding payload.") from None
        match op:
            case 1:
                connection.send_op(11)
            case 2:
                if session is not None:
                    raise Closed(4005, "Already authenticated.")
                return self._identify(connection, data)
            case 6:
                return self._resume(connection, data)
            case 3 | 4 | 8 if session is None:
                raise Closed(4003, "Not authenticated.")
            case 8:
                assert session is not None
                self._tell_members(session, data)
            case 3 | 4:
                pass
            case _:
                raise Closed(4001, "Unknown opcode.")
        return session

    def _identify(self, connection: Connection, data: JSON) -> Session:
        if data.get("token") != self._token:
            raise Closed(4004, "Authentication failed.")
        intents = int(data.get("intents", 0))
        if intents & PRIVILEGED & ~self.granted:
            raise Closed(4014, "Disallowed intent(s).")
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            raise Closed(4010, "Invalid shard.")
        self._welcome()
        self._forget_old()
        session = Session(secrets.token_hex(16), intents, (number, count), socket=connection)
        self.sessions[session.id] = session
        self.identifies += 1
        world = self._world
        here = [
            guild
            for guild in world.guilds.values()
            if world.bot.id in guild.members and session.concerns(guild.id)
        ]
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": payloads.own_user(world.bot),
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in here],
                "session_id": session.id,
                "resume_gateway_url": self.url,
                "shard": [number, count],
                "application": {"id": str(world.application.id), "flags": 0},
                "private_channels": [],
                "_trace": [],
            },
        )
        for guild in here:
            session.dispatch("GUILD_CREATE", self._guild(guild))
        self._changed.set()
        return session

    def _resume(self, connection: Connection, data: JSON) -> Session | None:
        if data.get("token") != self._token:
            raise Closed(4004, "Authentication failed.")
        self._forget_old()
        session = self.sessions.get(str(data.get("session_id")))
        heard = int(data.get("seq") or 0)
        if session is None or heard > session.sequence:
            connection.send_op(9, data=False)
            return None
        if session.kept and session.kept[0][0] > heard + 1:
            del self.sessions[session.id]
            connection.send_op(9, data=False)
            return None
        session.socket = None
        for number, text in session.kept:
            if number > heard:
                connection.send(text)
        session.socket = connection
        session.dispatch("RESUMED", {"_trace": []})
        self.resumes += 1
        self._changed.set()
        return session

    def _forget_old(self) -> None:
        oldest = self._world.clock.time() - RESUME_SECONDS
        for session in list(self.sessions.values()):
            if session.socket is None and session.left_at < oldest:
                del self.sessions[session.id]

    def _guild(self, guild: Guild) -> JSON:
        bot = self._world.bot
        visible = [
            channel
            for channel in (*guild.channels.values(), *guild.threads.values())
            if permissions_in(bot, channel) & Permission.VIEW_CHANNEL
        ]
        return payloads.whole_guild(guild, bot.id, visible)

    def _tell_members(self, session: Session, data: JSON) -> None:
        guild = self._world.guilds.get(int(data["guild_id"]))
        if guild is None:
            return
        asked = {int(u) for u in data.get("user_ids") or ()}
        query = str(data.get("query") or "").lower()
        members = [
            member
            for member in guild.members.values()
            if (member.user.id in asked if asked else member.user.name.startswith(query))
        ]
        limit = int(data.get("limit") or 0) or len(members)
        chunk: JSON = {
            "guild_id": str(guild.id),
            "members": [payloads.member(member) for member in members[:limit]],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [],
        }
        if "nonce" in data:
            chunk["nonce"] = data["nonce"]
        session.dispatch("GUILD_MEMBERS_CHUNK", chunk)

    # News

    def _tell(self, guild_id: int | None, intents: int, name: str, data: JSON) -> None:
        for session in self.sessions.values():
            if session.concerns(guild_id) and (not intents or session.intents & intents):
                session.dispatch(name, data)

    def _hear(self, event: events.Event) -> None:
        if not self.sessions:
            return
        bot = self._world.bot
        match event:
            case events.InteractionMade(interaction):
                guild = interaction.channel.guild
                self._tell(
                    guild.id if guild else None,
                    0,
                    "INTERACTION_CREATE",
                    self._interactions.described(interaction),
                )
            case events.MessageSent(message):
                self._tell_message("MESSAGE_CREATE", message)
            case events.MessageEdited(message):
                self._tell_message("MESSAGE_UPDATE", message)
            case events.MessageDeleted(message) if message.ephemeral_for is None:
                data: JSON = {"id": str(message.id), "channel_id": str(message.channel.id)}
                if message.channel.guild is not None:
                    data["guild_id"] = str(message.channel.guild.id)
                self._tell_in(message.channel, _message_intent(message.channel), "MESSAGE_DELETE", data)
            case events.ThreadMade(thread):
                data = {**payloads.channel(thread), "newly_created": True}
                self._tell_in(thread, Intent.GUILDS, "THREAD_CREATE", data)
            case events.ChannelMade(channel) if channel.kind is ChannelKind.TEXT:
                self._tell_in(channel, Intent.GUILDS, "CHANNEL_CREATE", payloads.channel(channel))
            case events.ChannelChanged(channel) if channel.guild is not None:
                name = "THREAD_UPDATE" if channel.is_thread else "CHANNEL_UPDATE"
                self._tell_in(channel, Intent.GUILDS, name, payloads.channel(channel))
            case events.ChannelRemoved(channel) if channel.guild is not None:
                name = "THREAD_DELETE" if channel.is_thread else "CHANNEL_DELETE"
                self._tell(channel.guild.id, Intent.GUILDS, name, payloads.channel(channel))
            case events.GuildJoined(guild):
                self._tell(guild.id, Intent.GUILDS, "GUILD_CREATE", self._guild(guild))
            case events.GuildLeft(guild):
                self._tell(guild.id, Intent.GUILDS, "GUILD_DELETE", {"id": str(guild.id)})
            case events.Typing(channel, user) if user is not bot:
                self._tell_typing(channel, user.id)
            case _:
                pass

    def _tell_typing(self, channel: Channel, user_id: int) -> None:
        direct = channel.kind is ChannelKind.DIRECT
        intent = Intent.DIRECT_MESSAGE_TYPING if direct else Intent.GUILD_MESSAGE_TYPING
        data = {
            "channel_id": str(channel.id),
            "user_id": str(user_id),
            "timestamp": int(self._world.clock.time()),
        }
        self._tell_in(channel, intent, "TYPING_START", data)

    def _tell_in(self, channel: Channel, intents: int, name: str, data: JSON) -> None:
        if self._world.can_see(self._world.bot, channel):
            self._tell(channel.guild.id if channel.guild else None, intents, name, data)

    def _tell_message(self, name: str, message: Message) -> None:
        if message.ephemeral_for is not None:
            return
        channel, bot = message.channel, self._world.bot
        intent = _message_intent(channel)
        if not any(session.intents & intent for session in self.sessions.values()):
            return
        if not self._world.can_see(bot, channel):
            return
        data = payloads.message_event(message)
        open_to_bot = (
            message.author is bot
            or bot in message.mentions
            or channel.kind is ChannelKind.DIRECT
            or self.granted & Intent.MESSAGE_CONTENT
        )
        if not open_to_bot:
            data = {**data, "content": "", "embeds": [], "attachments": [], "components": []}
        self._tell_in(channel, intent, name, data)


def _message_intent(channel: Channel) -> Intent:
    direct = channel.kind is ChannelKind.DIRECT
    return Intent.DIRECT_MESSAGES if direct else Intent.GUILD_MESSAGES

"""The gateway server: sends the bot events over a WebSocket.

A session outlives its connection: events missed meanwhile are replayed on resume. Invalid
payloads, tokens and intents close the connection with Discord's close codes.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable
from typing import Any, Final

from aiohttp import WSMsgType, web

from playground import payloads
from playground.errors import JSON, SAFETY_SECONDS
from playground.gateway.dispatch import Dispatcher
from playground.gateway.member_requests import MemberRequests
from playground.gateway.session_starts import SessionStarts
from playground.gateway.sessions import PRIVILEGED, Connection, GatewayClose, Intent, Session
from playground.model import Guild
from playground.world import World

HEARTBEAT_MS: Final = 41_250
RESUME_SECONDS: Final = 300.0
MAX_PAYLOAD: Final = 4096
IDENTIFY_SECONDS: Final = 30.0
"""Real seconds until a client that does not say who it is is disconnected."""
ACK_SECONDS: Final = 0.05
"""Delay of heartbeat acknowledgements. discord.py records heartbeats in another thread; if the
acknowledgement comes first, it warns that the connection is 41 seconds behind."""


class Gateway:
    """Accepts the bot's connections and dispatches events to them.

    Attributes:
        unreachable: while True, no client can connect.
        shards: the recommended number of shards.
        max_guilds_per_shard: a shard with more servers is refused (4011).
        identifies: the number of sessions begun so far.
        starts: limits how often sessions may begin.
        resumes: the number of resumed sessions so far.
        member_requests: answers Request Guild Members.
    """

    def __init__(self, world: World, token: str, invite_bot: Callable[[], None]) -> None:
        self._world = world
        self._token = token
        self._invite_bot = invite_bot
        self._changed = asyncio.Event()
        self._granted = Intent(0)
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.unreachable = False
        self.shards = 1
        self.max_guilds_per_shard = 2500
        self.identifies = 0
        self.starts = SessionStarts(world.clock)
        self.resumes = 0
        self.presence = ""
        """The text in the bot's status, as a shard has set it last."""
        self._connections: set[Connection] = set()
        self.member_requests = MemberRequests(world)
        self._dispatcher = Dispatcher(world, self.sessions)
        world.subscribe(self._dispatcher.on_event)

    @property
    def granted(self) -> Intent:
        """The privileged intents enabled for the application; none by default."""
        return self._granted

    @granted.setter
    def granted(self, intents: Intent) -> None:
        self._granted = intents
        self._dispatcher.content_granted = bool(intents & Intent.MESSAGE_CONTENT)

    # For tests and the chat page

    @property
    def connected(self) -> bool:
        """Whether a bot is connected."""
        return any(session.connection is not None for session in self.sessions.values())

    def connections_of(self, number: int) -> int:
        """Return the number of open connections of a shard: two during a handover between bots."""
        return sum(
            session.connection is not None and session.shard[0] == number
            for session in self.sessions.values()
        )

    def describe(self, guild: Guild) -> JSON:
        """Return GUILD_CREATE's data of a server, after inviting the bot to it."""
        self._world.invite_bot(guild)
        return self._dispatcher.guild(guild)

    async def wait_connected(
        self, *, present: bool = True, timeout: float = SAFETY_SECONDS
    ) -> None:
        """Wait until a bot is connected, or, with ``present=False``, none is.

        Raises:
            TimeoutError: after ``timeout`` real seconds.
        """
        async with asyncio.timeout(timeout):
            while self.connected is not present:
                self._changed.clear()
                await self._changed.wait()

    def drop(self) -> None:
        """Drop all connections without a close frame. Sessions can be resumed."""
        for connection in list(self._connections):
            connection.abort()
        self._disconnect_all()

    def close(self, code: int) -> None:
        """Close all connections with a code, such as 4000. Sessions can be resumed."""
        for connection in list(self._connections):
            connection.close(GatewayClose(code, ""))
        self._disconnect_all()

    def reconnect(self) -> None:
        """Ask all clients to reconnect and resume (op 7)."""
        for connection in list(self._connections):
            connection.send_op(7)

    def invalidate(self, *, resumable: bool = False) -> None:
        """Invalidate all sessions (op 9)."""
        for connection in list(self._connections):
            connection.send_op(9, resumable)
        if not resumable:
            self._disconnect_all()
            self.sessions.clear()

    def _disconnect_all(self) -> None:
        for session in self.sessions.values():
            self._disconnect(session)

    def _disconnect(self, session: Session) -> None:
        if session.connection is not None:
            session.connection = None
            session.disconnected_at = self._world.clock.time()
            self._changed.set()

    # A connection

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Serve a WebSocket until it closes."""
        if self.unreachable or request.transport is None:
            return web.Response(status=503)
        if "Origin" in request.headers:  # a web page, which is no bot
            return web.Response(status=403)
        socket = web.WebSocketResponse(max_msg_size=MAX_PAYLOAD * 4, compress=False)
        await socket.prepare(request)
        connection = Connection(socket, request.transport)
        self._connections.add(connection)
        connection.send_op(10, {"heartbeat_interval": HEARTBEAT_MS, "_trace": []})
        session: Session | None = None
        try:
            async with asyncio.timeout(IDENTIFY_SECONDS) as patience:
                async for frame in socket:
                    text = frame.data if frame.type is WSMsgType.TEXT else ""
                    session = self._receive(connection, session, text)
                    if session is not None:
                        patience.reschedule(None)
        except TimeoutError:
            connection.close(GatewayClose(4003, "Not authenticated."))
            await connection.closed()
        except GatewayClose as reason:
            connection.close(reason)
            await connection.closed()
        except ConnectionError:
            pass
        finally:
            self._connections.discard(connection)
            if session is not None and session.connection is connection:
                self._disconnect(session)
                if socket.close_code in {1000, 1001}:
                    self.sessions.pop(session.id, None)
            await connection.stop()
        return socket

    def _receive(
        self, connection: Connection, session: Session | None, text: str
    ) -> Session | None:
        if len(text) > MAX_PAYLOAD:
            raise GatewayClose(4002, "Payload too large.")
        try:
            message = json.loads(text)
            return self._obey(connection, session, message["op"], message.get("d"))
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            RecursionError,
            TypeError,
            ValueError,
        ):
            raise GatewayClose(4002, "Error while decoding payload.") from None

    def _obey(
        self, connection: Connection, session: Session | None, op: object, data: Any
    ) -> Session | None:
        match op:
            case 1:
                asyncio.get_running_loop().call_later(ACK_SECONDS, connection.send_op, 11)
            case 2:
                if session is not None:
                    raise GatewayClose(4005, "Already authenticated.")
                return self._identify(connection, data)
            case 6:
                return self._resume(connection, data)
            case 3 | 4 | 8 if session is None:
                raise GatewayClose(4003, "Not authenticated.")
            case 8:
                assert session is not None
                self.member_requests.handle(session, data)
            case 3:
                self.presence = "".join(str(one.get("state", "")) for one in data["activities"])
            case 4:
                pass
            case _:
                raise GatewayClose(4001, "Unknown opcode.")
        return session

    def _identify(self, connection: Connection, data: JSON) -> Session | None:
        if data.get("token") != self._token:
            raise GatewayClose(4004, "Authentication failed.")
        intents = int(data.get("intents", 0))
        if intents & PRIVILEGED & ~self.granted:
            raise GatewayClose(4014, "Disallowed intent(s).")
        number, count = data.get("shard") or (0, 1)
        if not 0 <= number < count:
            raise GatewayClose(4010, "Invalid shard.")
        if not self.starts.accepts((number, count)):
            connection.send_op(9, data=False)
            return None
        self._invite_bot()
        self._forget_old()
        world = self._world
        session = Session(secrets.token_hex(16), intents, (number, count), connection=connection)
        guilds = [
            guild
            for guild in world.guilds.values()
            if world.bot.id in guild.members and session.owns(guild.id)
        ]
        if len(guilds) > self.max_guilds_per_shard:
            raise GatewayClose(4011, "Sharding required.")
        self.sessions[session.id] = session
        self.identifies += 1
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": payloads.own_user(world.bot),
                "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "resume_gateway_url": self.url,
                "shard": [number, count],
                "application": {
                    "id": str(world.application.id),
                    "flags": world.application.flags,
                },
                "private_channels": [],
                "_trace": [],
            },
        )
        for guild in guilds:
            if not guild.unavailable:
                session.dispatch("GUILD_CREATE", self._dispatcher.guild(guild))
        self._changed.set()
        return session

    def _resume(self, connection: Connection, data: JSON) -> Session | None:
        if data.get("token") != self._token:
            raise GatewayClose(4004, "Authentication failed.")
        self._forget_old()
        session = self.sessions.get(str(data.get("session_id")))
        seen = int(data.get("seq") or 0)
        if session is None or seen > session.sequence:
            connection.send_op(9, data=False)
            return None
        if session.replay and session.replay[0][0] > seen + 1:
            del self.sessions[session.id]
            connection.send_op(9, data=False)
            return None
        for number, text in session.replay:
            if number > seen:
                connection.send(text)
        session.connection = connection
        session.dispatch("RESUMED", {"_trace": []})
        self.resumes += 1
        self._changed.set()
        return session

    def _forget_old(self) -> None:
        oldest = self._world.clock.time() - RESUME_SECONDS
        for session in list(self.sessions.values()):
            if session.connection is None and session.disconnected_at < oldest:
                del self.sessions[session.id]

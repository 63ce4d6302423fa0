"""The gateway: where the bot hears of everything, over a WebSocket.

A session outlives its connection. What happens while the bot is away is kept, numbered, and told
when it resumes. Commands that are not understood, bad tokens and unlisted intents close the
connection with Discord's codes.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import TYPE_CHECKING, Final

from aiohttp import WSMsgType, web

from playground import payloads
from playground.gateway.dispatch import Dispatcher
from playground.gateway.member_requests import MemberRequests
from playground.gateway.sessions import PRIVILEGED, Closed, Connection, Intent, Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from playground.errors import JSON
    from playground.interactions import Interactions
    from playground.world import World

HEARTBEAT_MS: Final = 41_250
RESUME_SECONDS: Final = 300.0
ACK_SECONDS: Final = 0.05
"""How far away the gateway is. discord.py notes a heartbeat in a thread of its own, and where the
answer overtakes that it warns of a connection that is 41 seconds behind."""


class Gateway:
    """Lets bots in, and tells them what happens.

    Attributes:
        unreachable: while True, nobody can connect.
        identifies: how often a bot has identified.
        resumes: how often a session was resumed.
        roll: answers who is a member of a server.
    """

    def __init__(
        self,
        world: World,
        interactions: Interactions,
        token: str,
        invite_bot: Callable[[], None],
    ) -> None:
        self._world = world
        self._token = token
        self._invite_bot = invite_bot
        self._changed = asyncio.Event()
        self._granted = Intent(0)
        self.url = ""
        self.sessions: dict[str, Session] = {}
        self.unreachable = False
        self.identifies = 0
        self.resumes = 0
        self._connections: set[Connection] = set()
        self.member_requests = MemberRequests(world)
        self._news = Dispatcher(world, interactions, self.sessions)
        world.subscribe(self._news.hear)

    @property
    def granted(self) -> Intent:
        """The privileged intents switched on for the application; none, if not said."""
        return self._granted

    @granted.setter
    def granted(self, intents: Intent) -> None:
        self._granted = intents
        self._news.content_granted = bool(intents & Intent.MESSAGE_CONTENT)

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
                asyncio.get_running_loop().call_later(ACK_SECONDS, connection.send_op, 11)
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
                self.member_requests.call(session, data)
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
        self._invite_bot()
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
            session.dispatch("GUILD_CREATE", self._news.guild(guild))
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

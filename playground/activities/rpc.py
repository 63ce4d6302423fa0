"""Discord's side of the embedded protocol: what an Activity says to the client that shows it.

Messages are lists ``[opcode, data]``. The Activity begins with a HANDSHAKE, is told READY, and sends
commands as FRAMEs. Each is answered under its nonce, with data or an error. CLOSE ends it, from both
sides. Names, codes and scopes are Discord's, as its SDK uses them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Final
from urllib.parse import urlsplit

from playground import payloads
from playground.access import can_see, permissions_in
from playground.activities.model import Frame
from playground.activities.oauth2 import SCOPES, OAuth2
from playground.errors import JSON
from playground.model import Channel, User
from playground.world import World

log = logging.getLogger(__name__)

Post = Callable[[list[Any]], None]
Ask = Callable[[JSON], None]
Closed = Callable[[str | None], None]

CLOSE_NORMAL: Final = 1000
_MAX_LOGGED: Final = 2000
_DENIED: Final = "access_denied: The resource owner or authorization server denied the request"
_BAD_SCOPE: Final = "invalid_scope: The requested scope is invalid, unknown, or malformed."


class Opcode(IntEnum):
    """The kinds of messages."""

    HANDSHAKE = 0
    FRAME = 1
    CLOSE = 2


class CloseCode(IntEnum):
    """Why a connection is refused."""

    INVALID_CLIENTID = 4000
    INVALID_ORIGIN = 4001
    INVALID_VERSION = 4004
    INVALID_ENCODING = 4005


class ErrorCode(IntEnum):
    """Why a command is refused."""

    INVALID_PAYLOAD = 4000
    INVALID_COMMAND = 4002
    INVALID_EVENT = 4004
    INVALID_CHANNEL = 4005
    INVALID_PERMISSIONS = 4006
    INVALID_CLIENTID = 4007
    INVALID_TOKEN = 4009
    OAUTH2 = 5000


class RpcError(Exception):
    """A refused command."""

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


_EVENTS: Final[dict[str, str | None]] = {
    "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE": None,
    "ACTIVITY_JOIN": None,
    "ACTIVITY_LAYOUT_MODE_UPDATE": None,
    "CURRENT_GUILD_MEMBER_UPDATE": "guilds.members.read",
    "CURRENT_USER_UPDATE": "identify",
    "ENTITLEMENT_CREATE": None,
    "ORIENTATION_UPDATE": None,
    "THERMAL_STATE_UPDATE": None,
}
"""What can be subscribed to, and the scope that it needs."""


class RpcServer:
    """The connection to the Activity in one frame.

    Args:
        world: the state.
        oauth2: what people allowed.
        frame: the frame.
        post: sends a message to the Activity.
        ask: asks the person ``{nonce, kind, ...}``; :meth:`decide` has their answer.
        closed: called when the Activity ends, with what it has to say, if it says something.
    """

    def __init__(
        self, world: World, oauth2: OAuth2, frame: Frame, *, post: Post, ask: Ask, closed: Closed
    ) -> None:
        self._world = world
        self._oauth2 = oauth2
        self.frame = frame
        self._post = post
        self._ask = ask
        self._closed = closed
        self._connected = False
        self._scopes: frozenset[str] = frozenset()
        self._subscribed: set[str] = set()
        self._asked: dict[str, tuple[str, JSON]] = {}
        self._commands: dict[str, tuple[str | None, Callable[[JSON], JSON | None]]] = {
            "AUTHENTICATE": (None, self._authenticate),
            "CAPTURE_LOG": (None, self._capture_log),
            "ENCOURAGE_HW_ACCELERATION": (None, lambda _: {"enabled": True}),
            "GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS": (None, lambda _: self._participants()),
            "GET_CHANNEL": ("guilds", self._get_channel),
            "GET_CHANNEL_PERMISSIONS": ("guilds.members.read", self._get_permissions),
            "GET_PLATFORM_BEHAVIORS": (None, lambda _: {"iosKeyboardResizesView": True}),
            "SET_ACTIVITY": ("rpc.activities.write", self._set_activity),
            "SET_CONFIG": (None, self._set_config),
            "SET_ORIENTATION_LOCK_STATE": (None, lambda _: None),
            "USER_SETTINGS_GET_LOCALE": ("identify", lambda _: {"locale": self._user.locale}),
        }

    @property
    def _user(self) -> User:
        return self.frame.user

    # Messages

    def receive(self, message: list[Any]) -> None:
        """Take a message of the Activity. What is no message of the protocol is ignored."""
        opcode, data = message if len(message) == 2 else (None, None)
        if not isinstance(data, dict):
            return
        match opcode:
            case Opcode.HANDSHAKE:
                self._handshake(data)
            case Opcode.FRAME if self._connected:
                self._command(data)
            case Opcode.CLOSE:
                code, words = data.get("code"), data.get("message")
                shown = isinstance(words, str) and code != CLOSE_NORMAL
                self._closed(words if shown else None)
            case _:
                pass

    def participants_changed(self) -> None:
        """Tell the Activity who is in it, if it wants to know."""
        self._dispatch("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", self._participants())

    def _handshake(self, data: JSON) -> None:
        self._connected, self._scopes = False, frozenset()
        self._subscribed, self._asked = set(), {}
        version, encoding = data.get("v"), data.get("encoding", "json")
        if version != 1:
            self._refuse(CloseCode.INVALID_VERSION, f"Invalid Version: {version}")
        elif encoding != "json":
            self._refuse(CloseCode.INVALID_ENCODING, f"Invalid Encoding: {encoding}")
        elif data.get("client_id") != str(self._world.application.id):
            self._refuse(CloseCode.INVALID_CLIENTID, "Invalid Client ID")
        elif data.get("frame_id") != self.frame.id:
            self._refuse(CloseCode.INVALID_ORIGIN, "Invalid Origin")
        else:
            self._connected = True
            host = urlsplit(self._world.cdn_base).netloc
            config = {
                "cdn_host": f"{host}/cdn",
                "api_endpoint": f"//{host}/api",
                "environment": "production",
            }
            ready = {"v": 1, "config": config}
            self._send({"cmd": "DISPATCH", "data": ready, "evt": "READY", "nonce": None})

    def _refuse(self, code: CloseCode, message: str) -> None:
        self._post([int(Opcode.CLOSE), {"code": int(code), "message": message}])

    def _send(self, data: JSON) -> None:
        self._post([int(Opcode.FRAME), data])

    def _dispatch(self, event: str, data: JSON) -> None:
        if event in self._subscribed:
            self._send({"cmd": "DISPATCH", "data": data, "evt": event, "nonce": None})

    def _command(self, data: JSON) -> None:
        name, nonce = str(data.get("cmd")), data.get("nonce")
        try:
            self._do(name, nonce, data.get("evt"), data.get("args") or {})
        except RpcError as refusal:
            self._fail(name, nonce, refusal)

    def _do(self, name: str, nonce: Any, event: Any, args: Any) -> None:
        if not isinstance(nonce, str) or not nonce:
            raise RpcError(ErrorCode.INVALID_PAYLOAD, "Payload requires a nonce")
        if not isinstance(args, dict):
            raise RpcError(ErrorCode.INVALID_PAYLOAD, "Invalid args")
        match name:
            case "AUTHORIZE":
                self._authorize(nonce, args)
            case "OPEN_EXTERNAL_LINK":
                self._open_link(nonce, args)
            case "SUBSCRIBE" | "UNSUBSCRIBE":
                self._subscribe(name, nonce, event)
            case _:
                scope, act = self._commands.get(name, (None, None))
                if act is None:
                    raise RpcError(ErrorCode.INVALID_COMMAND, f"Invalid command: {name}")
                self._need(scope)
                self._answer(name, nonce, act(args))

    def _need(self, scope: str | None) -> None:
        if scope is not None and scope not in self._scopes:
            raise RpcError(ErrorCode.INVALID_PERMISSIONS, "Not authenticated or invalid scope")

    def _answer(self, name: str, nonce: str, data: JSON | None) -> None:
        self._send({"cmd": name, "data": data, "evt": None, "nonce": nonce})

    def _fail(self, name: str, nonce: Any, refusal: RpcError) -> None:
        error = {"code": int(refusal.code), "message": refusal.message}
        self._send({"cmd": name, "data": error, "evt": "ERROR", "nonce": nonce})

    # Questions to the person

    def decide(self, nonce: str, *, yes: bool) -> None:
        """Go on with what the person was asked."""
        name, args = self._asked.pop(nonce, ("", {}))
        if name == "AUTHORIZE" and yes:
            self._answer(name, nonce, {"code": self._oauth2.code(self._user, args["scope"])})
        elif name == "AUTHORIZE":
            self._fail(name, nonce, RpcError(ErrorCode.OAUTH2, f"OAuth2 Error: {_DENIED}"))
        elif name:
            self._answer(name, nonce, {"opened": yes})

    def _authorize(self, nonce: str, args: JSON) -> None:
        """Ask whether the application gets a code, unless it is known and ``prompt`` is ``none``."""
        if args.get("client_id") != str(self._world.application.id):
            raise RpcError(ErrorCode.INVALID_CLIENTID, "Invalid Client ID")
        if args.get("response_type", "code") != "code":
            raise RpcError(ErrorCode.INVALID_PAYLOAD, "Invalid response_type")
        scopes = args.get("scope")
        scopes = scopes.split() if isinstance(scopes, str) else scopes
        if not isinstance(scopes, list) or not scopes or not SCOPES.issuperset(map(str, scopes)):
            raise RpcError(ErrorCode.OAUTH2, f"OAuth2 Error: {_BAD_SCOPE}")
        if args.get("prompt") == "none" and self._oauth2.allows(self._user, scopes):
            self._answer("AUTHORIZE", nonce, {"code": self._oauth2.code(self._user, scopes)})
            return
        self._asked[nonce] = ("AUTHORIZE", {"scope": scopes})
        self._ask({"nonce": nonce, "kind": "authorize", "scopes": scopes})

    def _open_link(self, nonce: str, args: JSON) -> None:
        url = args.get("url")
        if not isinstance(url, str) or urlsplit(url).scheme not in {"http", "https"}:
            raise RpcError(ErrorCode.INVALID_PAYLOAD, "Invalid url")
        self._asked[nonce] = ("OPEN_EXTERNAL_LINK", {})
        self._ask({"nonce": nonce, "kind": "link", "url": url})

    # Commands

    def _authenticate(self, args: JSON) -> JSON:
        grant = self._oauth2.grant(str(args.get("access_token")))
        if grant is None or grant.user is not self._user:
            raise RpcError(ErrorCode.INVALID_TOKEN, "Invalid access token")
        self._scopes = frozenset(grant.scopes)
        application = self._world.application
        return {
            "access_token": grant.token,
            "user": _user(grant.user),
            "scopes": list(grant.scopes),
            "expires": grant.expires,
            "application": {
                "id": str(application.id),
                "name": application.name,
                "description": application.description,
                "icon": None,
                "rpc_origins": [],
            },
        }

    def _subscribe(self, name: str, nonce: str, event: Any) -> None:
        if event not in _EVENTS:
            raise RpcError(ErrorCode.INVALID_EVENT, f"Invalid event: {event}")
        self._need(_EVENTS[event])
        if name == "SUBSCRIBE":
            self._subscribed.add(event)
        else:
            self._subscribed.discard(event)
        self._answer(name, nonce, {"evt": event})
        if event == "ACTIVITY_LAYOUT_MODE_UPDATE":
            self._dispatch(event, {"layout_mode": 0})

    def _participants(self) -> JSON:
        return {"participants": [_user(user) for user in self.frame.instance.users]}

    def _capture_log(self, args: JSON) -> None:
        words = str(args.get("message"))[:_MAX_LOGGED]
        log.info("the Activity says (%s): %s", str(args.get("level"))[:10], words)

    def _get_channel(self, args: JSON) -> JSON:
        channel = self._channel(args.get("channel_id"))
        data = payloads.channel(channel)
        known = ("id", "type", "name", "topic", "position", "guild_id")
        return {
            **{key: data[key] for key in known if key in data},
            "voice_states": [],
            "messages": [],
        }

    def _channel(self, channel_id: Any) -> Channel:
        given = str(channel_id)
        known = given.isascii() and given.isdecimal() and len(given) <= 20
        channel = self._world.channels.get(int(given)) if known else None
        if channel is None or not can_see(self._user, channel):
            raise RpcError(ErrorCode.INVALID_CHANNEL, "Invalid channel")
        return channel

    def _get_permissions(self, _: JSON) -> JSON:
        return {"permissions": str(int(permissions_in(self._user, self.frame.instance.channel)))}

    def _set_activity(self, args: JSON) -> JSON:
        application = self._world.application
        shown = args.get("activity")
        return {
            "type": 0,
            **(shown if isinstance(shown, dict) else {}),
            "name": application.name,
            "application_id": str(application.id),
        }

    @staticmethod
    def _set_config(args: JSON) -> JSON:
        return {"use_interactive_pip": bool(args.get("use_interactive_pip"))}


def _user(of: User) -> JSON:
    data = payloads.user(of)
    return {**data, "bot": of.bot}

"""The chat page: its files, and the WebSocket by which a window speaks for one person.

Anybody who can reach the page can be anybody in the playground; so nobody but this machine's own
browser windows, showing this very page, may reach it:

* Requests must name a loopback host. A foreign name that resolves to this machine (DNS
  rebinding) is turned away.
* The WebSocket must come from the page's own origin: another website's script is turned away.
* The page runs no inline script or style and loads nothing from elsewhere, and files that the
  bot has uploaded are shown without any rights.

``/`` is the page (``/?as=ann`` as Ann), ``/page/<file>`` its files, ``/page/people`` who one can
be, ``/page/ws?as=ann`` the WebSocket: see :mod:`playground.chat.websocket` for what is said there.
"""

from __future__ import annotations

import json
import secrets
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from aiohttp import WSCloseCode, web

from playground.app import is_loopback
from playground.cdn import PREFIX as FILES
from playground.chat import payloads
from playground.chat.websocket import ChatSocket

if TYPE_CHECKING:
    from playground.app import Playground
    from playground.errors import JSON

FOLDER: Final = Path(__file__).with_name("static")
FRAME_BYTES: Final = 1024 * 1024
"""Enough for a file of half a megabyte, which travels in a frame, in base64."""
STRANGER: Final = 4004
_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_ALONE: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_ELSEWHERE: Final = (
    "This page is for this machine only, by the address that the playground printed."
)


def attach(town: Playground, app: web.Application) -> None:
    """Add the chat page to a playground's application."""
    ChatPage(town).register(app)


class ChatPage:
    """Serves the page and knows its windows.

    Attributes:
        closed: while true, no window gets a connection, as when the playground restarts.
    """

    def __init__(self, town: Playground) -> None:
        self.closed = False
        self._town = town
        self._epoch = secrets.token_hex(8)
        self._marks = payloads.ReadStates()
        self._windows: weakref.WeakSet[ChatSocket] = weakref.WeakSet()
        self._sockets: weakref.WeakSet[web.WebSocketResponse] = weakref.WeakSet()

    def register(self, app: web.Application) -> None:
        """Add the routes, and the headers that keep the page to itself."""
        app.router.add_get("/", self.index)
        app.router.add_get("/page/people", self.people)
        app.router.add_get("/page/ws", self.window)
        app.router.add_get("/page/{name}", self.file)
        app.on_response_prepare.append(self._protect)
        app.on_shutdown.append(self._close)

    # Routes

    async def index(self, request: web.Request) -> web.StreamResponse:
        """Serve the page."""
        _only_here(request)
        return self._serve("index.html")

    async def file(self, request: web.Request) -> web.StreamResponse:
        """Serve a script, style or drawing of the page."""
        _only_here(request)
        name = request.match_info["name"]
        if name not in {path.name for path in FOLDER.iterdir()}:
            raise web.HTTPNotFound(text="The page has no such file.")
        return self._serve(name)

    async def people(self, request: web.Request) -> web.Response:
        """List whom one can be."""
        _only_here(request)
        known = payloads.people(self._town)
        return web.json_response(
            {
                "guild": known["guild"]["name"],
                "people": [one for one in known["people"] if "key" in one],
            }
        )

    async def window(self, request: web.Request) -> web.StreamResponse:
        """Speak with one window."""
        _only_here(request)
        _only_from_page(request)
        if self.closed:
            raise web.HTTPServiceUnavailable(text="The page is closed just now.")
        socket = web.WebSocketResponse(heartbeat=30.0, max_msg_size=FRAME_BYTES)
        await socket.prepare(request)
        person = payloads.find_person(self._town, request.query.get("as", ""))
        if person is None:
            await socket.send_str(json.dumps({"op": "stranger"}))
            await socket.close(code=STRANGER, message=b"Nobody here is called that.")
            return socket
        bridge = ChatSocket(self._town, person, self._marks, self._tell_others, self._epoch)
        self._windows.add(bridge)
        self._sockets.add(socket)
        try:
            await bridge.serve(socket)
        finally:
            self._windows.discard(bridge)
        return socket

    # The rest

    @staticmethod
    def _serve(name: str) -> web.StreamResponse:
        path = FOLDER / name
        kind = {"Content-Type": f"{_TYPES[path.suffix]}; charset=utf-8"}
        return web.FileResponse(path, headers={"Cache-Control": "no-cache", **kind})

    def _tell_others(self, teller: ChatSocket, frame: JSON) -> None:
        for bridge in list(self._windows):
            if bridge is not teller and bridge.person is teller.person:
                bridge.send(frame)

    @staticmethod
    async def _protect(request: web.Request, response: web.StreamResponse) -> None:
        if request.path == "/" or request.path.startswith("/page/"):
            response.headers["Content-Security-Policy"] = (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                f"connect-src 'self' ws://{request.host}; base-uri 'none'; form-action 'none'; "
                "frame-ancestors 'none'"
            )
            response.headers["X-Content-Type-Options"] = "nosniff"
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        elif request.path.startswith(FILES + "/"):
            # A file may be a web page: opened, it must not be able to act as this one.
            response.headers["Content-Security-Policy"] = _ALONE
            response.headers["X-Content-Type-Options"] = "nosniff"

    async def _close(self, _app: web.Application) -> None:
        await self.drop_windows()

    async def drop_windows(self) -> None:
        """End the connection of every window; pages try to come back by themselves."""
        for socket in list(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY, message=b"The playground closes.")


def _only_here(request: web.Request) -> None:
    """Turn away requests that name this machine by a foreign name."""
    try:
        host = urlsplit(f"//{request.host}").hostname or ""
    except ValueError:
        host = ""
    if not is_loopback(host):
        raise web.HTTPForbidden(text=_ELSEWHERE)


def _only_from_page(request: web.Request) -> None:
    """Turn away WebSockets that another website opens."""
    if request.headers.get("Origin") != f"http://{request.host}":
        raise web.HTTPForbidden(text=_ELSEWHERE)

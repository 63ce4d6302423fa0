"""Serves the chat page and its WebSocket.

Anyone who reaches the page can act as anyone, so only this machine's browser windows showing this
page may:

* Requests must name a loopback host, which prevents DNS rebinding (`playground.http_server`).
* The WebSocket must be opened by the page's own origin, not by another website's script.
* The page runs no inline scripts or styles and loads nothing from elsewhere. It frames nothing but
  the bot's Activity, which is on another site (`playground.activities.proxy`). Files uploaded by the
  bot are served sandboxed.

Routes: ``/`` is the page (``/?as=ben`` as Ben), ``/page/<file>`` its files, ``/page/ws?as=ben`` the
WebSocket (:mod:`playground.chat.websocket`).
"""

from __future__ import annotations

import json
import secrets
import weakref
from pathlib import Path
from typing import Final

from aiohttp import WSCloseCode, web

from playground.addresses import ACTIVITY_DOMAIN, CDN_PATH, activity_host
from playground.app import Playground
from playground.chat import payloads
from playground.chat.websocket import ChatSocket
from playground.errors import JSON
from playground.http_server import host_of

FOLDER: Final = Path(__file__).with_name("static")
MAX_FRAME_BYTES: Final = 1024 * 1024  # fits a file of half a megabyte in base64
UNKNOWN_PERSON: Final = 4004
_CONTENT_TYPES: Final = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
_SANDBOX: Final = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
_FORBIDDEN: Final = "This page only opens on this machine, at the address the playground printed."


def attach(playground: Playground, app: web.Application) -> None:
    """Add the chat page to a playground's application."""
    ChatPage(playground).register(app)


class ChatPage:
    """Serves the page and its windows.

    Attributes:
        closed: while True, windows cannot connect, as during a restart.
    """

    def __init__(self, playground: Playground) -> None:
        self.closed = False
        self._playground = playground
        self._epoch = secrets.token_hex(8)
        self._read_states = payloads.ReadStates()
        self._windows: weakref.WeakSet[ChatSocket] = weakref.WeakSet()
        self._sockets: weakref.WeakSet[web.WebSocketResponse] = weakref.WeakSet()

    def register(self, app: web.Application) -> None:
        """Add the routes and the security headers."""
        app.router.add_get("/", self.index)
        app.router.add_get("/page/ws", self.websocket)
        app.router.add_get("/page/{name}", self.file)
        app.on_response_prepare.append(self._protect)
        app.on_shutdown.append(self._close)

    # Routes

    async def index(self, _: web.Request) -> web.StreamResponse:
        """Serve the page."""
        return self._serve("index.html")

    async def file(self, request: web.Request) -> web.StreamResponse:
        """Serve a script, stylesheet or icon of the page."""
        name = request.match_info["name"]
        if name not in {path.name for path in FOLDER.iterdir()}:
            raise web.HTTPNotFound(text="There's no such file here.")
        return self._serve(name)

    async def websocket(self, request: web.Request) -> web.StreamResponse:
        """Serve a window's WebSocket."""
        _check_origin(request)
        if self.closed:
            raise web.HTTPServiceUnavailable(text="The page is closed right now.")
        socket = web.WebSocketResponse(heartbeat=30.0, max_msg_size=MAX_FRAME_BYTES)
        await socket.prepare(request)
        person = payloads.find_person(self._playground, request.query.get("as", ""))
        if person is None:
            await socket.send_str(json.dumps({"op": "unknown_person"}))
            await socket.close(code=UNKNOWN_PERSON, message=b"There's nobody here by that name.")
            return socket
        chat_socket = ChatSocket(
            self._playground, person, self._read_states, self._broadcast, self._epoch
        )
        self._windows.add(chat_socket)
        self._sockets.add(socket)
        try:
            self._tell_who_is_here()
            await chat_socket.serve(socket)
        finally:
            self._windows.discard(chat_socket)
            self._tell_who_is_here()
        return socket

    @staticmethod
    def _serve(name: str) -> web.StreamResponse:
        path = FOLDER / name
        kind = {"Content-Type": f"{_CONTENT_TYPES[path.suffix]}; charset=utf-8"}
        return web.FileResponse(path, headers={"Cache-Control": "no-cache", **kind})

    def _broadcast(self, sender: ChatSocket, frame: JSON) -> None:
        for window in list(self._windows):
            if window is not sender and window.person is sender.person:
                window.send(frame)

    def _tell_who_is_here(self) -> None:
        here = sorted({window.person.id for window in self._windows})
        for window in list(self._windows):
            window.send({"op": "here", "people": [str(one) for one in here]})

    async def _protect(self, request: web.Request, response: web.StreamResponse) -> None:
        if host_of(request).endswith(ACTIVITY_DOMAIN):
            return  # the Activity's, not this page's
        if request.path == "/" or request.path.startswith("/page/"):
            application = self._playground.world.application
            activity = f"http://{activity_host(application.id)}:{request.url.port}"
            response.headers["Content-Security-Policy"] = (
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
                f"connect-src 'self' ws://{request.host}; frame-src {activity}; base-uri 'none'; form-action 'none'; "
                "frame-ancestors 'none'"
            )
            response.headers["X-Content-Type-Options"] = "nosniff"
            response.headers["Referrer-Policy"] = "no-referrer"
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        elif request.path.startswith(CDN_PATH + "/"):
            # An uploaded web page must not act with this page's rights.
            response.headers["Content-Security-Policy"] = _SANDBOX
            response.headers["X-Content-Type-Options"] = "nosniff"

    async def _close(self, _app: web.Application) -> None:
        await self.drop_windows()

    async def drop_windows(self) -> None:
        """Disconnect all windows; they try to reconnect."""
        for socket in list(self._sockets):
            await socket.close(code=WSCloseCode.GOING_AWAY, message=b"The playground is closing.")


def _check_origin(request: web.Request) -> None:
    """Reject WebSockets opened by another website."""
    if request.headers.get("Origin") != f"http://{request.host}":
        raise web.HTTPForbidden(text=_FORBIDDEN)

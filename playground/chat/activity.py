"""The Activity in a window of the chat page: at most one, until it ends or the window closes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from playground.activities.model import Frame, Instance
from playground.activities.rpc import RpcServer
from playground.addresses import activity_host
from playground.app import Playground
from playground.chat.requests import ChatRequest
from playground.errors import JSON, Impossible
from playground.interaction import Interaction


class ActivityWindow:
    """Connects the page's frame with Discord's side of the embedded protocol.

    Args:
        playground: the playground.
        send: sends a frame to the window.
    """

    def __init__(self, playground: Playground, send: Callable[[JSON], None]) -> None:
        self._playground = playground
        self._send = send
        self._rpc: RpcServer | None = None
        self._gone = False

    def table(self) -> dict[str, Callable[[ChatRequest], Awaitable[JSON]]]:
        """Return the requests by their op."""
        return {
            "embedded": self._embedded,
            "decide": self._decide,
            "leave_activity": self._leave,
        }

    def expect(self, interaction: Interaction) -> None:
        """Show the Activity that an interaction may launch, once it has been answered."""

        def answered(_: object) -> None:
            if interaction.frame is None:
                return
            if self._gone:
                self._playground.activities.close(interaction.frame)
            else:
                self.open(interaction.frame)

        interaction.acknowledged.add_done_callback(answered)

    def end(self) -> None:
        """Leave for good: the window is gone."""
        self._gone = True
        self.close()

    def open(self, frame: Frame) -> None:
        """Show an Activity instead of the one that was there."""
        self.close()
        world = self._playground.world
        self._rpc = RpcServer(
            world,
            self._playground.oauth2,
            frame,
            post=lambda message: self._tell("embedded", frame, message=message),
            ask=lambda question: self._tell("question", frame, question=question),
            closed=lambda words: self._end(frame, words),
        )
        self._tell(
            "activity",
            frame,
            name=world.application.name,
            host=activity_host(world.application.id),
            query=frame.query(),
        )

    def close(self) -> None:
        """Leave the Activity, if there is one."""
        rpc, self._rpc = self._rpc, None
        if rpc is not None:
            self._playground.activities.close(rpc.frame)

    def participants_changed(self, instance: Instance) -> None:
        """Tell the Activity that somebody came or left."""
        if self._rpc is not None and self._rpc.frame.instance is instance:
            self._rpc.participants_changed()

    def _tell(self, op: str, frame: Frame, **fields: object) -> None:
        self._send({"op": op, "frame": frame.id, **fields})

    def _end(self, frame: Frame, words: str | None) -> None:
        self.close()
        self._tell("activity_over", frame, message=words)

    def _of(self, request: ChatRequest) -> RpcServer:
        """Return the connection that a request is for."""
        if self._rpc is None or self._rpc.frame.id != request.text("frame"):
            raise Impossible("That Activity is over.")
        return self._rpc

    async def _embedded(self, request: ChatRequest) -> JSON:
        self._of(request).receive(request.items("message"))
        return {}

    async def _decide(self, request: ChatRequest) -> JSON:
        self._of(request).decide(request.text("nonce"), yes=request.flag("yes"))
        return {}

    async def _leave(self, request: ChatRequest) -> JSON:
        self._of(request)
        self.close()
        return {}

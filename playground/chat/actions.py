"""Carries out the chat page's requests (see :mod:`playground.chat.websocket`).

Ids become users, roles, channels and messages here; `Person` decides what is allowed.
"""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Any, Final

from playground import components as kinds
from playground.access import can_see
from playground.app import Playground
from playground.chat import payloads
from playground.chat.activity import ActivityWindow
from playground.chat.requests import BadChatRequest, ChatRequest
from playground.errors import JSON, Impossible, InteractionFailed
from playground.locales import LOCALES
from playground.model import Channel, Message, Role, User
from playground.people import Person
from playground.reply import Modal, Reply
from playground.uploads import Upload

PAGE_SIZE: Final = 50
_MENU_OF_OPTION: Final = {6: 5, 7: 8, 8: 6, 9: 7}
_ATTACHMENT: Final = 11


class ChatActions:
    """Carries out the requests of one window.

    Args:
        playground: the playground.
        person: the window's person.
        read_states: everyone's read state.
        send: sends a frame to this window.
        broadcast: sends a frame to the person's other windows.
    """

    def __init__(
        self,
        playground: Playground,
        person: Person,
        read_states: payloads.ReadStates,
        send: Callable[[JSON], None],
        broadcast: Callable[[JSON], None],
    ) -> None:
        self._playground = playground
        self._world = playground.world
        self._person = person
        self._read_states = read_states
        self._send = send
        self._broadcast = broadcast
        self._modals: dict[str, Modal] = {}
        self.activity = ActivityWindow(playground, send)
        self._actions: dict[str, Callable[[ChatRequest], Awaitable[JSON]]] = {
            "history": self._history,
            "commands": self._commands,
            "read": self._read,
            "say": self._say,
            "direct": self._direct,
            "locale": self._locale,
            "leave": self._leave,
            "join": self._join,
            "slash": self._slash,
            "autocomplete": self._autocomplete,
            "user_command": self._user_command,
            "press": self._press,
            "choose": self._choose,
            "submit": self._submit,
            "close_modal": self._close_modal,
            "dismiss": self._dismiss,
            **self.activity.table(),
        }

    async def do(self, request: ChatRequest) -> JSON:
        """Carry out a request and return the fields of the acknowledgement.

        Raises:
            BadChatRequest: if it is malformed.
            Impossible: if Discord's client would not allow it.
            InteractionFailed: if the bot does not respond in time.
        """
        action = self._actions.get(request.op)
        if action is None:
            raise BadChatRequest(f"There is no op {request.op!r}.")
        return await action(request)

    async def _history(self, request: ChatRequest) -> JSON:
        channel = self._channel(request)
        before = request.number("before", minimum=1)
        limit = request.number("limit", minimum=1) or PAGE_SIZE
        visible = [m for m in self._person.sees(channel) if before is None or m.id < before]
        wanted = visible[-min(limit, PAGE_SIZE) :]
        messages = [payloads.message(m, self._person.locale) for m in wanted]
        return {"messages": messages, "more": len(wanted) < len(visible)}

    async def _commands(self, request: ChatRequest) -> JSON:
        return {
            "commands": payloads.commands(self._playground, self._person, self._channel(request))
        }

    async def _read(self, request: ChatRequest) -> JSON:
        channel = self._channel(request)
        self._read_states.read(self._person, channel, request.id("message"))
        unread = self._read_states.unread(self._person, channel)
        self._broadcast({"op": "unread", "channel": str(channel.id), **unread})
        return {}

    async def _say(self, request: ChatRequest) -> JSON:
        message = self._person.says(request.text("content"), channel=self._channel(request))
        return {"message": str(message.id)}

    async def _direct(self, request: ChatRequest) -> JSON:
        channel = self._world.dm_channel(self._person.user, self._user(request.id("user")))
        return {"channel": payloads.channel(channel)}

    async def _locale(self, request: ChatRequest) -> JSON:
        locale = request.text("locale")
        if locale not in LOCALES:
            raise BadChatRequest(f"Discord has no language {locale!r}.")
        self._person.locale = locale
        return {}

    async def _leave(self, _frame: ChatRequest) -> JSON:
        self._person.leaves_server(self._playground.guild)
        return {}

    async def _join(self, _frame: ChatRequest) -> JSON:
        self._person.joins(self._playground.guild)
        return {}

    async def _slash(self, request: ChatRequest) -> JSON:
        line, channel = request.line("path"), self._channel(request)
        options = self._options(line, channel, request)
        reply = self._person.slash(line, channel=channel, options=options)
        return self._result(await self._reply(reply))

    async def _autocomplete(self, request: ChatRequest) -> JSON:
        line, channel, focused = (
            request.line("path"),
            self._channel(request),
            request.text("focused"),
        )
        options = self._options(line, channel, request)
        typed = str(options.pop(focused, ""))
        offered = await self._person.autocomplete(
            line, focused, typed, channel=channel, options=options
        )
        return {"choices": [{"name": one.name, "value": one.value} for one in offered]}

    async def _user_command(self, request: ChatRequest) -> JSON:
        target = self._user(request.id("user"))
        name, channel = request.text("name"), self._channel(request)
        return self._result(
            await self._reply(self._person.user_command(name, on=target, channel=channel))
        )

    async def _press(self, request: ChatRequest) -> JSON:
        message = self._message(request)
        custom_id = request.text("custom_id")
        return self._result(await self._reply(self._person.press(message, custom_id=custom_id)))

    async def _choose(self, request: ChatRequest) -> JSON:
        message, custom_id = self._message(request), request.text("custom_id")
        menu = next((m for m in message.menus if m.custom_id == custom_id), None)
        if menu is None:
            raise Impossible("That menu is no longer on the message.")
        values = self._picked(menu.type, request.texts("values"))
        return self._result(
            await self._reply(self._person.choose(message, *values, menu=custom_id))
        )

    async def _submit(self, request: ChatRequest) -> JSON:
        token = request.text("modal")
        modal = self._modals.get(token)
        if modal is None:
            raise Impossible("That form is no longer open.")
        values = dict(request.table("values"))
        for field in modal.fields:
            if field.type in kinds.SELECTS and isinstance(values.get(field.custom_id), list):
                values[field.custom_id] = self._picked(field.type, values[field.custom_id])
        try:
            reply = await self._reply(self._person.submit(modal, values))
        except InteractionFailed:
            modal.submitted = False  # a client lets its user retry
            raise
        self._modals.pop(token, None)
        return self._result(reply)

    async def _close_modal(self, request: ChatRequest) -> JSON:
        self._modals.pop(request.text("modal"), None)
        return {}

    async def _dismiss(self, request: ChatRequest) -> JSON:
        self._person.dismisses(self._message(request))
        return {}

    async def _reply(self, reply: Reply) -> Reply:
        """Wait for a reply. If it is the Activity, it opens, or ends if the window is gone by then."""
        self.activity.expect(reply.interaction)
        return await reply

    def _result(self, reply: Reply) -> JSON:
        """Open the modal, if the reply is one; other replies arrive as events."""
        modal = reply.modal
        if modal is not None:
            token = str(reply.interaction.id)
            self._modals[token] = modal
            form = {"token": token, "title": modal.title, "components": modal.component_data}
            self._send({"op": "modal", "modal": form})
        return {}

    # Ids

    def _channel(self, request: ChatRequest) -> Channel:
        channel = self._world.channels.get(request.id("channel"))
        if channel is None or not can_see(self._person.user, channel):
            raise Impossible("That channel is gone, or you can't see it.")
        return channel

    def _message(self, request: ChatRequest) -> Message:
        message = self._channel(request).messages.get(request.id("message"))
        if message is None or not can_see(self._person.user, message):
            raise Impossible("That message is gone.")
        return message

    def _user(self, user_id: int) -> User:
        user = self._world.users.get(user_id)
        if user is None:
            raise Impossible("There's nobody with that id.")
        return user

    def _role(self, role_id: int) -> Role:
        role = self._playground.guild.roles.get(role_id)
        if role is None:
            raise Impossible("There's no role with that id.")
        return role

    def _options(self, line: str, channel: Channel, request: ChatRequest) -> dict[str, Any]:
        """Resolve the ids in a command's options."""
        command = next(
            (one for one in self._person.slash_commands(channel) if one.line("") == line), None
        )
        kinds_of = {o["name"]: o["type"] for o in command.options} if command else {}
        return {
            name: self._resolve(kinds_of.get(name, 3), value)
            for name, value in request.table("options").items()
        }

    def _resolve(self, option_type: int, value: Any) -> Any:
        if option_type == _ATTACHMENT:
            return _upload(value)
        menu_type = _MENU_OF_OPTION.get(option_type)
        return value if menu_type is None else self._picked(menu_type, [value])[0]

    def _picked(self, menu_type: int, values: list[Any]) -> list[Any]:
        if menu_type == kinds.STRING_SELECT:
            return values
        ids = [int(v) if isinstance(v, str) and v.isdecimal() else 0 for v in values]
        match menu_type:
            case 5:
                return [self._user(i) for i in ids]
            case 6:
                return [self._role(i) for i in ids]
            case 7:
                return [self._world.users.get(i) or self._role(i) for i in ids]
            case _:
                return [self._world.channels.get(i) or f"channel {i}" for i in ids]


def _upload(value: Any) -> Upload:
    """Parse a file from the page: name, type, and data in base64."""
    if not isinstance(value, dict):
        raise BadChatRequest("A file is an object with name, type and data.")
    name, kind, data = (value.get(key) for key in ("name", "type", "data"))
    if not (isinstance(name, str) and isinstance(kind, str) and isinstance(data, str) and name):
        raise BadChatRequest("A file is an object with name, type and data.")
    try:
        content = base64.b64decode(data, validate=True)
    except ValueError:
        raise BadChatRequest("The content of a file is written in base64.") from None
    return Upload(name, kind or "application/octet-stream", content)

"""What a person does at a window of the chat page: frames in, deeds of a `Person` out.

The frames are those of :mod:`playground.chat.websocket`. Ids in them become users, roles, channels and
messages here; whether the person may do what is asked is for :class:`Person` to say.
"""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING, Any, Final

from playground import components as kinds
from playground.chat import payloads
from playground.chat.requests import BadChatRequest
from playground.errors import Impossible, InteractionFailed
from playground.uploads import Upload

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playground.app import Playground
    from playground.chat.requests import ChatRequest
    from playground.errors import JSON
    from playground.model import Channel, Message, Role, User
    from playground.people import Person
    from playground.reply import Modal, Reply

PAGE: Final = 50
_MENU_OF_OPTION: Final = {6: 5, 7: 8, 8: 6, 9: 7}
_ATTACHMENT: Final = 11


class ChatActions:
    """Does what one window asks.

    Args:
        town: the playground.
        person: who asks.
        marks: what everybody has read.
        send: takes a frame for this window.
        tell_others: takes a frame for the other windows of this person.
    """

    def __init__(
        self,
        town: Playground,
        person: Person,
        marks: payloads.ReadStates,
        send: Callable[[JSON], None],
        tell_others: Callable[[JSON], None],
    ) -> None:
        self._town = town
        self._world = town.world
        self._person = person
        self._marks = marks
        self._send = send
        self._tell_others = tell_others
        self._modals: dict[str, Modal] = {}
        self._by_op: dict[str, Callable[[ChatRequest], Awaitable[JSON]]] = {
            "history": self._history,
            "commands": self._commands,
            "read": self._read,
            "say": self._say,
            "direct": self._direct,
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
        }

    async def do(self, frame: ChatRequest) -> JSON:
        """Do what a frame asks and return the fields of the answer.

        Raises:
            BadFrame: when it makes no sense.
            Impossible: when the person's client would not let them.
            InteractionFailed: when the bot does not answer in time.
        """
        deed = self._by_op.get(frame.op)
        if deed is None:
            raise BadChatRequest(f"There is no op {frame.op!r}.")
        return await deed(frame)

    async def _history(self, frame: ChatRequest) -> JSON:
        channel = self._channel(frame)
        before = frame.number("before", least=1)
        limit = frame.number("limit", least=1) or PAGE
        visible = [m for m in self._person.sees(channel) if before is None or m.id < before]
        wanted = visible[-min(limit, PAGE) :]
        messages = [payloads.message(m) for m in wanted]
        return {"messages": messages, "more": len(wanted) < len(visible)}

    async def _commands(self, frame: ChatRequest) -> JSON:
        return {"commands": payloads.commands(self._town, self._person, self._channel(frame))}

    async def _read(self, frame: ChatRequest) -> JSON:
        channel = self._channel(frame)
        self._marks.read(self._person, channel, frame.id("message"))
        unread = self._marks.unread(self._person, channel)
        self._tell_others({"op": "unread", "channel": str(channel.id), **unread})
        return {}

    async def _say(self, frame: ChatRequest) -> JSON:
        message = self._person.says(frame.text("content"), channel=self._channel(frame))
        return {"message": str(message.id)}

    async def _direct(self, frame: ChatRequest) -> JSON:
        channel = self._world.dm_channel(self._person.user, self._user(frame.id("user")))
        return {"channel": payloads.channel(channel)}

    async def _leave(self, _frame: ChatRequest) -> JSON:
        self._person.leaves_server(self._town.guild)
        return {}

    async def _join(self, _frame: ChatRequest) -> JSON:
        self._person.joins(self._town.guild)
        return {}

    async def _slash(self, frame: ChatRequest) -> JSON:
        line, channel = frame.line("path"), self._channel(frame)
        options = self._options(line, channel, frame)
        reply = self._person.start_slash(line, channel=channel, options=options)
        return self._took(await reply.acknowledged())

    async def _autocomplete(self, frame: ChatRequest) -> JSON:
        line, channel, focused = frame.line("path"), self._channel(frame), frame.text("focused")
        options = self._options(line, channel, frame)
        typed = str(options.pop(focused, ""))
        offered = await self._person.autocomplete(
            line, focused, typed, channel=channel, options=options
        )
        return {"choices": [{"name": one.name, "value": one.value} for one in offered]}

    async def _user_command(self, frame: ChatRequest) -> JSON:
        target = self._user(frame.id("user"))
        name, channel = frame.text("name"), self._channel(frame)
        return self._took(await self._person.user_command(name, on=target, channel=channel))

    async def _press(self, frame: ChatRequest) -> JSON:
        message = self._message(frame)
        custom_id = frame.text("custom_id")
        return self._took(await self._person.press(message, custom_id=custom_id))

    async def _choose(self, frame: ChatRequest) -> JSON:
        message, custom_id = self._message(frame), frame.text("custom_id")
        menu = next((m for m in message.menus if m.custom_id == custom_id), None)
        if menu is None:
            raise Impossible("That menu is no longer on the message.")
        values = self._picked(menu.type, frame.texts("values"))
        return self._took(await self._person.choose(message, *values, menu=custom_id))

    async def _submit(self, frame: ChatRequest) -> JSON:
        token = frame.text("modal")
        modal = self._modals.get(token)
        if modal is None:
            raise Impossible("That form is no longer open.")
        values = dict(frame.table("values"))
        for field in modal.fields:
            if field.type in kinds.SELECTS and isinstance(values.get(field.custom_id), list):
                values[field.custom_id] = self._picked(field.type, values[field.custom_id])
        try:
            reply = await self._person.submit(modal, values)
        except InteractionFailed:
            modal.submitted = False  # a client lets its user try again
            raise
        self._modals.pop(token, None)
        return self._took(reply)

    async def _close_modal(self, frame: ChatRequest) -> JSON:
        self._modals.pop(frame.text("modal"), None)
        return {}

    async def _dismiss(self, frame: ChatRequest) -> JSON:
        self._person.dismisses(self._message(frame))
        return {}

    def _took(self, reply: Reply) -> JSON:
        """Show the form that an answer may be; all else has come as events."""
        modal = reply.modal
        if modal is not None:
            token = str(reply.interaction.id)
            self._modals[token] = modal
            form = {"token": token, "title": modal.title, "components": modal.component_data}
            self._send({"op": "modal", "modal": form})
        return {}

    # What ids stand for

    def _channel(self, frame: ChatRequest) -> Channel:
        channel = self._world.channels.get(frame.id("channel"))
        if channel is None or not self._world.can_see(self._person.user, channel):
            raise Impossible("That channel is gone, or you cannot see it.")
        return channel

    def _message(self, frame: ChatRequest) -> Message:
        message = self._channel(frame).messages.get(frame.id("message"))
        if message is None or not self._world.can_see(self._person.user, message):
            raise Impossible("That message is gone.")
        return message

    def _user(self, user_id: int) -> User:
        user = self._world.users.get(user_id)
        if user is None:
            raise Impossible("There is nobody with that id.")
        return user

    def _role(self, role_id: int) -> Role:
        role = self._town.guild.roles.get(role_id)
        if role is None:
            raise Impossible("There is no role with that id.")
        return role

    def _options(self, line: str, channel: Channel, frame: ChatRequest) -> dict[str, Any]:
        """Replace ids by what they stand for, as the command's options want them."""
        slash = next(
            (one for one in self._person.slash_commands(channel) if one.line("") == line), None
        )
        kinds_of = {o["name"]: o["type"] for o in slash.options} if slash else {}
        return {
            name: self._thing(kinds_of.get(name, 3), value)
            for name, value in frame.table("options").items()
        }

    def _thing(self, option_type: int, value: Any) -> Any:
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
    """Read a file as the page sends it: its name, its kind, and its content in base64."""
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

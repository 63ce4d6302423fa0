"""Between one window of the chat page and the playground: a protocol of small JSON frames.

The page speaks as one person, through :class:`~playground.people.Person`: it can do what that
person's Discord client could, and sees what it would see.

Page to server, each with a number ``ref`` of its own; ids are decimal text:

===============  ==================================================================================
op               fields
===============  ==================================================================================
history          channel, [before], [limit]: answered with ``messages`` (oldest first), ``more``
commands         channel: answered with ``commands``, as synced, that are offered there
read             channel, message: seen up to there
say              channel, content
direct           user: opens the direct messages with somebody; answered with ``channel``
leave            leaves the server
join             comes back to it
slash            channel, path (["group", "command"]), options {name: value}; a file is an object
                 {name, type, data}, its data in base64
autocomplete     the same, and focused (an option's name): answered with ``choices``
user_command     channel, name, user
press            channel, message, custom_id
choose           channel, message, custom_id, values
submit           modal (its token), values {custom_id: text, list of values, or true and false}
close_modal      modal
dismiss          channel, message: put an ephemeral message out of sight
===============  ==================================================================================

Server to page:

===============  ==================================================================================
op               fields
===============  ==================================================================================
hello            epoch (changes when the server starts anew), me, people, guild, channels, unread
ack              ref, and what was asked for, or error {code, message}
message          message (whole), created (whether it is new)
gone             channel, id: a message was deleted
channel          channel (whole): new or changed
channel_gone     id
people           people (those who have left the server with ``left``), guild
commands         the offer has changed: ask again
unread           channel, count, mentions: read in another window of the same person
typing           channel, user
modal            modal {token, title, components}: the bot shows a form
stranger         nobody has that name; the connection ends
===============  ==================================================================================

Codes of errors: ``refused`` (a real client would not let you; nothing was sent), ``failed`` (the
bot did not answer), ``protocol`` (the frame makes no sense), ``broken`` (a fault of ours).
"""

from __future__ import annotations

import asyncio
import json
import logging
from typing import TYPE_CHECKING, Final

from playground import events
from playground.chat import payloads
from playground.chat.actions import ChatActions
from playground.chat.requests import BadChatRequest, ChatRequest
from playground.errors import ApiError, Impossible, InteractionFailed, NothingHappened

if TYPE_CHECKING:
    from collections.abc import Callable

    from aiohttp import web

    from playground.app import Playground
    from playground.errors import JSON
    from playground.model import Channel, Message, User
    from playground.people import Person

log = logging.getLogger(__name__)

BEHIND: Final = 2000  # frames that a window may lag; then it is cut off and comes back afresh

_SILENT: Final = {
    "autocomplete": "Loading options failed",
    "submit": "Something went wrong. Try again.",
    "slash": "The application did not respond",
    "user_command": "The application did not respond",
}


class ChatSocket:
    """One window.

    Args:
        town: the playground.
        person: whose window it is.
        marks: what everybody has read.
        tell_others: called with a frame for the other windows of this person.
        epoch: names this run of the server.
    """

    def __init__(
        self,
        town: Playground,
        person: Person,
        marks: payloads.ReadStates,
        tell_others: Callable[[ChatSocket, JSON], None],
        epoch: str,
    ) -> None:
        self.person = person
        self._town = town
        self._world = town.world
        self._marks = marks
        self._tell_others = tell_others
        self._epoch = epoch
        self._out: asyncio.Queue[JSON | None] = asyncio.Queue()
        self._known: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._deeds = ChatActions(town, person, marks, self.send, self._tell_my_others)

    # The wire

    async def serve(self, socket: web.WebSocketResponse) -> None:
        """Talk until the window closes."""
        self.send(self._hello())
        stop_listening = self._world.subscribe(self._hear)
        writer = asyncio.create_task(self._write(socket))
        try:
            async for item in socket:
                if isinstance(item.data, str):
                    task = asyncio.create_task(self._answer(item.data))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
        finally:
            stop_listening()
            self._out.put_nowait(None)
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(writer, *self._tasks, return_exceptions=True)

    def send(self, frame: JSON) -> None:
        """Queue a frame for this window."""
        self._out.put_nowait(frame if self._out.qsize() < BEHIND else None)

    async def _write(self, socket: web.WebSocketResponse) -> None:
        while (frame := await self._out.get()) is not None:
            try:
                await socket.send_str(json.dumps(frame, separators=(",", ":")))
            except ConnectionError:
                return
        await socket.close()

    async def _answer(self, text: str) -> None:
        ref: int | None = None
        op = ""
        try:
            frame = ChatRequest.parse(text)
            ref, op = frame.ref, frame.op
            result = await self._deeds.do(frame)
        except BadChatRequest as problem:
            result = _error("protocol", str(problem))
        except (Impossible, LookupError) as problem:
            result = _error("refused", str(problem))
        except ApiError as problem:
            result = _error("refused", problem.message)
        except (InteractionFailed, NothingHappened):
            result = _error("failed", _SILENT.get(op, "This interaction failed"))
        except Exception:
            log.exception("the chat page asked for %r and the playground stumbled", op)
            result = _error("broken", "The playground itself stumbled. Its log says more.")
        self.send({"op": "ack", "ref": ref, **result})

    # What happens

    def _hello(self) -> JSON:
        visible = payloads.channels(self.person, self._town)
        self._known = {c.id for c in visible}
        unread = {str(c.id): self._marks.unread(self.person, c) for c in visible}
        me = {**payloads.user(self.person.user), "key": payloads.key_of(self.person)}
        return {
            "op": "hello",
            "epoch": self._epoch,
            "me": {**me, "locale": self.person.locale},
            **payloads.people(self._town),
            "channels": [payloads.channel(c) for c in visible],
            "unread": {place: count for place, count in unread.items() if count["count"]},
        }

    def _hear(self, event: events.Event) -> None:
        match event:
            case events.MessageSent(message) | events.MessageEdited(message):
                self._hear_message(message, created=isinstance(event, events.MessageSent))
            case events.MessageDeleted(message):
                self._hear_deleted(message)
            case (
                events.ThreadCreated(channel)
                | events.ChannelCreated(channel)
                | events.ChannelUpdated(channel)
                | events.ChannelDeleted(channel)
            ):
                self._show(channel)
            case events.GuildUpdated() | events.GuildJoined() | events.GuildLeft():
                self._hear_guild()
            case events.CommandsSynced():
                self.send({"op": "commands"})
            case events.Typing(channel, user):
                self._hear_typing(channel, user)
            case _:
                pass

    def _hear_message(self, message: Message, *, created: bool) -> None:
        if not self._here(message.channel) or not self._sees(message):
            return
        self.send({"op": "message", "message": payloads.message(message), "created": created})
        if created and message.channel.is_thread:
            self._show(message.channel)  # the number of its messages has changed

    def _hear_deleted(self, message: Message) -> None:
        for_me = message.ephemeral_for in {None, self.person.user}
        if for_me and message.channel.id in self._known:
            self.send({"op": "gone", "channel": str(message.channel.id), "id": str(message.id)})

    def _hear_guild(self) -> None:
        self.send({"op": "people", **payloads.people(self._town)})
        for channel in [c for c in self._world.channels.values() if c.guild is self._town.guild]:
            self._show(channel, only_if_changed=True)
        self.send({"op": "commands"})

    def _hear_typing(self, channel: Channel, user: User) -> None:
        if user is not self.person.user and self._here(channel) and self._sees(channel):
            self.send({"op": "typing", "channel": str(channel.id), "user": str(user.id)})

    def _tell_my_others(self, frame: JSON) -> None:
        self._tell_others(self, frame)

    def _here(self, channel: Channel) -> bool:
        return channel.guild in {None, self._town.guild}

    def _sees(self, thing: Message | Channel) -> bool:
        return self._world.can_see(self.person.user, thing)

    def _show(self, channel: Channel, *, only_if_changed: bool = False) -> None:
        """Tell the window of a channel that has come, changed or gone from sight."""
        known = channel.id in self._known
        if self._here(channel) and self._sees(channel):
            self._known.add(channel.id)
            if not (known and only_if_changed):
                self.send({"op": "channel", "channel": payloads.channel(channel)})
        elif known:
            self._known.discard(channel.id)
            self.send({"op": "channel_gone", "id": str(channel.id)})


def _error(code: str, message: str) -> JSON:
    return {"error": {"code": code, "message": message}}

"""The WebSocket of a chat page window, which speaks JSON frames.

A window acts as one :class:`~playground.people.Person`: it can do and see what that person's
Discord client could.

Page to server, each with its own number ``ref``; ids are decimal text:

===============  ==================================================================================
op               fields
===============  ==================================================================================
history          channel, [before], [limit]: answered with ``messages`` (oldest first), ``more``
commands         channel: answered with ``commands``, as synced, that are offered there
read             channel, message: the last one read
say              channel, content
direct           user: opens the DM with a user; answered with ``channel``
locale           locale: changes the language of the person's client
leave            leaves the server
join             rejoins it
slash            channel, path (["group", "command"]), options {name: value}; a file is an object
                 {name, type, data} with the data in base64
autocomplete     the same, and focused (an option's name): answered with ``choices``
user_command     channel, name, user
press            channel, message, custom_id
choose           channel, message, custom_id, values
submit           modal (its token), values {custom_id: text, list of values, or true and false}
close_modal      modal
dismiss          channel, message: dismisses an ephemeral message
embedded         frame, message: a message of the Activity, ``[opcode, data]``
decide           frame, nonce, yes: the person's answer to a question
leave_activity   frame
===============  ==================================================================================

Server to page:

===============  ==================================================================================
op               fields
===============  ==================================================================================
hello            epoch (changes when the server restarts), me, people, guild, channels, unread
ack              ref, and the result or error {code, message}
message          message, created (whether it is new)
gone             channel, id: a message was deleted
channel          channel: new or changed
channel_gone     id
people           people (with ``left`` if they have left the server), guild
here             people: the ids of those who have a window open, from the start
commands         the commands have changed: ask again
unread           channel, count, mentions: after reading in the person's other window
typing           channel, user
modal            modal {token, title, components}: the bot opens a modal
activity         frame, name, host, query: the bot opens its Activity
embedded         frame, message: a message to the Activity
question         frame, question: the Activity asks the person something
activity_over    frame, message: the Activity has ended, perhaps with something to say
unknown_person   no person has that name; the connection is closed
===============  ==================================================================================

Error codes: ``refused`` (a real client would not allow it; nothing was sent), ``failed`` (the bot
did not respond), ``protocol`` (the request is malformed), ``broken`` (an internal error).
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Final

from aiohttp import web

from playground import events
from playground.access import can_see
from playground.app import Playground
from playground.chat import payloads
from playground.chat.actions import ChatActions
from playground.chat.requests import BadChatRequest, ChatRequest
from playground.errors import JSON, ApiError, Impossible, InteractionFailed, NothingHappened
from playground.model import Channel, Message, User
from playground.people import Person

log = logging.getLogger(__name__)

MAX_QUEUED: Final = 2000  # a window that lags further is disconnected and reloads

_NO_RESPONSE: Final = {
    "autocomplete": "Loading options failed",
    "submit": "Something went wrong. Try again.",
    "slash": "The application did not respond",
    "user_command": "The application did not respond",
}


class ChatSocket:
    """The connection of one window.

    Args:
        playground: the playground.
        person: the window's person.
        read_states: everyone's read state.
        broadcast: called with this connection and a frame for the person's other windows.
        epoch: identifies this run of the server.
    """

    def __init__(
        self,
        playground: Playground,
        person: Person,
        read_states: payloads.ReadStates,
        broadcast: Callable[[ChatSocket, JSON], None],
        epoch: str,
    ) -> None:
        self.person = person
        self._playground = playground
        self._world = playground.world
        self._read_states = read_states
        self._epoch = epoch
        self._out: asyncio.Queue[JSON | None] = asyncio.Queue()
        self._known: set[int] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._actions = ChatActions(
            playground, person, read_states, self.send, lambda frame: broadcast(self, frame)
        )

    # The connection

    async def serve(self, socket: web.WebSocketResponse) -> None:
        """Serve the window until it closes."""
        self.send(self._hello())
        unsubscribe = self._world.subscribe(self._on_event)
        writer = asyncio.create_task(self._write(socket))
        try:
            async for item in socket:
                if isinstance(item.data, str):
                    task = asyncio.create_task(self._answer(item.data))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
        finally:
            unsubscribe()
            self._actions.activity.end()
            self._out.put_nowait(None)
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(writer, *self._tasks, return_exceptions=True)

    def send(self, frame: JSON) -> None:
        """Queue a frame for this window."""
        self._out.put_nowait(frame if self._out.qsize() < MAX_QUEUED else None)

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
            request = ChatRequest.parse(text)
            ref, op = request.ref, request.op
            result = await self._actions.do(request)
        except BadChatRequest as problem:
            result = _error("protocol", str(problem))
        except (Impossible, LookupError) as problem:
            result = _error("refused", str(problem))
        except ApiError as problem:
            result = _error("refused", problem.message)
        except (InteractionFailed, NothingHappened):
            result = _error("failed", _NO_RESPONSE.get(op, "This interaction failed"))
        except Exception:
            log.exception("the chat page's request %r failed", op)
            result = _error("broken", "Something went wrong in the playground. Its log says more.")
        self.send({"op": "ack", "ref": ref, **result})

    # Events

    def _hello(self) -> JSON:
        visible = payloads.channels(self.person, self._playground)
        self._known = {c.id for c in visible}
        unread = {str(c.id): self._read_states.unread(self.person, c) for c in visible}
        me = {**payloads.user(self.person.user), "key": payloads.key_of(self.person)}
        return {
            "op": "hello",
            "epoch": self._epoch,
            "me": {**me, "locale": self.person.locale},
            **payloads.people(self._playground),
            "channels": [payloads.channel(c) for c in visible],
            "unread": {place: count for place, count in unread.items() if count["count"]},
        }

    def _on_event(self, event: events.Event) -> None:
        match event:
            case events.MessageSent(message) | events.MessageEdited(message):
                self._on_message(message, created=isinstance(event, events.MessageSent))
            case events.MessageDeleted(message):
                self._on_deleted(message)
            case (
                events.ThreadCreated(channel)
                | events.ChannelCreated(channel)
                | events.ChannelUpdated(channel)
                | events.ChannelDeleted(channel)
            ):
                self._show(channel)
            case events.GuildUpdated() | events.GuildJoined() | events.GuildLeft():
                self._on_guild()
            case events.CommandsSynced():
                self.send({"op": "commands"})
            case events.ActivityParticipants(instance):
                self._actions.activity.participants_changed(instance)
            case events.Typing(channel, user):
                self._on_typing(channel, user)
            case _:
                pass

    def _on_message(self, message: Message, *, created: bool) -> None:
        if not self._on_page(message.channel) or not self._sees(message):
            return
        shown = payloads.message(message, self.person.locale)
        self.send({"op": "message", "message": shown, "created": created})
        if created and message.channel.is_thread:
            self._show(message.channel)  # its message count has changed

    def _on_deleted(self, message: Message) -> None:
        for_me = message.ephemeral_for in {None, self.person.user}
        if for_me and message.channel.id in self._known:
            self.send({"op": "gone", "channel": str(message.channel.id), "id": str(message.id)})

    def _on_guild(self) -> None:
        self.send({"op": "people", **payloads.people(self._playground)})
        for channel in [
            c for c in self._world.channels.values() if c.guild is self._playground.guild
        ]:
            self._show(channel, only_if_changed=True)
        self.send({"op": "commands"})

    def _on_typing(self, channel: Channel, user: User) -> None:
        if user is not self.person.user and self._on_page(channel) and self._sees(channel):
            self.send({"op": "typing", "channel": str(channel.id), "user": str(user.id)})

    def _on_page(self, channel: Channel) -> bool:
        return channel.guild in {None, self._playground.guild}

    def _sees(self, thing: Message | Channel) -> bool:
        return can_see(self.person.user, thing)

    def _show(self, channel: Channel, *, only_if_changed: bool = False) -> None:
        """Update a channel that has appeared, changed or disappeared."""
        known = channel.id in self._known
        if self._on_page(channel) and self._sees(channel):
            self._known.add(channel.id)
            if not (known and only_if_changed):
                self.send({"op": "channel", "channel": payloads.channel(channel)})
        elif known:
            self._known.discard(channel.id)
            self.send({"op": "channel_gone", "id": str(channel.id)})


def _error(code: str, message: str) -> JSON:
    return {"error": {"code": code, "message": message}}

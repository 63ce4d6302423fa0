"""Routes of channels and their messages."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from playground import message_payloads, payloads
from playground.access import permissions_in
from playground.errors import JSON, ApiError
from playground.events import ChannelUpdated, Typing
from playground.messages import Messages
from playground.model import Channel, Message
from playground.permissions import Permission
from playground.rest.api import Call, Handler, Result
from playground.world import World

OLD_MESSAGE_SECONDS: Final = 3600.0
MAX_OLD_EDITS: Final = 3
OLD_EDITS_SECONDS: Final = 6.0
"""Limit per channel: `MAX_OLD_EDITS` edits of messages older than an hour in this time."""


class ChannelRoutes:
    """Serves ``/channels``."""

    def __init__(self, world: World, messages: Messages) -> None:
        self._world = world
        self._messages = messages
        self._old_edits: dict[int, deque[float]] = {}

    def table(self) -> dict[str, Handler]:
        """Return the handlers by route; fixed paths precede parameters that would match them."""
        return {
            "GET /channels/{channel_id}": self.get,
            "PATCH /channels/{channel_id}": self.change,
            "DELETE /channels/{channel_id}": self.remove,
            "POST /channels/{channel_id}/typing": self.type,
            "GET /channels/{channel_id}/messages/pins": self.pins,
            "PUT /channels/{channel_id}/messages/pins/{message_id}": self.pin,
            "DELETE /channels/{channel_id}/messages/pins/{message_id}": self.unpin,
            "GET /channels/{channel_id}/messages": self.history,
            "POST /channels/{channel_id}/messages": self.send,
            "GET /channels/{channel_id}/messages/{message_id}": self.message,
            "PATCH /channels/{channel_id}/messages/{message_id}": self.edit,
            "DELETE /channels/{channel_id}/messages/{message_id}": self.delete,
        }

    def _require(self, channel: Channel, permission: Permission) -> None:
        if permission & ~permissions_in(self._world.bot, channel):
            raise ApiError(50013)

    def get(self, call: Call) -> Result:
        """Return a channel."""
        return 200, payloads.channel(self._world.channel(call.id("channel_id")))

    def change(self, call: Call) -> Result:
        """Edit a channel, or rename, archive, unarchive or lock a thread."""
        world = self._world
        channel = world.channel(call.id("channel_id"))
        body = call.json
        if "name" in body:
            call.problems.text(("name",), body["name"], 100, shortest=1, required=True)
        call.problems.refuse()
        if channel.is_dm:
            raise ApiError(50013)
        if not channel.is_thread:
            self._require(channel, Permission.MANAGE_CHANNELS)
        else:
            self._check_thread_change(channel, body)
        channel.name = body.get("name", channel.name)
        channel.topic = body.get("topic", channel.topic)
        channel.auto_archive = body.get("auto_archive_duration", channel.auto_archive)
        if "archived" in body or "locked" in body:
            world.archive(
                channel,
                archived=body.get("archived", channel.archived),
                locked=body.get("locked"),
            )
        else:
            world.emit(ChannelUpdated(channel))
        return 200, payloads.channel(channel)

    def _check_thread_change(self, thread: Channel, body: JSON) -> None:
        manage = Permission.MANAGE_THREADS & permissions_in(self._world.bot, thread)
        own = thread.owner_id == self._world.bot.id
        unarchiving = body.get("archived") is False
        if thread.archived and not unarchiving:
            raise ApiError(50083)
        if "locked" in body and body["locked"] != thread.locked and not manage:
            raise ApiError(50013)
        if unarchiving and thread.locked and not manage:
            raise ApiError(160005)
        if not (own or manage or (set(body) == {"archived"} and unarchiving)):
            raise ApiError(50013)

    def remove(self, call: Call) -> Result:
        """Delete a channel."""
        channel = self._world.channel(call.id("channel_id"))
        if channel.is_dm:
            return 200, payloads.channel(channel)
        self._require(
            channel,
            Permission.MANAGE_THREADS if channel.is_thread else Permission.MANAGE_CHANNELS,
        )
        self._world.remove_channel(channel)
        return 200, payloads.channel(channel)

    def type(self, call: Call) -> Result:
        """Trigger the typing indicator."""
        channel = self._world.channel(call.id("channel_id"))
        self._check_may_send(channel)
        self._world.emit(Typing(channel, self._world.bot))
        return 204, None

    # Messages

    def _check_may_send(self, channel: Channel) -> None:
        if channel.is_dm:
            if not all(user.dms_open for user in channel.recipients):
                raise ApiError(50007)
            return
        self._require(
            channel,
            Permission.SEND_MESSAGES_IN_THREADS if channel.is_thread else Permission.SEND_MESSAGES,
        )

    def send(self, call: Call) -> Result:
        """Post a message; this unarchives a thread unless it is locked."""
        world = self._world
        channel = world.channel(call.id("channel_id"))
        self._check_may_send(channel)
        if call.body.files:
            self._require(channel, Permission.ATTACH_FILES)
        if call.json.get("embeds"):
            self._require(channel, Permission.EMBED_LINKS)
        if call.json.get("message_reference"):
            self._require(channel, Permission.READ_MESSAGE_HISTORY)
            self._check_reference(call, channel)
        if channel.archived:
            manage = permissions_in(world.bot, channel) & Permission.MANAGE_THREADS
            if channel.locked and not manage:
                raise ApiError(160005)
        message = self._messages.send(channel, world.bot, call.json, call.body.files, call.problems)
        if channel.archived:
            world.archive(channel, archived=False)
        return 200, message_payloads.message(message)

    def _check_reference(self, call: Call, channel: Channel) -> None:
        reference = call.json["message_reference"]
        if int(reference.get("message_id") or 0) in channel.messages:
            return
        if reference.get("fail_if_not_exists", True):
            call.problems.add(("message_reference",), "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
        else:
            del call.json["message_reference"]

    def _message(self, call: Call) -> Message:
        channel = self._world.channel(call.id("channel_id"))
        return self._world.message(channel, call.id("message_id"))

    def message(self, call: Call) -> Result:
        """Return a message."""
        message = self._message(call)
        self._require(message.channel, Permission.READ_MESSAGE_HISTORY)
        return 200, message_payloads.message(message)

    def edit(self, call: Call) -> Result:
        """Edit a message of the bot."""
        message = self._message(call)
        channel = message.channel
        if message.author is not self._world.bot:
            raise ApiError(50005)
        if channel.archived:
            raise ApiError(50083)
        if channel.is_dm and not all(user.dms_open for user in channel.recipients):
            raise ApiError(50007)
        if call.body.files:
            self._require(channel, Permission.ATTACH_FILES)
        self._check_age(message)
        self._messages.edit(message, call.json, call.body.files, call.problems)
        return 200, message_payloads.message(message)

    def _check_age(self, message: Message) -> None:
        """Limit the edits of old messages in each channel."""
        now = self._world.clock.time()
        if now - message.created_at.timestamp() <= OLD_MESSAGE_SECONDS:
            return
        recent = self._old_edits.setdefault(message.channel.id, deque())
        while recent and recent[0] <= now - OLD_EDITS_SECONDS:
            recent.popleft()
        if len(recent) >= MAX_OLD_EDITS:
            wait = round(recent[0] + OLD_EDITS_SECONDS - now, 3)
            raise ApiError(30046, extra={"retry_after": wait, "global": False})
        recent.append(now)

    def delete(self, call: Call) -> Result:
        """Delete a message: the bot's own, or, with MANAGE_MESSAGES, another's."""
        message = self._message(call)
        if message.author is not self._world.bot:
            self._require(message.channel, Permission.MANAGE_MESSAGES)
        if message.channel.archived:
            raise ApiError(50083)
        self._messages.delete(message)
        return 204, None

    def history(self, call: Call) -> Result:
        """List messages, newest first."""
        channel = self._world.channel(call.id("channel_id"))
        if not permissions_in(self._world.bot, channel) & Permission.READ_MESSAGE_HISTORY:
            return 200, []
        query = call.query
        try:
            limit = int(query.get("limit", 50))
            before, after = int(query.get("before", 0)), int(query.get("after", 0))
            around = int(query.get("around", 0))
        except ValueError:
            raise ApiError(50035) from None
        if not 1 <= limit <= 100:
            call.problems.add(("limit",), "NUMBER_TYPE_MIN", "Must be between 1 and 100.")
            call.problems.refuse()
        found = [m for m in channel.messages.values() if m.ephemeral_for is None]
        if before:
            found = [m for m in found if m.id < before][-limit:]
        elif after:
            found = [m for m in found if m.id > after][:limit]
        elif around:
            older = [m for m in found if m.id < around][-(limit // 2) :]
            found = older + [m for m in found if m.id >= around][: limit - len(older)]
        else:
            found = found[-limit:]
        return 200, [message_payloads.message(m) for m in reversed(found)]

    # Pins

    def pins(self, call: Call) -> Result:
        """List pinned messages, latest pin first."""
        channel = self._world.channel(call.id("channel_id"))
        items: list[Any] = [
            {
                "pinned_at": payloads.timestamp(channel.messages[m].created_at),
                "message": message_payloads.message(channel.messages[m]),
            }
            for m in reversed(channel.pins)
            if m in channel.messages
        ]
        return 200, {"items": items, "has_more": False}

    def pin(self, call: Call) -> Result:
        """Pin a message."""
        message = self._message(call)
        channel = message.channel
        self._check_may_pin(channel)
        if message.id not in channel.pins:
            if len(channel.pins) >= 50:
                raise ApiError(30003)
            channel.pins.append(message.id)
            message.pinned = True
            self._messages.touch(message)
        return 204, None

    def unpin(self, call: Call) -> Result:
        """Unpin a message."""
        message = self._message(call)
        self._check_may_pin(message.channel)
        if message.id in message.channel.pins:
            message.channel.pins.remove(message.id)
            message.pinned = False
            self._messages.touch(message)
        return 204, None

    def _check_may_pin(self, channel: Channel) -> None:
        if channel.is_dm:
            return
        mine = permissions_in(self._world.bot, channel)
        if not mine & (Permission.PIN_MESSAGES | Permission.MANAGE_MESSAGES):
            raise ApiError(50013)

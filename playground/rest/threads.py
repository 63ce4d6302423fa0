"""Routes of threads."""

from __future__ import annotations

from playground import payloads
from playground.access import can_see, permissions_in
from playground.clock import utc_now
from playground.errors import ApiError
from playground.events import ChannelUpdated
from playground.messages import Messages
from playground.model import Channel, ChannelType
from playground.permissions import Permission
from playground.rest.api import Call, Handler, Result
from playground.world import World


class ThreadRoutes:
    """Serves threads and their members."""

    def __init__(self, world: World, messages: Messages) -> None:
        self._world = world
        self._messages = messages

    def table(self) -> dict[str, Handler]:
        """Return the handlers by route."""
        members = "/channels/{channel_id}/thread-members"
        return {
            "POST /channels/{channel_id}/messages/{message_id}/threads": self.from_message,
            "POST /channels/{channel_id}/threads": self.start,
            f"PUT {members}/@me": self.join,
            f"DELETE {members}/@me": self.leave,
            f"GET {members}": self.members,
            f"GET {members}/{{user_id}}": self.member,
            f"PUT {members}/{{user_id}}": self.add,
            f"DELETE {members}/{{user_id}}": self.remove,
        }

    def _check(self, call: Call) -> None:
        body = call.json
        call.problems.text(("name",), body.get("name"), 100, shortest=1, required=True)
        if body.get("auto_archive_duration", 1440) not in {60, 1440, 4320, 10080}:
            call.problems.add(
                ("auto_archive_duration",),
                "BASE_TYPE_CHOICES",
                "Value must be one of (60, 1440, 4320, 10080).",
            )
        call.problems.refuse()

    def _parent(self, call: Call, permission: Permission) -> Channel:
        parent = self._world.channel(call.id("channel_id"))
        if parent.type is not ChannelType.GUILD_TEXT:
            raise ApiError(50008)
        if not permissions_in(self._world.bot, parent) & permission:
            raise ApiError(50013)
        return parent

    def from_message(self, call: Call) -> Result:
        """Start a thread from a message, with the message's id."""
        parent = self._parent(call, Permission.CREATE_PUBLIC_THREADS)
        message = self._world.message(parent, call.id("message_id"))
        self._check(call)
        if message.thread is not None:
            raise ApiError(160004)
        thread = self._world.add_thread(
            parent,
            call.json["name"],
            self._world.bot,
            thread_id=message.id,
            auto_archive=call.json.get("auto_archive_duration") or 1440,
        )
        self._messages.attach_thread(message, thread)
        return 201, payloads.channel(thread)

    def start(self, call: Call) -> Result:
        """Start a thread without a message."""
        private = call.json.get("type", 12) == ChannelType.PRIVATE_THREAD
        parent = self._parent(
            call,
            Permission.CREATE_PRIVATE_THREADS if private else Permission.CREATE_PUBLIC_THREADS,
        )
        self._check(call)
        thread = self._world.add_thread(
            parent,
            call.json["name"],
            self._world.bot,
            auto_archive=call.json.get("auto_archive_duration") or 1440,
            private=private,
        )
        return 201, payloads.channel(thread)

    def _thread(self, call: Call) -> Channel:
        thread = self._world.channel(call.id("channel_id"))
        if not thread.is_thread:
            raise ApiError(50008)
        if thread.archived:
            raise ApiError(50083)
        return thread

    def members(self, call: Call) -> Result:
        """List the members of a thread."""
        thread = self._world.channel(call.id("channel_id"))
        return 200, [payloads.thread_member(thread, u) for u in thread.thread_members]

    def member(self, call: Call) -> Result:
        """Return a member of a thread."""
        thread, user_id = self._world.channel(call.id("channel_id")), call.id("user_id")
        if user_id not in thread.thread_members:
            raise ApiError(10007)
        return 200, payloads.thread_member(thread, user_id)

    def join(self, call: Call) -> Result:
        """Add the bot to a thread."""
        return self._add_member(self._thread(call), self._world.bot.id)

    def leave(self, call: Call) -> Result:
        """Remove the bot from a thread."""
        return self._remove_member(self._thread(call), self._world.bot.id)

    def add(self, call: Call) -> Result:
        """Add a server member to a thread."""
        thread = self._thread(call)
        user = self._world.user(call.id("user_id"))
        if not permissions_in(self._world.bot, thread) & Permission.SEND_MESSAGES_IN_THREADS:
            raise ApiError(50013)
        if thread.parent is None or not can_see(user, thread.parent):
            raise ApiError(50001)
        return self._add_member(thread, user.id)

    def remove(self, call: Call) -> Result:
        """Remove a member from a thread."""
        thread = self._thread(call)
        if not permissions_in(self._world.bot, thread) & Permission.MANAGE_THREADS:
            raise ApiError(50013)
        return self._remove_member(thread, call.id("user_id"))

    def _add_member(self, thread: Channel, user_id: int) -> Result:
        if user_id not in thread.thread_members:
            thread.thread_members[user_id] = utc_now(self._world.clock)
            self._world.emit(ChannelUpdated(thread))
        return 204, None

    def _remove_member(self, thread: Channel, user_id: int) -> Result:
        if thread.thread_members.pop(user_id, None) is not None:
            self._world.emit(ChannelUpdated(thread))
        return 204, None

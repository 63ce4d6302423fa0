"""All there is: people, servers, channels, messages, commands, and who is told of changes."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar
from urllib.parse import quote

from playground.clock import utc_now
from playground.commands import CommandRegistry
from playground.errors import ApiError, NothingHappened
from playground.events import (
    ChannelCreated,
    ChannelDeleted,
    ChannelUpdated,
    Event,
    GuildJoined,
    GuildLeft,
    GuildUpdated,
    MemberJoined,
    MemberLeft,
    ThreadCreated,
)
from playground.model import Channel, ChannelType, Guild, Member, Message, Role, User
from playground.permissions import EVERYONE, Permission, permissions_in
from playground.snowflake import Snowflakes

if TYPE_CHECKING:
    from collections.abc import Callable

    from playground.clock import Clock
    from playground.uploads import Upload

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Application:
    """The bot as its owner registered it. It has the same id as its user, as most have."""

    id: int
    name: str
    user: User
    owner: User
    permissions: Permission
    description: str = "A bot under development"


_UPLOADS: Final = 32
"""How many files that were handed to the bot are kept."""


class World:
    """The state of the playground.

    Args:
        clock: what time it is.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.ids = Snowflakes(clock)
        self._listeners: dict[object, Callable[[Event], None]] = {}
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.cdn_base = ""
        self.uploads: OrderedDict[int, Upload] = OrderedDict()
        self.application = self._application()
        self.commands = CommandRegistry(self.ids, self.application.id, self.emit)
        self._directs: dict[frozenset[int], Channel] = {}

    def upload(self, file: Upload) -> tuple[int, str]:
        """Keep a file that a person hands to the bot; return its id and its address.

        Discord keeps such files for a while; the playground keeps the last ones.
        """
        number = self.ids.next()
        self.uploads[number] = file
        while len(self.uploads) > _UPLOADS:
            self.uploads.popitem(last=False)
        path = f"{self.application.id}/{number}/{quote(file.filename, safe='')}"
        return number, f"{self.cdn_base}/ephemeral-attachments/{path}"

    def _application(self) -> Application:
        owner = self.add_user("Olive", colour=0x5D6D7E)
        user = self.add_user("Board Games", colour=0x8E5A2B, bot=True)
        return Application(user.id, "Board Games", user, owner, EVERYONE)

    @property
    def bot(self) -> User:
        """The bot's user."""
        return self.application.user

    # People

    def add_user(self, display: str, *, colour: int = 0x5865F2, bot: bool = False) -> User:
        """Let a person, or another bot, exist. They are in no server yet."""
        name = display.lower().replace(" ", "_")
        user = User(self.ids.next(), name, display, colour=colour, bot=bot)
        self.users[user.id] = user
        return user

    def user(self, user_id: int) -> User:
        """Find a user.

        Raises:
            ApiError: 10013 when there is none.
        """
        try:
            return self.users[user_id]
        except KeyError:
            raise ApiError(10013) from None

    # Servers

    def add_guild(self, name: str, owner: User) -> Guild:
        """Found a server with everyone's role and its owner as the first member."""
        guild = Guild(self.ids.next(), name, owner.id)
        guild.roles[guild.id] = Role(guild.id, "@everyone")
        self.guilds[guild.id] = guild
        self.add_member(guild, owner)
        return guild

    def add_member(self, guild: Guild, user: User) -> Member:
        """Let a user join a server."""
        member = Member(user, utc_now(self.clock))
        guild.members[user.id] = member
        guild.left.discard(user.id)
        self.emit(GuildUpdated(guild))
        if user is not self.bot:
            self.emit(MemberJoined(guild, member))
        return member

    def remove_member(self, guild: Guild, user: User) -> None:
        """Let a user leave a server, and its threads with it."""
        if guild.members.pop(user.id, None) is None:
            return
        guild.left.add(user.id)
        for thread in guild.threads.values():
            thread.thread_members.pop(user.id, None)
        if user is self.bot:
            self.emit(GuildLeft(guild))
        else:
            self.emit(GuildUpdated(guild))
            self.emit(MemberLeft(guild, user))

    def invite_bot(self, guild: Guild) -> None:
        """Invite the bot with the permissions of its application, unless it is there."""
        if self.bot.id in guild.members:
            return
        role = next((r for r in guild.roles.values() if r.managed), None)
        if role is None:
            role = Role(
                self.ids.next(),
                self.bot.display,
                self.application.permissions,
                position=len(guild.roles),
                managed=True,
            )
            guild.roles[role.id] = role
        member = self.add_member(guild, self.bot)
        member.role_ids.append(role.id)
        self.emit(GuildJoined(guild))

    def guild(self, guild_id: int) -> Guild:
        """Find a server that the bot is in.

        Raises:
            ApiError: 10004 when there is none, 50001 when the bot is not in it.
        """
        guild = self.guilds.get(guild_id)
        if guild is None:
            raise ApiError(10004)
        if self.bot.id not in guild.members:
            raise ApiError(50001)
        return guild

    # Channels

    def add_channel(self, guild: Guild, name: str, *, topic: str | None = None) -> Channel:
        """Open a text channel."""
        channel = Channel(
            self.ids.next(),
            ChannelType.TEXT,
            name,
            guild,
            position=len(guild.channels),
            topic=topic,
            made_at=utc_now(self.clock),
        )
        guild.channels[channel.id] = channel
        self.channels[channel.id] = channel
        self.emit(ChannelCreated(channel))
        return channel

    def dm_channel(self, *people: User) -> Channel:
        """Find or open the direct messages between two users."""
        key = frozenset(user.id for user in people)
        channel = self._directs.get(key)
        if channel is None:
            channel = Channel(self.ids.next(), ChannelType.DIRECT, recipients=people)
            self._directs[key] = channel
            self.channels[channel.id] = channel
            self.emit(ChannelCreated(channel))
        return channel

    def group(self, name: str, *people: User) -> Channel:
        """Open direct messages of a group. Bots cannot be in one."""
        channel = Channel(
            self.ids.next(),
            ChannelType.GROUP,
            name,
            recipients=people,
            owner_id=people[0].id,
        )
        self.channels[channel.id] = channel
        self.emit(ChannelCreated(channel))
        return channel

    def add_thread(
        self,
        parent: Channel,
        name: str,
        owner: User,
        *,
        thread_id: int | None = None,
        auto_archive: int = 1440,
        private: bool = False,
    ) -> Channel:
        """Open a thread. From a message it takes the id of that message."""
        now = utc_now(self.clock)
        thread = Channel(
            thread_id or self.ids.next(),
            ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD,
            name,
            parent.guild,
            parent=parent,
            owner_id=owner.id,
            archived_at=now,
            made_at=now,
            auto_archive=auto_archive,
            thread_members={owner.id: now},
        )
        assert parent.guild is not None
        parent.guild.threads[thread.id] = thread
        self.channels[thread.id] = thread
        self.emit(ThreadCreated(thread))
        return thread

    def archive(self, thread: Channel, *, archived: bool, locked: bool | None = None) -> None:
        """Put a thread to rest or wake it."""
        thread.archived = archived
        thread.archived_at = utc_now(self.clock)
        if locked is not None:
            thread.locked = locked
        self.emit(ChannelUpdated(thread))

    def remove_channel(self, channel: Channel) -> None:
        """Delete a channel with its threads and messages."""
        for thread in [c for c in self.channels.values() if c.parent is channel]:
            self.remove_channel(thread)
        del self.channels[channel.id]
        channel.removed = True
        if channel.guild is not None:
            channel.guild.channels.pop(channel.id, None)
            channel.guild.threads.pop(channel.id, None)
        for message in channel.messages.values():
            message.deleted = True
        self.emit(ChannelDeleted(channel))

    def channel(self, channel_id: int) -> Channel:
        """Find a channel that the bot may look into.

        Raises:
            ApiError: 10003 when there is none, 50001 when the bot may not see it.
        """
        channel = self.channels.get(channel_id)
        if channel is None:
            raise ApiError(10003)
        if not permissions_in(self.bot, channel) & Permission.VIEW_CHANNEL:
            raise ApiError(50001)
        return channel

    def named(self, channel: Channel | str | int) -> Channel:
        """Find a channel by itself, its id, or its name with or without the ``#``.

        Raises:
            LookupError: when no channel or thread has that name.
        """
        if isinstance(channel, Channel):
            return channel
        if isinstance(channel, int):
            return self.channels[channel]
        name = channel.removeprefix("#")
        for candidate in reversed(self.channels.values()):
            if candidate.name == name and candidate.kind is not ChannelType.DIRECT:
                return candidate
        known = ", ".join(f"#{c.name}" for c in self.channels.values() if c.name)
        raise LookupError(f"There is no channel #{name}. There are {known}.")

    # Messages

    def message(self, channel: Channel, message_id: int) -> Message:
        """Find a message that the channel's own routes can see: not an ephemeral one.

        Raises:
            ApiError: 10008 when there is none.
        """
        message = channel.messages.get(message_id)
        if message is None or message.ephemeral_for is not None:
            raise ApiError(10008)
        return message

    def can_see(self, user: User, thing: Message | Channel) -> bool:
        """Tell whether a user can see a channel, or a message in it."""
        if isinstance(thing, Message):
            if thing.deleted or thing.ephemeral_for not in {None, user}:
                return False
            thing = thing.channel
        if thing.removed:
            return False
        if thing.direct:
            return user in thing.recipients
        return bool(permissions_in(user, thing) & Permission.VIEW_CHANNEL)

    # News

    def subscribe(self, listener: Callable[[Event], None]) -> Callable[[], None]:
        """Call ``listener`` at each event, at once. Return what ends that.

        A listener must not raise and must not wait; it may put things in a queue.
        """
        key = object()
        self._listeners[key] = listener
        return lambda: self._listeners.pop(key, None) and None

    def emit(self, event: Event) -> None:
        """Tell everybody who listens."""
        for listener in list(self._listeners.values()):
            listener(event)

    async def until(
        self, seek: Callable[[Event | None], T | None], *, what: str, timeout: float = 20.0
    ) -> T:
        """Wait until ``seek`` finds something. It is asked now, with None, and at every event.

        Raises:
            NothingHappened: after ``timeout`` real seconds, naming ``what`` was waited for.
        """
        found = seek(None)
        if found is not None:
            return found
        waiting: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def look(event: Event) -> None:
            if waiting.done():
                return
            try:
                result = seek(event)
            except Exception as problem:  # noqa: BLE001 - the waiter raises it, not the teller
                waiting.set_exception(problem)
            else:
                if result is not None:
                    waiting.set_result(result)

        stop = self.subscribe(look)
        try:
            return await asyncio.wait_for(waiting, timeout)
        except TimeoutError:
            raise NothingHappened(f"Waited {timeout:g} s in vain for {what}.") from None
        finally:
            stop()

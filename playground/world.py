"""The state of the playground: users, servers, channels, threads and commands."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from cachetools import FIFOCache

from playground.access import permissions_in
from playground.clock import Clock, utc_now
from playground.commands import CommandRegistry
from playground.errors import ApiError
from playground.events import (
    ChannelCreated,
    ChannelDeleted,
    ChannelUpdated,
    EventBus,
    GuildAvailability,
    GuildJoined,
    GuildLeft,
    GuildUpdated,
    MemberJoined,
    MemberLeft,
    RoleDeleted,
    ThreadCreated,
)
from playground.model import Application, Channel, ChannelType, Guild, Member, Message, Role, User
from playground.permissions import EVERYONE, Permission
from playground.snowflake import Snowflakes
from playground.uploads import Upload

MAX_UPLOADS: Final = 32


class World(EventBus):
    """All state except messages, which :class:`playground.messages.Messages` changes.

    Args:
        clock: the time.
    """

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self.clock = clock
        self.ids = Snowflakes(clock)
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.cdn_base = ""
        self.uploads: FIFOCache[int, Upload] = FIFOCache(MAX_UPLOADS)
        self.application = self._application()
        self.commands = CommandRegistry(self.ids, self.application.id, self.emit)
        self._dms: dict[frozenset[int], Channel] = {}

    def upload(self, file: Upload) -> tuple[int, str]:
        """Store a file given to a command's option; return its id and URL.

        Discord keeps such files for a while; the playground keeps the latest `MAX_UPLOADS`.
        """
        file_id = self.ids.next()
        self.uploads[file_id] = file
        path = f"{self.application.id}/{file_id}/{quote(file.filename, safe='')}"
        return file_id, f"{self.cdn_base}/ephemeral-attachments/{path}"

    def _application(self) -> Application:
        owner = self.add_user("Olive", colour=0x5D6D7E)
        user = self.add_user("Old Board Games", colour=0x8E5A2B, bot=True)
        return Application(user.id, "Old Board Games", user, owner, EVERYONE)

    @property
    def bot(self) -> User:
        """The bot's user."""
        return self.application.user

    # Users

    def add_user(self, display: str, *, colour: int = 0x5865F2, bot: bool = False) -> User:
        """Create a person or another bot, in no server yet."""
        name = display.lower().replace(" ", "_")
        user = User(self.ids.next(), name, display, colour=colour, bot=bot)
        self.users[user.id] = user
        return user

    def user(self, user_id: int) -> User:
        """Return a user.

        Raises:
            ApiError: 10013 if unknown.
        """
        try:
            return self.users[user_id]
        except KeyError:
            raise ApiError(10013) from None

    # Servers

    def add_guild(self, name: str, owner: User) -> Guild:
        """Create a server with @everyone and its owner."""
        guild = Guild(self.ids.next(), name, owner.id)
        guild.roles[guild.id] = Role(guild.id, "@everyone")
        self.guilds[guild.id] = guild
        self.add_member(guild, owner)
        return guild

    def add_member(self, guild: Guild, user: User) -> Member:
        """Add a user to a server."""
        member = Member(user, utc_now(self.clock))
        guild.members[user.id] = member
        guild.former_members.discard(user.id)
        self.emit(GuildUpdated(guild))
        if user is not self.bot:
            self.emit(MemberJoined(guild, member))
        return member

    def delete_role(self, guild: Guild, role_id: int) -> None:
        """Delete a role of a server, and take it from its members."""
        del guild.roles[role_id]
        for member in guild.members.values():
            if role_id in member.role_ids:
                member.role_ids.remove(role_id)
        self.emit(RoleDeleted(guild, role_id))

    def remove_member(self, guild: Guild, user: User) -> None:
        """Remove a user from a server and its threads."""
        if guild.members.pop(user.id, None) is None:
            return
        guild.former_members.add(user.id)
        for thread in guild.threads.values():
            thread.thread_members.pop(user.id, None)
        if user is self.bot:
            self.emit(GuildLeft(guild))
        else:
            self.emit(GuildUpdated(guild))
            self.emit(MemberLeft(guild, user))

    def set_unavailable(self, guild: Guild, *, unavailable: bool = True) -> None:
        """Begin or end an outage of a server: the bot hears nothing from it meanwhile."""
        guild.unavailable = unavailable
        self.emit(GuildAvailability(guild))

    def invite_bot(self, guild: Guild) -> None:
        """Add the bot, with its role, to a server unless it is a member."""
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
        """Return a server that the bot is in.

        Raises:
            ApiError: 10004 if unknown, 50001 if the bot is not a member.
        """
        guild = self.guilds.get(guild_id)
        if guild is None:
            raise ApiError(10004)
        if self.bot.id not in guild.members:
            raise ApiError(50001)
        return guild

    # Channels

    def add_channel(self, guild: Guild, name: str, *, topic: str | None = None) -> Channel:
        """Create a text channel."""
        channel = Channel(
            self.ids.next(),
            ChannelType.GUILD_TEXT,
            name,
            guild,
            position=len(guild.channels),
            topic=topic,
            created_at=utc_now(self.clock),
        )
        guild.channels[channel.id] = channel
        self._created(channel)
        return channel

    def dm_channel(self, *people: User) -> Channel:
        """Return the DM channel of two users, creating it if needed."""
        key = frozenset(user.id for user in people)
        channel = self._dms.get(key)
        if channel is None:
            channel = Channel(self.ids.next(), ChannelType.DM, recipients=people)
            self._dms[key] = channel
            self._created(channel)
        return channel

    def add_group_dm(self, name: str, *people: User) -> Channel:
        """Create a group DM. Bots cannot join it."""
        channel = Channel(
            self.ids.next(),
            ChannelType.GROUP_DM,
            name,
            recipients=people,
            owner_id=people[0].id,
        )
        self._created(channel)
        return channel

    def _created(self, channel: Channel) -> None:
        self.channels[channel.id] = channel
        self.emit(ChannelCreated(channel))

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
        """Create a thread. One started from a message has the message's id."""
        now = utc_now(self.clock)
        thread = Channel(
            thread_id or self.ids.next(),
            ChannelType.PRIVATE_THREAD if private else ChannelType.PUBLIC_THREAD,
            name,
            parent.guild,
            parent=parent,
            owner_id=owner.id,
            archived_at=now,
            created_at=now,
            auto_archive=auto_archive,
            thread_members={owner.id: now},
        )
        assert parent.guild is not None
        parent.guild.threads[thread.id] = thread
        self.channels[thread.id] = thread
        self.emit(ThreadCreated(thread))
        return thread

    def archive(self, thread: Channel, *, archived: bool, locked: bool | None = None) -> None:
        """Archive or unarchive a thread, and lock or unlock it."""
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
        channel.deleted = True
        if channel.guild is not None:
            channel.guild.channels.pop(channel.id, None)
            channel.guild.threads.pop(channel.id, None)
        for message in channel.messages.values():
            message.deleted = True
        self.emit(ChannelDeleted(channel))

    def channel(self, channel_id: int) -> Channel:
        """Return a channel that the bot can view.

        Raises:
            ApiError: 10003 if unknown, 50001 if the bot cannot view it.
        """
        channel = self.channels.get(channel_id)
        if channel is None:
            raise ApiError(10003)
        if not permissions_in(self.bot, channel) & Permission.VIEW_CHANNEL:
            raise ApiError(50001)
        return channel

    def find_channel(self, channel: Channel | str | int) -> Channel:
        """Find a channel or thread by id, or by name with or without the ``#``.

        Raises:
            LookupError: if there is none.
        """
        if isinstance(channel, Channel):
            return channel
        if isinstance(channel, int):
            return self.channels[channel]
        name = channel.removeprefix("#")
        for candidate in reversed(self.channels.values()):
            if candidate.name == name and candidate.type is not ChannelType.DM:
                return candidate
        known = ", ".join(f"#{c.name}" for c in self.channels.values() if c.name)
        raise LookupError(f"No channel #{name}. Known: {known}.")

    @staticmethod
    def message(channel: Channel, message_id: int) -> Message:
        """Return a non-ephemeral message of a channel, as its routes see it.

        Raises:
            ApiError: 10008 if unknown.
        """
        message = channel.messages.get(message_id)
        if message is None or message.ephemeral_for is not None:
            raise ApiError(10008)
        return message

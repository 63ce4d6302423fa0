"""A person's Discord client: what they see, and what they do besides using the bot."""

from __future__ import annotations

from playground import command_picker
from playground.access import base_permissions, can_see, permissions_in
from playground.errors import Impossible
from playground.limits.problems import Problems
from playground.messages import Messages
from playground.model import Channel, Guild, Message, User
from playground.permissions import Permission
from playground.world import World

ChannelRef = Channel | str | int
"""A channel or thread: itself, its id, or its name with or without the ``#``."""


class Client:
    """A person at a Discord client.

    Attributes:
        user: their account.
        place: the open channel, where things happen by default.
    """

    def __init__(self, user: User, world: World, messages: Messages, place: Channel) -> None:
        self.user = user
        self.place = place
        self._world = world
        self._messages = messages

    def __repr__(self) -> str:
        return f"<Person {self.name}>"

    @property
    def name(self) -> str:
        """The display name."""
        return self.user.display

    @property
    def id(self) -> int:
        """The user's id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return self.user.mention

    @property
    def locale(self) -> str:
        """The client's language, such as ``de``."""
        return self.user.locale

    @locale.setter
    def locale(self, locale: str) -> None:
        self.user.locale = locale

    @property
    def dm(self) -> Channel:
        """The DM channel with the bot."""
        return self._world.dm_channel(self.user, self._world.bot)

    # Joining and leaving

    def joins(self, guild: Guild | None = None) -> None:
        """Join a server.

        Raises:
            Impossible: if they are already a member.
        """
        server = self._server(guild)
        if self.id in server.members:
            raise Impossible(f"{self.name} is a member of {server.name} already.")
        self._world.add_member(server, self.user)

    def leaves_server(self, guild: Guild | None = None) -> None:
        """Leave a server.

        Raises:
            Impossible: if they are not a member, or own it.
        """
        server = self._server(guild)
        if self.id not in server.members:
            raise Impossible(f"{self.name} is not a member of {server.name}.")
        if self.id == server.owner_id:
            raise Impossible(f"{self.name} owns {server.name} and cannot leave it.")
        self._world.remove_member(server, self.user)

    def kicks(self, other: Client, guild: Guild | None = None) -> None:
        """Kick a member from a server.

        Raises:
            Impossible: without the permission, or if the other owns the server or is not a member.
        """
        server = self._server(guild)
        if not base_permissions(self.user, server) & Permission.KICK_MEMBERS:
            raise Impossible(f"{self.name} may not kick anyone from {server.name}.")
        if other.id not in server.members or other.id == server.owner_id:
            raise Impossible(f"{other.name} cannot be kicked from {server.name}.")
        self._world.remove_member(server, other.user)

    def _server(self, guild: Guild | None) -> Guild:
        return guild or self.place.guild or next(iter(self._world.guilds.values()))

    # Reading

    def channels(self) -> list[Channel]:
        """List the channels and threads that this person can see."""
        return [c for c in self._world.channels.values() if can_see(self.user, c)]

    def sees(self, place: ChannelRef | None = None) -> list[Message]:
        """List a channel's messages that this person can see, oldest first.

        Raises:
            Impossible: if they cannot see the channel.
        """
        channel = self._visible_channel(place)
        return [m for m in channel.messages.values() if can_see(self.user, m)]

    def _visible_channel(self, place: ChannelRef | None) -> Channel:
        channel = self.place if place is None else self._world.find_channel(place)
        if not can_see(self.user, channel):
            raise Impossible(f"{self.name} cannot see {channel.label}.")
        return channel

    def slash_commands(self, place: ChannelRef | None = None) -> list[command_picker.SlashCommand]:
        """List the slash commands that Discord offers this person in a channel."""
        return command_picker.slash_commands(self._world, self.user, self._visible_channel(place))

    def _active_channel(self, place: ChannelRef | None) -> Channel:
        channel = self._visible_channel(place)
        if channel.archived:
            raise Impossible(f"The thread {channel.name!r} is archived: write in it first.")
        return channel

    def _check_visible(self, message: Message) -> None:
        if message.deleted:
            raise Impossible("The message has been deleted.")
        if not can_see(self.user, message):
            raise Impossible(f"{self.name} cannot see this message.")

    # Writing

    def says(self, text: str, *, channel: ChannelRef | None = None) -> Message:
        """Post a message. It unarchives a thread.

        Raises:
            Impossible: if they may not post here, or the text is empty or too long.
        """
        place = self._visible_channel(channel)
        needed = (
            Permission.SEND_MESSAGES_IN_THREADS if place.is_thread else Permission.SEND_MESSAGES
        )
        if not place.is_dm:
            mine = permissions_in(self.user, place)
            if not mine & needed:
                raise Impossible(f"{self.name} may not write in {place.label}.")
            if place.archived and place.locked and not mine & Permission.MANAGE_THREADS:
                raise Impossible(f"The thread {place.name!r} is locked.")
        if not 1 <= len(text.strip()) <= 2000:
            raise Impossible("A message has between 1 and 2000 characters.")
        message = self._messages.send(place, self.user, {"content": text}, {}, Problems())
        if place.archived:
            self._world.archive(place, archived=False)
        return message

    def deletes(self, message: Message) -> None:
        """Delete a message: their own, or, with the permission, another's.

        Raises:
            Impossible: without the permission.
        """
        self._check_visible(message)
        mine = permissions_in(self.user, message.channel)
        if message.author is not self.user and not mine & Permission.MANAGE_MESSAGES:
            raise Impossible(f"{self.name} may not delete this message.")
        self._messages.delete(message)

    def dismisses(self, message: Message) -> None:
        """Dismiss an ephemeral message.

        Raises:
            Impossible: for any other message.
        """
        self._check_visible(message)
        if message.ephemeral_for is not self.user:
            raise Impossible("You can only dismiss messages that nobody else can see.")
        self._messages.delete(message)

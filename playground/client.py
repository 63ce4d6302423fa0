"""A client: what one person sees, and what they do there that does not concern the bot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground import command_picker
from playground.errors import Impossible
from playground.limits.problems import Problems
from playground.model import Channel, Message
from playground.permissions import Permission, base_permissions, permissions_in

if TYPE_CHECKING:
    from playground.messages import Messages
    from playground.model import Guild, User
    from playground.world import World

ChannelRef = Channel | str | int
"""A channel or thread: itself, its id, or its name with or without the ``#``."""


class Client:
    """Somebody at a screen.

    Attributes:
        user: who it is.
        place: the channel that is open on the screen, where things happen unless said otherwise.
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
        """The name that others see."""
        return self.user.display

    @property
    def id(self) -> int:
        """Discord's id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return self.user.mention

    @property
    def locale(self) -> str:
        """The language of the client, such as ``de``."""
        return self.user.locale

    @locale.setter
    def locale(self, locale: str) -> None:
        self.user.locale = locale

    @property
    def direct(self) -> Channel:
        """The direct messages with the bot."""
        return self._world.dm_channel(self.user, self._world.bot)

    # Coming and going

    def joins(self, guild: Guild | None = None) -> None:
        """Become a member of a server, by an invitation that everybody has.

        Raises:
            Impossible: when they are one.
        """
        server = self._server(guild)
        if self.id in server.members:
            raise Impossible(f"{self.name} is a member of {server.name} already.")
        self._world.add_member(server, self.user)

    def leaves_server(self, guild: Guild | None = None) -> None:
        """Leave a server.

        Raises:
            Impossible: when they are no member of it, or own it.
        """
        server = self._server(guild)
        if self.id not in server.members:
            raise Impossible(f"{self.name} is not a member of {server.name}.")
        if self.id == server.owner_id:
            raise Impossible(f"{self.name} owns {server.name} and cannot leave it.")
        self._world.remove_member(server, self.user)

    def throws_out(self, other: Client, guild: Guild | None = None) -> None:
        """Throw somebody out of a server, as who may do so can.

        Raises:
            Impossible: without that permission, for the owner, or for who is no member.
        """
        server = self._server(guild)
        if not base_permissions(self.user, server) & Permission.KICK_MEMBERS:
            raise Impossible(f"{self.name} may not throw anybody out of {server.name}.")
        if other.id not in server.members or other.id == server.owner_id:
            raise Impossible(f"{other.name} cannot be thrown out of {server.name}.")
        self._world.remove_member(server, other.user)

    def _server(self, guild: Guild | None) -> Guild:
        return guild or self.place.guild or next(iter(self._world.guilds.values()))

    # Looking

    def channels(self) -> list[Channel]:
        """List the channels and threads that this person can see."""
        return [c for c in self._world.channels.values() if self._world.can_see(self.user, c)]

    def sees(self, place: ChannelRef | None = None) -> list[Message]:
        """List the messages of a channel that this person can see, oldest first.

        Raises:
            Impossible: for a channel that they cannot see.
        """
        channel = self._there(place)
        return [m for m in channel.messages.values() if self._world.can_see(self.user, m)]

    def _there(self, place: ChannelRef | None) -> Channel:
        channel = self.place if place is None else self._world.named(place)
        if not self._world.can_see(self.user, channel):
            raise Impossible(f"{self.name} cannot see {channel.address}.")
        return channel

    def slash_commands(self, place: ChannelRef | None = None) -> list[command_picker.SlashCommand]:
        """List the slash commands offered to this person in a channel."""
        return command_picker.slash_commands(self._world, self.user, self._there(place))

    def _awake(self, place: ChannelRef | None) -> Channel:
        channel = self._there(place)
        if channel.archived:
            raise Impossible(f"The thread {channel.name!r} is archived: write in it first.")
        return channel

    def _look_at(self, message: Message) -> None:
        if message.deleted:
            raise Impossible("The message has been deleted.")
        if not self._world.can_see(self.user, message):
            raise Impossible(f"{self.name} cannot see this message.")

    # Writing

    def says(self, text: str, *, channel: ChannelRef | None = None) -> Message:
        """Write a message. It wakes a thread at rest.

        Raises:
            Impossible: where this person may not write, or when the text is empty or too long.
        """
        place = self._there(channel)
        needed = (
            Permission.SEND_MESSAGES_IN_THREADS if place.is_thread else Permission.SEND_MESSAGES
        )
        if not place.direct:
            mine = permissions_in(self.user, place)
            if not mine & needed:
                raise Impossible(f"{self.name} may not write in {place.address}.")
            if place.archived and place.locked and not mine & Permission.MANAGE_THREADS:
                raise Impossible(f"The thread {place.name!r} is locked.")
        if not 1 <= len(text.strip()) <= 2000:
            raise Impossible("A message has between 1 and 2000 characters.")
        message = self._messages.send(place, self.user, {"content": text}, {}, Problems())
        if place.archived:
            self._world.archive(place, archived=False)
        return message

    def deletes(self, message: Message) -> None:
        """Delete a message: one's own, or anybody's with the permission.

        Raises:
            Impossible: without that permission.
        """
        self._look_at(message)
        mine = permissions_in(self.user, message.channel)
        if message.author is not self.user and not mine & Permission.MANAGE_MESSAGES:
            raise Impossible(f"{self.name} may not delete this message.")
        self._messages.delete(message)

    def dismisses(self, message: Message) -> None:
        """Put an ephemeral message out of sight.

        Raises:
            Impossible: for any other message.
        """
        self._look_at(message)
        if message.ephemeral_for is not self.user:
            raise Impossible("Only a message that you alone can see can be dismissed.")
        self._messages.delete(message)

    def closes_dms(self) -> None:
        """Let nobody write to this person directly."""
        self.user.dms_open = False

    def opens_dms(self) -> None:
        """Let people write to this person directly."""
        self.user.dms_open = True

"""What happens in the playground, as told to everybody who listens.

A listener is called at once and in order: the gateway, which tells the bot; the chat page, which
tells browsers; and whoever waits for something. Who may see an event follows from what it is
about: ask :meth:`playground.world.World.can_see` for messages and channels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playground.interaction import Interaction
    from playground.model import Channel, Guild, Member, Message, User


@dataclass(frozen=True, slots=True)
class MessageSent:
    """A message was posted. An ephemeral one concerns ``message.ephemeral_for`` alone."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageEdited:
    """A message shows something else now."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    """A message is gone."""

    message: Message


@dataclass(frozen=True, slots=True)
class ThreadCreated:
    """A thread was opened."""

    thread: Channel


@dataclass(frozen=True, slots=True)
class ChannelCreated:
    """A text channel or a direct message was opened."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelUpdated:
    """A channel or thread has another name, state, permission or circle of members."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelDeleted:
    """A channel or thread is gone with all its messages."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class GuildUpdated:
    """A server has another member, role or name."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class MemberJoined:
    """Somebody is a member of a server now."""

    guild: Guild
    member: Member


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """Somebody is no longer a member of a server: they left, or were thrown out."""

    guild: Guild
    user: User


@dataclass(frozen=True, slots=True)
class GuildJoined:
    """The bot is in a server now."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class GuildLeft:
    """The bot is no longer in a server."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class CommandsSynced:
    """The bot has told its commands. ``guild_id`` is None for those that hold everywhere."""

    guild_id: int | None


@dataclass(frozen=True, slots=True)
class Typing:
    """The bot or a person is typing."""

    channel: Channel
    user: User


@dataclass(frozen=True, slots=True)
class InteractionCreated:
    """Somebody used a command, pressed a button, chose, typed or sent a form."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class InteractionClosed:
    """The bot has answered an interaction for the first time, or has failed to in time."""

    interaction: Interaction


Event = (
    MessageSent
    | MessageEdited
    | MessageDeleted
    | ThreadCreated
    | ChannelCreated
    | ChannelUpdated
    | ChannelDeleted
    | GuildUpdated
    | MemberJoined
    | MemberLeft
    | GuildJoined
    | GuildLeft
    | CommandsSynced
    | Typing
    | InteractionCreated
    | InteractionClosed
)

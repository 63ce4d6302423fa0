"""The playground's events, and the bus that delivers them to subscribers.

The gateway, the chat page's WebSockets and waiting tests subscribe. To decide who may see an
event, ask :func:`playground.access.can_see`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from playground.activities.model import Instance
from playground.errors import SAFETY_SECONDS, NothingHappened
from playground.interaction import Interaction
from playground.model import Channel, Guild, Member, Message, User

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _MessageEvent:
    message: Message


class MessageSent(_MessageEvent):
    """A message was posted; an ephemeral one is visible only to ``message.ephemeral_for``."""


class MessageEdited(_MessageEvent):
    """A message changed."""


class MessageDeleted(_MessageEvent):
    """A message was deleted."""


@dataclass(frozen=True, slots=True)
class _ChannelEvent:
    channel: Channel


class ThreadCreated(_ChannelEvent):
    """A thread was created."""


class ChannelCreated(_ChannelEvent):
    """A text channel, DM or group DM was created."""


class ChannelUpdated(_ChannelEvent):
    """The name, state, permissions or members of a channel or thread changed."""


class ChannelDeleted(_ChannelEvent):
    """A channel or thread was deleted, with its messages."""


@dataclass(frozen=True, slots=True)
class _GuildEvent:
    guild: Guild


class GuildUpdated(_GuildEvent):
    """The name, roles or members of a server changed."""


@dataclass(frozen=True, slots=True)
class RoleDeleted(_GuildEvent):
    """A role of a server was deleted."""

    role_id: int


class GuildJoined(_GuildEvent):
    """The bot joined a server."""


class GuildLeft(_GuildEvent):
    """The bot left a server."""


class GuildAvailability(_GuildEvent):
    """A server became unavailable because of an outage, or available again."""


@dataclass(frozen=True, slots=True)
class MemberJoined(_GuildEvent):
    """A user joined a server."""

    member: Member


@dataclass(frozen=True, slots=True)
class MemberLeft(_GuildEvent):
    """A user left a server or was kicked."""

    user: User


@dataclass(frozen=True, slots=True)
class CommandsSynced:
    """The bot changed its commands; ``guild_id`` is None for global ones."""

    guild_id: int | None


@dataclass(frozen=True, slots=True)
class Typing(_ChannelEvent):
    """A user started typing."""

    user: User


@dataclass(frozen=True, slots=True)
class _InteractionEvent:
    interaction: Interaction


class InteractionCreated(_InteractionEvent):
    """A person used a command or component, typed into an option or submitted a modal."""


class InteractionClosed(_InteractionEvent):
    """The bot has given an interaction its first response, or the time is up."""


@dataclass(frozen=True, slots=True)
class ActivityParticipants:
    """Somebody came into an Activity or left it."""

    instance: Instance


Event = (
    MessageSent
    | MessageEdited
    | MessageDeleted
    | ThreadCreated
    | ChannelCreated
    | ChannelUpdated
    | ChannelDeleted
    | GuildUpdated
    | RoleDeleted
    | MemberJoined
    | MemberLeft
    | GuildJoined
    | GuildAvailability
    | GuildLeft
    | CommandsSynced
    | Typing
    | InteractionCreated
    | InteractionClosed
    | ActivityParticipants
)


class EventBus:
    """Calls subscribers immediately and in order."""

    def __init__(self) -> None:
        self._subscribers: dict[object, Callable[[Event], None]] = {}

    def subscribe(self, subscriber: Callable[[Event], None]) -> Callable[[], None]:
        """Call ``subscriber`` with every event; it must neither raise nor block.

        Returns:
            A function that unsubscribes.
        """
        key = object()
        self._subscribers[key] = subscriber
        return lambda: self._subscribers.pop(key, None) and None

    def emit(self, event: Event) -> None:
        """Call every subscriber with an event."""
        for subscriber in list(self._subscribers.values()):
            subscriber(event)

    async def until(
        self,
        find: Callable[[Event | None], T | None],
        *,
        what: str,
        timeout: float = SAFETY_SECONDS,
    ) -> T:
        """Wait until ``find``, called now with None and then with every event, returns something.

        Raises:
            NothingHappened: after ``timeout`` real seconds, naming ``what`` did not happen.
        """
        found = find(None)
        if found is not None:
            return found
        waiting: asyncio.Future[T] = asyncio.get_running_loop().create_future()

        def look(event: Event) -> None:
            if waiting.done():
                return
            try:
                result = find(event)
            except Exception as problem:  # noqa: BLE001 - raised to the waiter, not the emitter
                waiting.set_exception(problem)
            else:
                if result is not None:
                    waiting.set_result(result)

        unsubscribe = self.subscribe(look)
        try:
            return await asyncio.wait_for(waiting, timeout)
        except TimeoutError:
            raise NothingHappened(f"Waited {timeout:g} s in vain for {what}.") from None
        finally:
            unsubscribe()

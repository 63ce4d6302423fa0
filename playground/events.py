"""What happens in the playground, and the bus that tells subscribers.

The gateway, the chat page's WebSockets and waiting tests subscribe. To decide who may see an
event, ask :func:`playground.access.can_see`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from playground.errors import SAFETY_SECONDS, NothingHappened

if TYPE_CHECKING:
    from collections.abc import Callable

    from playground.interaction import Interaction
    from playground.model import Channel, Guild, Member, Message, User

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MessageSent:
    """A message was posted; only ``message.ephemeral_for`` sees an ephemeral one."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageEdited:
    """A message changed."""

    message: Message


@dataclass(frozen=True, slots=True)
class MessageDeleted:
    """A message was deleted."""

    message: Message


@dataclass(frozen=True, slots=True)
class ThreadCreated:
    """A thread was created."""

    thread: Channel


@dataclass(frozen=True, slots=True)
class ChannelCreated:
    """A text channel, DM or group DM was created."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelUpdated:
    """The name, state, permissions or members of a channel or thread changed."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class ChannelDeleted:
    """A channel or thread was deleted with its messages."""

    channel: Channel


@dataclass(frozen=True, slots=True)
class GuildUpdated:
    """The name, roles or members of a server changed."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class MemberJoined:
    """A user joined a server."""

    guild: Guild
    member: Member


@dataclass(frozen=True, slots=True)
class MemberLeft:
    """A user left a server or was kicked."""

    guild: Guild
    user: User


@dataclass(frozen=True, slots=True)
class GuildJoined:
    """The bot joined a server."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class GuildLeft:
    """The bot left a server."""

    guild: Guild


@dataclass(frozen=True, slots=True)
class CommandsSynced:
    """The bot changed its commands; ``guild_id`` is None for global ones."""

    guild_id: int | None


@dataclass(frozen=True, slots=True)
class Typing:
    """A user started typing."""

    channel: Channel
    user: User


@dataclass(frozen=True, slots=True)
class InteractionCreated:
    """A person used a command or component, typed into an option or submitted a modal."""

    interaction: Interaction


@dataclass(frozen=True, slots=True)
class InteractionClosed:
    """The bot has given its first response to an interaction, or its time is up."""

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


class EventBus:
    """Calls subscribers at once and in order."""

    def __init__(self) -> None:
        self._subscribers: dict[object, Callable[[Event], None]] = {}

    def subscribe(self, subscriber: Callable[[Event], None]) -> Callable[[], None]:
        """Call ``subscriber`` at every event; it must neither raise nor block.

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
        """Wait until ``find`` returns something: called now with None, then with every event.

        Raises:
            NothingHappened: after ``timeout`` real seconds, naming ``what`` was waited for.
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

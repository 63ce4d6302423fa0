"""An interaction: a person's request to the bot, and its state."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Final

from playground.activities.model import Frame
from playground.clock import TimerHandle
from playground.errors import JSON
from playground.model import Channel, Message, User

TYPED: Final = frozenset({1, 4})
"""The types of commands that are typed after a slash."""


class InteractionType(IntEnum):
    """The person's action."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class ResponseType(IntEnum):
    """The bot's first response: Discord's interaction callback types."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9
    LAUNCH_ACTIVITY = 12


class InteractionState(Enum):
    """The state of an interaction."""

    WAITING = "waiting"
    RESPONDED = "responded"
    FAILED = "failed"


@dataclass(slots=True, eq=False)
class Interaction:
    """A person's request to the bot.

    Attributes:
        message: the message whose component was used.
        stale_components: its components as the person saw them, if they have changed since.
        trigger: the interaction that opened the modal submitted by this one.
        original: the message that the first response created or updated.
        acknowledged: resolves with the first response, or fails with `InteractionFailed`.
        acknowledged_after: seconds until then.
        heard: whether a connected bot received it.
        failure: why it failed.
        deferred: whether the next follow-up replaces the "is thinking" message.
        choices: the autocomplete choices of the response.
        frame: the Activity that the response launched for the person.
    """

    id: int
    token: str = field(repr=False)
    type: InteractionType
    user: User
    channel: Channel
    data: JSON
    created_at: float
    acknowledged: asyncio.Future[None] = field(repr=False)
    message: Message | None = None
    stale_components: Sequence[JSON] | None = None
    trigger: Interaction | None = None
    state: InteractionState = InteractionState.WAITING
    response: ResponseType | None = None
    original: Message | None = None
    deferred: bool = False
    followups: list[Message] = field(default_factory=list)
    modal: JSON | None = None
    choices: list[JSON] | None = None
    acknowledged_after: float | None = None
    delivered: bool = False
    failure: str | None = None
    frame: Frame | None = None
    timeout: TimerHandle | None = field(default=None, repr=False)

    @property
    def integration_owners(self) -> dict[str, str]:
        """Discord's ``authorizing_integration_owners``: the installing server or user."""
        guild = self.channel.guild
        if not user_install_only(self.channel):
            return {"0": str(guild.id) if guild is not None else "0"}
        if self.message is not None and self.message.interaction_metadata is not None:
            # The user whose command posted the message.
            owners: dict[str, str] = self.message.interaction_metadata[
                "authorizing_integration_owners"
            ]
            return owners
        return {"1": str(self.user.id)}

    def add_message(self, message: Message) -> None:
        """Record a message as the first response or a follow-up."""
        if self.response is None:
            self.original = message
        else:
            self.followups.append(message)


def user_install_only(channel: Channel) -> bool:
    """Return whether only users who installed the application can use it here."""
    if channel.guild is None:
        return not any(user.bot for user in channel.recipients)
    return not any(member.user.bot for member in channel.guild.members.values())


def context_of(channel: Channel) -> int:
    """Return Discord's interaction context: 0 a server, 1 a DM with the bot, 2 another DM."""
    if channel.guild is not None:
        return 0
    return 2 if user_install_only(channel) else 1

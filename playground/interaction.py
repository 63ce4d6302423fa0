"""One thing that a person asks of the bot, and how far it has got."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from playground.clock import TimerHandle
    from playground.errors import JSON
    from playground.model import Channel, Message, User


class InteractionType(IntEnum):
    """What a person did."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class ResponseType(IntEnum):
    """How the bot answered."""

    MESSAGE = 4
    DEFERRED_MESSAGE = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


class InteractionState(Enum):
    """Where an interaction stands."""

    WAITING = "waiting"
    ANSWERED = "answered"
    FAILED = "failed"


@dataclass(slots=True, eq=False)
class Interaction:
    """One thing that a person asked of the bot.

    ``message`` is the one whose component was used, ``shown`` what its components were then, when
    they are others now; ``trigger`` the interaction that opened the
    modal which this one submits; ``original`` the message that the first answer made or changed.
    """

    id: int
    token: str = field(repr=False)
    kind: InteractionType
    user: User
    channel: Channel
    data: JSON
    made_at: float
    answered: asyncio.Future[None] = field(repr=False)
    message: Message | None = None
    shown: Sequence[JSON] | None = None
    trigger: Interaction | None = None
    state: InteractionState = InteractionState.WAITING
    answer: ResponseType | None = None
    original: Message | None = None
    thinking: bool = False
    followups: list[Message] = field(default_factory=list)
    modal: JSON | None = None
    choices: list[JSON] | None = None
    answered_after: float | None = None
    timer: TimerHandle | None = field(default=None, repr=False)

    @property
    def integration_owners(self) -> dict[str, str]:
        """Which installations of the application allow it: of a server, or of a person."""
        guild = self.channel.guild
        if not user_install_only(self.channel):
            return {"0": str(guild.id) if guild is not None else "0"}
        if self.message is not None and self.message.interaction is not None:
            return self.message.interaction.integration_owners  # of whoever used the command first
        return {"1": str(self.user.id)}

    def keep(self, message: Message) -> None:
        """Remember a message that answers: the first one, or a further one."""
        if self.answer is None:
            self.original = message
        else:
            self.followups.append(message)


def user_install_only(channel: Channel) -> bool:
    """Tell whether the application is in a place only when a person who has it uses it."""
    if channel.guild is None:
        return not any(user.bot for user in channel.recipients)
    return not any(member.user.bot for member in channel.guild.members.values())


def context_of(channel: Channel) -> int:
    """Give Discord's number for a place: a server, direct messages with the bot, or others."""
    if channel.guild is not None:
        return 0
    return 2 if user_install_only(channel) else 1

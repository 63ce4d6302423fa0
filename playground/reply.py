"""What a person gets back from the bot."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from playground import components as kinds
from playground.errors import JSON, NothingHappened
from playground.interaction import ResponseType

if TYPE_CHECKING:
    from collections.abc import Callable

    from playground.events import Event
    from playground.interaction import Interaction
    from playground.model import Message
    from playground.world import World

SAFETY_SECONDS: Final = 20.0


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One entry that completion offers: what is shown, and what is sent."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Field:
    """One input of a modal."""

    label: str
    description: str | None
    component: JSON

    @property
    def type(self) -> int:
        """Discord's number for the kind of input."""
        return int(self.component["type"])

    @property
    def custom_id(self) -> str:
        """The id under which the bot reads it."""
        return str(self.component["custom_id"])

    @property
    def required(self) -> bool:
        """Whether it must be filled."""
        return bool(self.component.get("required", True))


class Modal:
    """A form that the bot shows to one person.

    Args:
        interaction: the one that it answers.
    """

    def __init__(self, interaction: Interaction) -> None:
        data = interaction.modal
        assert data is not None
        self.interaction = interaction
        self.title = str(data["title"])
        self.custom_id = str(data["custom_id"])
        self.submitted = False
        numbers = iter(range(1, 100))
        self.component_data: list[JSON] = [
            {**component, "id": component.get("id") or next(numbers)}
            for component in data["components"]
        ]
        self.fields = list(self._fields())

    def _fields(self) -> list[Field]:
        found = []
        for component in self.component_data:
            if component["type"] == kinds.LABEL:
                found.append(
                    Field(component["label"], component.get("description"), component["component"])
                )
            elif component["type"] == kinds.ROW:
                found += [Field(c.get("label") or "", None, c) for c in component["components"]]
        return found

    @property
    def text(self) -> str:
        """The words that it shows besides its inputs."""
        return "\n".join(kinds.texts(self.component_data))

    def __repr__(self) -> str:
        return f"<Modal {self.title!r}: {', '.join(f.label for f in self.fields)}>"


class Reply:
    """The bot's answer to one thing that a person did.

    The answer may go on growing: a deferred message is filled later, follow-ups come.
    """

    def __init__(self, world: World, interaction: Interaction) -> None:
        self._world = world
        self.interaction = interaction
        self._modal: Modal | None = None

    @property
    def message(self) -> Message | None:
        """The message that the answer made or changed; None for a modal or when it is gone."""
        message = self.interaction.original
        return None if message is None or message.deleted else message

    @property
    def text(self) -> str:
        """The words of the message; empty when there is none."""
        return self.message.text if self.message else ""

    @property
    def ephemeral(self) -> bool:
        """Whether only this person can see the message."""
        return self.message is not None and self.message.ephemeral

    @property
    def deferred(self) -> bool:
        """Whether the bot only said that it needs time."""
        return self.interaction.answer in {
            ResponseType.DEFERRED_MESSAGE,
            ResponseType.DEFERRED_UPDATE,
        }

    @property
    def updated(self) -> bool:
        """Whether the answer changed the message that was pressed, at once."""
        return self.interaction.answer is ResponseType.UPDATE

    @property
    def modal(self) -> Modal | None:
        """The form that the bot shows."""
        if self._modal is None and self.interaction.modal is not None:
            self._modal = Modal(self.interaction)
        return self._modal

    @property
    def followups(self) -> list[Message]:
        """Further messages so far."""
        return [m for m in self.interaction.followups if not m.deleted]

    @property
    def error(self) -> str | None:
        """What Discord shows in the place of an answer that did not come."""
        done = self.interaction.answered
        if not done.done() or done.exception() is None:
            return None
        return str(done.exception())

    async def acknowledged(self) -> Reply:
        """Wait until the bot has answered for the first time.

        Raises:
            InteractionFailed: when it has not within three seconds on the clock.
            NothingHappened: when the clock stands still and the bot is silent.
        """
        try:
            await asyncio.wait_for(asyncio.shield(self.interaction.answered), SAFETY_SECONDS)
        except TimeoutError:
            raise NothingHappened("The bot is silent, and the clock stands still.") from None
        return self

    async def filled(self) -> Message:
        """Wait until the message is more than a sign that the bot is thinking.

        Raises:
            NothingHappened: when that does not come.
        """

        def look(_event: Event | None) -> Message | None:
            message = self.message
            return message if message is not None and not message.loading else None

        return await self._world.until(look, what="a deferred answer to be filled")

    async def followup(self, matching: Callable[[Message], bool] | None = None) -> Message:
        """Wait for a further message, or give the first that has come.

        Raises:
            NothingHappened: when none comes.
        """

        def look(_event: Event | None) -> Message | None:
            for message in self.followups:
                if matching is None or matching(message):
                    return message
            return None

        return await self._world.until(look, what="a follow-up message")

    def __repr__(self) -> str:
        answer = self.interaction.answer
        return f"<Reply {answer.name if answer else self.interaction.state.value}: {self.text!r}>"

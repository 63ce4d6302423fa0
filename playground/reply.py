"""The bot's reply to an interaction, as shown to the person."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

from playground import components as kinds
from playground.activities.model import Instance
from playground.errors import JSON, SAFETY_SECONDS, NothingHappened
from playground.events import Event
from playground.interaction import Interaction, ResponseType
from playground.model import Message
from playground.world import World


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An autocomplete choice: the name shown and the value sent."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Field:
    """An input of a modal."""

    label: str
    description: str | None
    component: JSON

    @property
    def type(self) -> int:
        """Discord's component type."""
        return int(self.component["type"])

    @property
    def custom_id(self) -> str:
        """The id under which the bot reads its value."""
        return str(self.component["custom_id"])

    @property
    def required(self) -> bool:
        """Whether it needs a value."""
        return bool(self.component.get("required", True))


class Modal:
    """A modal the bot opened for one person.

    Args:
        interaction: the interaction it responds to.
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
        """The text next to its inputs."""
        return "\n".join(kinds.texts(self.component_data))

    def __repr__(self) -> str:
        return f"<Modal {self.title!r}: {', '.join(f.label for f in self.fields)}>"


class Reply:
    """The bot's response to an interaction; await it for the first response.

    It may grow: a deferred message is filled in later, follow-ups are posted.
    """

    def __init__(self, world: World, interaction: Interaction) -> None:
        self._world = world
        self.interaction = interaction
        self._modal: Modal | None = None
        self._pressed_at = 0 if interaction.message is None else interaction.message.revision

    @property
    def message(self) -> Message | None:
        """The message it created or updated; None for a modal, or if deleted."""
        message = self.interaction.original
        return None if message is None or message.deleted else message

    @property
    def shown(self) -> Message:
        """The message it created or updated.

        Raises:
            NothingHappened: if there is none.
        """
        if (message := self.message) is None:
            raise NothingHappened("The answer is no message, or it was deleted.")
        return message

    @property
    def text(self) -> str:
        """The message's text; empty without a message."""
        return self.message.text if self.message else ""

    @property
    def private(self) -> str:
        """The text of a message that only this person can see.

        Raises:
            NothingHappened: if there is none.
        """
        if not self.ephemeral:
            raise NothingHappened(f"The answer is not private: {self.text!r}.")
        return self.text

    @property
    def ephemeral(self) -> bool:
        """Whether only this person can see the message."""
        return self.message is not None and self.message.ephemeral

    @property
    def deferred(self) -> bool:
        """Whether the bot deferred its response."""
        return self.interaction.response in {
            ResponseType.DEFERRED_MESSAGE,
            ResponseType.DEFERRED_UPDATE,
        }

    @property
    def updated(self) -> bool:
        """Whether the response updated the pressed message."""
        return self.interaction.response is ResponseType.UPDATE

    @property
    def modal(self) -> Modal | None:
        """The modal that the bot opened."""
        if self._modal is None and self.interaction.modal is not None:
            self._modal = Modal(self.interaction)
        return self._modal

    @property
    def activity(self) -> Instance | None:
        """The Activity that it launched for the person."""
        frame = self.interaction.frame
        return None if frame is None else frame.instance

    @property
    def followups(self) -> list[Message]:
        """The follow-up messages so far."""
        return [m for m in self.interaction.followups if not m.deleted]

    @property
    def error(self) -> str | None:
        """Discord's error text, if the bot did not respond in time."""
        future = self.interaction.acknowledged
        if not future.done() or future.exception() is None:
            return None
        return str(future.exception())

    def __await__(self) -> Generator[Any, None, Reply]:
        """Wait for the first response.

        Raises:
            InteractionFailed: if none comes within three seconds on the clock.
            NothingHappened: if the clock stands still and the bot is silent.
        """
        return self._acknowledged().__await__()

    async def _acknowledged(self) -> Reply:
        try:
            await asyncio.wait_for(asyncio.shield(self.interaction.acknowledged), SAFETY_SECONDS)
        except TimeoutError:
            raise NothingHappened("The bot is silent, and the clock stands still.") from None
        return self

    async def filled(self) -> Message:
        """Wait until a deferred answer is there: a message filled in, or after a press a change or a follow-up.

        Raises:
            NothingHappened: if that does not happen.
        """

        def look(_event: Event | None) -> Message | None:
            if self.interaction.response is ResponseType.DEFERRED_UPDATE:
                pressed = self.message
                changed = pressed is not None and pressed.revision > self._pressed_at
                return next(reversed(self.followups), pressed if changed else None)
            message = self.message
            return message if message is not None and not message.loading else None

        return await self._world.until(look, what="a deferred answer to be filled")

    async def followup(self, matching: Callable[[Message], bool] | None = None) -> Message:
        """Wait for the first matching follow-up.

        Raises:
            NothingHappened: if none comes.
        """

        def look(_event: Event | None) -> Message | None:
            for message in self.followups:
                if matching is None or matching(message):
                    return message
            return None

        return await self._world.until(look, what="a follow-up message")

    def __repr__(self) -> str:
        response = self.interaction.response
        state = response.name if response else self.interaction.state.value
        return f"<Reply {state}: {self.text!r}>"

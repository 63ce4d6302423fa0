"""People: what somebody at a Discord client can do, and nothing that they could not.

Tests and the chat page drive the playground through :class:`Person`. Whatever the client of a
real user would not let them do raises :class:`~playground.errors.Impossible`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playground import command_picker, component_input
from playground import components as kinds
from playground.client import ChannelRef, Client
from playground.command_picker import Resolved
from playground.errors import JSON, Impossible
from playground.interaction import InteractionType
from playground.model import Channel, Message, Snapshot
from playground.payloads import message as message_payload
from playground.reply import Modal, Reply, Suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playground.interaction import Interaction
    from playground.interactions import Interactions
    from playground.messages import Messages
    from playground.model import User
    from playground.world import World


class Person(Client):
    """Somebody at a client, who asks things of the bot."""

    def __init__(
        self,
        user: User,
        world: World,
        messages: Messages,
        interactions: Interactions,
        place: Channel,
    ) -> None:
        super().__init__(user, world, messages, place)
        self._interactions = interactions

    # Commands

    async def slash(
        self,
        line: str,
        *,
        channel: ChannelRef | None = None,
        options: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> Reply:
        """Use a slash command and wait for the first answer.

        Options are given by name, as arguments or in ``options``.

        Raises:
            Impossible: when Discord would not send it.
            InteractionFailed: when the bot does not answer in time.
        """
        reply = self.start_slash(line, channel=channel, options={**(options or {}), **named})
        return await reply.acknowledged()

    def start_slash(
        self,
        line: str,
        *,
        channel: ChannelRef | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Use a slash command without waiting."""
        place = self._awake(channel)
        slash = command_picker.find_slash_command(self._world, self.user, place, line)
        resolved = Resolved(place)
        filled = command_picker.fill(slash, options or {}, self.user, resolved, self._world)
        return self._ask(
            InteractionType.COMMAND, place, self._command_data(slash, filled, resolved)
        )

    @staticmethod
    def _command_data(
        slash: command_picker.SlashCommand, filled: list[JSON], resolved: Resolved
    ) -> JSON:
        command = slash.command
        data: JSON = {
            "id": str(command.id),
            "name": command.name,
            "type": command.type,
            "options": filled,
        }
        if resolved.tables:
            data["resolved"] = resolved.tables
        if command.guild_id is not None:
            data["guild_id"] = str(command.guild_id)
        return data

    async def autocomplete(
        self,
        line: str,
        option: str,
        typed: str,
        *,
        channel: ChannelRef | None = None,
        options: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> list[Suggestion]:
        """Type into an option and wait for what is offered.

        Raises:
            Impossible: when the option offers no completion.
            InteractionFailed: when the bot does not answer in time.
        """
        place = self._awake(channel)
        slash = command_picker.find_slash_command(self._world, self.user, place, line)
        chosen = next(
            (o for o in slash.options if option in command_picker.names_of(o, self.locale)), None
        )
        if chosen is None or not chosen.get("autocomplete"):
            raise Impossible(f"{slash.line(self.locale)} completes no option {option!r}.")
        resolved = Resolved(place)
        given = {**(options or {}), **named, chosen["name"]: typed}
        filled = command_picker.fill(
            slash, given, self.user, resolved, self._world, focused=chosen["name"]
        )
        data = self._command_data(slash, filled, resolved)
        reply = self._ask(InteractionType.AUTOCOMPLETE, place, data)
        await reply.acknowledged()
        return [
            Suggestion(command_picker.shown_name(choice, self.locale), choice["value"])
            for choice in reply.interaction.choices or ()
        ]

    async def user_command(
        self, name: str, *, on: Person | User, channel: ChannelRef | None = None
    ) -> Reply:
        """Use a command from a user's context menu and wait for the first answer.

        Raises:
            Impossible: when the menu does not offer it.
            InteractionFailed: when the bot does not answer in time.
        """
        place = self._awake(channel)
        command = command_picker.find_menu_command(self._world, self.user, place, name, 2)
        resolved = Resolved(place)
        target = resolved.user(on.user if isinstance(on, Person) else on)
        data = {
            "id": str(command.id),
            "name": command.name,
            "type": 2,
            "target_id": target,
            "resolved": resolved.tables,
        }
        return await self._ask(InteractionType.COMMAND, place, data).acknowledged()

    async def message_command(self, name: str, *, on: Message) -> Reply:
        """Use a command from a message's context menu and wait for the first answer.

        Raises:
            Impossible: when the menu does not offer it, or the message cannot be seen.
            InteractionFailed: when the bot does not answer in time.
        """
        self._look_at(on)
        place = self._awake(on.channel)
        command = command_picker.find_menu_command(self._world, self.user, place, name, 3)
        data = {
            "id": str(command.id),
            "name": command.name,
            "type": 3,
            "target_id": str(on.id),
            "resolved": {"messages": {str(on.id): message_payload(on)}},
        }
        return await self._ask(InteractionType.COMMAND, place, data).acknowledged()

    # Components

    async def press(
        self,
        message: Message | Snapshot,
        label: str | None = None,
        *,
        custom_id: str | None = None,
        stale: bool = False,
    ) -> Reply:
        """Press a button, by its label or custom_id, and wait for the first answer.

        With ``stale`` a :class:`~playground.model.Snapshot` is pressed as it was, as a client
        does that has not heard of an edit yet.

        Raises:
            Impossible: when there is no such button to press.
            InteractionFailed: when the bot does not answer in time.
        """
        return await self.start_press(
            message, label, custom_id=custom_id, stale=stale
        ).acknowledged()

    def start_press(
        self,
        message: Message | Snapshot,
        label: str | None = None,
        *,
        custom_id: str | None = None,
        stale: bool = False,
    ) -> Reply:
        """Press a button without waiting."""
        target = self._target(message, stale=stale)
        wanted = label if custom_id is None else custom_id
        for button in message.buttons:
            if wanted not in ({button.label} if custom_id is None else {button.custom_id}):
                continue
            if button.disabled:
                raise Impossible(f"The button {wanted!r} is disabled.")
            if button.custom_id is None:
                raise Impossible(f"The button {wanted!r} is a link: no press reaches the bot.")
            return self._use(target, message, button.custom_id)
        known = ", ".join(repr(b.label) for b in message.buttons) or "none"
        raise Impossible(f"There is no button {wanted!r} on this message. Its buttons: {known}.")

    async def choose(
        self,
        message: Message | Snapshot,
        *values: Any,
        menu: str | int = 0,
        stale: bool = False,
    ) -> Reply:
        """Pick entries of a menu, by label or value, and wait for the first answer.

        Args:
            message: where the menu is.
            *values: labels or values; people, roles or channels where Discord offers those.
            menu: which menu: its placeholder, its custom_id, or its place from 0.
            stale: see :meth:`press`.

        Raises:
            Impossible: when the menu does not offer that.
            InteractionFailed: when the bot does not answer in time.
        """
        return await self.start_choose(message, *values, menu=menu, stale=stale).acknowledged()

    def start_choose(
        self,
        message: Message | Snapshot,
        *values: Any,
        menu: str | int = 0,
        stale: bool = False,
    ) -> Reply:
        """Pick entries of a menu without waiting."""
        target = self._target(message, stale=stale)
        chosen = None
        for index, one in enumerate(message.menus):
            if menu in {index, one.placeholder, one.custom_id}:
                chosen = one
                break
        if chosen is None:
            known = ", ".join(repr(m.placeholder) for m in message.menus) or "none"
            raise Impossible(f"There is no menu {menu!r} on this message. Its menus: {known}.")
        if chosen.disabled:
            raise Impossible(f"The menu {menu!r} is disabled.")
        resolved = Resolved(target.channel)
        picked = component_input.choose(chosen, values, self.user, resolved)
        return self._use(target, message, chosen.custom_id, values=picked, resolved=resolved.tables)

    def _target(self, message: Message | Snapshot, *, stale: bool) -> Message:
        target = message.message if isinstance(message, Snapshot) else message
        if not stale:
            self._look_at(target)
            if isinstance(message, Snapshot) and message.revision != target.revision:
                raise Impossible("The message shows something else now.")
        elif not self._world.can_see(self.user, target.channel) or (
            target.ephemeral_for not in {None, self.user}
        ):
            raise Impossible(f"{self.name} cannot see this message.")
        self._awake(target.channel)
        return target

    def _use(
        self,
        target: Message,
        shown: Message | Snapshot,
        custom_id: str,
        *,
        values: list[str] | None = None,
        resolved: JSON | None = None,
    ) -> Reply:
        component = next(
            c for c in kinds.walk(shown.component_data) if c.get("custom_id") == custom_id
        )
        data: JSON = {
            "custom_id": custom_id,
            "component_type": component["type"],
            "id": component["id"],
        }
        if values is not None:
            data["values"] = values
        if resolved:
            data["resolved"] = resolved
        late = isinstance(shown, Snapshot) and shown.revision != target.revision
        return self._ask(
            InteractionType.COMPONENT,
            target.channel,
            data,
            message=target,
            shown=shown.component_data if late else None,
        )

    async def submit(self, modal: Modal | None, values: Mapping[str, Any] | None = None) -> Reply:
        """Fill a form, by labels or custom_ids, send it and wait for the first answer.

        Raises:
            Impossible: when it is not this person's form, or takes no such value.
            InteractionFailed: when the bot does not answer in time.
        """
        return await self.start_submit(modal, values).acknowledged()

    def start_submit(self, modal: Modal | None, values: Mapping[str, Any] | None = None) -> Reply:
        """Fill a form and send it without waiting."""
        if modal is None:
            raise Impossible("There is no form to fill.")
        opened_by = modal.interaction
        if opened_by.user is not self.user:
            raise Impossible(f"The form is on {opened_by.user.display}'s screen.")
        if modal.submitted:
            raise Impossible("The form has been sent already.")
        sent, resolved = component_input.fill_modal(modal, values or {}, self.user, self._world)
        modal.submitted = True
        data: JSON = {"custom_id": modal.custom_id, "components": sent}
        if resolved:
            data["resolved"] = resolved
        return self._ask(
            InteractionType.MODAL,
            opened_by.channel,
            data,
            message=opened_by.message,
            trigger=opened_by,
        )

    def _ask(
        self,
        kind: InteractionType,
        channel: Channel,
        data: JSON,
        *,
        message: Message | None = None,
        shown: Sequence[JSON] | None = None,
        trigger: Interaction | None = None,
    ) -> Reply:
        interaction = self._interactions.make(
            kind, self.user, channel, data, message=message, shown=shown, trigger=trigger
        )
        return Reply(self._world, interaction)

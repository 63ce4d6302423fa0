"""The playground's people, who can do what a Discord client allows, and no more.

Tests and the chat page act through :class:`Person`. Actions that a client would not allow raise
:class:`~playground.errors.Impossible`. Requests to the bot immediately return a `Reply`; await it
for the first response.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from playground import command_picker, component_input, message_payloads
from playground import components as kinds
from playground.access import can_see
from playground.client import ChannelRef, Client
from playground.command_picker import SlashCommand
from playground.commands import DISCORD_LAUNCHES, Command
from playground.errors import JSON, Impossible
from playground.interaction import Interaction, InteractionType
from playground.interactions import Interactions
from playground.messages import Messages
from playground.model import Channel, Message, Snapshot, User
from playground.options import Resolved, fill
from playground.reply import Modal, Reply, Suggestion
from playground.world import World


class Person(Client):
    """A person who uses the bot."""

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

    def slash(
        self,
        line: str,
        *,
        channel: ChannelRef | None = None,
        options: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> Reply:
        """Use a slash command, with options given by name, as arguments or in ``options``.

        Raises:
            Impossible: if Discord's client would not send it.
        """
        place = self._active_channel(channel)
        command = command_picker.find_slash_command(self._world, self.user, place, line)
        data = self._slash_data(command, {**(options or {}), **named}, place)
        if command.root.data.get("handler") == DISCORD_LAUNCHES:
            return Reply(self._world, self._interactions.launch(self.user, place, data))
        return self._interact(InteractionType.COMMAND, place, data)

    def _slash_data(
        self,
        command: SlashCommand,
        given: Mapping[str, Any],
        place: Channel,
        *,
        focused: str | None = None,
    ) -> JSON:
        resolved = Resolved(place)
        filled = fill(command, given, self.user, resolved, self._world, focused=focused)
        data = {**_command_data(command.root), "options": filled}
        if resolved.data:
            data["resolved"] = resolved.data
        if command.root.guild_id is not None:
            data["guild_id"] = str(command.root.guild_id)
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
        """Type into an option and wait for the suggestions.

        Raises:
            Impossible: if the option has no autocomplete.
            InteractionFailed: if the bot does not respond in time.
        """
        place = self._active_channel(channel)
        command = command_picker.find_slash_command(self._world, self.user, place, line)
        found = next(
            (o for o in command.options if option in command_picker.names_of(o, self.locale)), None
        )
        if found is None or not found.get("autocomplete"):
            raise Impossible(f"{command.line(self.locale)} completes no option {option!r}.")
        focused = found["name"]
        given = {**(options or {}), **named, focused: typed}
        data = self._slash_data(command, given, place, focused=focused)
        reply = await self._interact(InteractionType.AUTOCOMPLETE, place, data)
        return [
            Suggestion(command_picker.shown_name(choice, self.locale), choice["value"])
            for choice in reply.interaction.choices or ()
        ]

    def user_command(
        self, name: str, *, on: Person | User, channel: ChannelRef | None = None
    ) -> Reply:
        """Use a command of a user's context menu.

        Raises:
            Impossible: if the menu does not offer it.
        """
        place = self._active_channel(channel)
        resolved = Resolved(place)
        target = resolved.user(on.user if isinstance(on, Person) else on)
        return self._menu_command(name, command_picker.USER, place, target, resolved.data)

    def message_command(self, name: str, *, on: Message) -> Reply:
        """Use a command of a message's context menu.

        Raises:
            Impossible: if the menu does not offer it, or the person cannot see the message.
        """
        self._check_visible(on)
        place = self._active_channel(on.channel)
        target = str(on.id)
        resolved = {"messages": {target: message_payloads.message(on)}}
        return self._menu_command(name, command_picker.MESSAGE, place, target, resolved)

    def _menu_command(
        self, name: str, kind: int, place: Channel, target: str, resolved: JSON
    ) -> Reply:
        command = command_picker.find_menu_command(self._world, self.user, place, name, kind)
        data = {**_command_data(command), "target_id": target, "resolved": resolved}
        return self._interact(InteractionType.COMMAND, place, data)

    # Components

    def press(
        self,
        message: Message | Snapshot,
        label: str | None = None,
        *,
        custom_id: str | None = None,
        stale: bool = False,
    ) -> Reply:
        """Press a button, by label or custom_id.

        With ``stale``, a :class:`~playground.model.Snapshot` is pressed as it was, as by a client
        that has not yet received an edit.

        Raises:
            Impossible: if there is no such button to press.
        """
        target = self._target(message, stale=stale)
        wanted = label if custom_id is None else custom_id
        for button in message.buttons:
            if wanted != (button.label if custom_id is None else button.custom_id):
                continue
            if button.disabled:
                raise Impossible(f"The button {wanted!r} is disabled.")
            if button.custom_id is None:
                raise Impossible(f"The button {wanted!r} is a link: no press reaches the bot.")
            return self._use(target, message, button.custom_id)
        known = ", ".join(repr(b.label) for b in message.buttons) or "none"
        raise Impossible(
            f"There is no button {wanted!r} on this message. Its buttons: {known}.\n{message.text}"
        )

    def choose(
        self,
        message: Message | Snapshot,
        *values: Any,
        menu: str | int = 0,
        stale: bool = False,
    ) -> Reply:
        """Pick options of a select menu, by label or value.

        Args:
            message: the message with the menu.
            *values: labels or values, or the people, roles or channels themselves.
            menu: the menu's placeholder, custom_id or index.
            stale: see :meth:`press`.

        Raises:
            Impossible: if the menu does not offer them.
        """
        target = self._target(message, stale=stale)
        chosen = next(
            (
                one
                for index, one in enumerate(message.menus)
                if menu in {index, one.placeholder, one.custom_id}
            ),
            None,
        )
        if chosen is None:
            known = ", ".join(repr(m.placeholder) for m in message.menus) or "none"
            raise Impossible(f"There is no menu {menu!r} on this message. Its menus: {known}.")
        if chosen.disabled:
            raise Impossible(f"The menu {menu!r} is disabled.")
        resolved = Resolved(target.channel)
        picked = component_input.choose(chosen, values, self.user, resolved)
        return self._use(target, message, chosen.custom_id, values=picked, resolved=resolved.data)

    def _target(self, message: Message | Snapshot, *, stale: bool) -> Message:
        target = message.message if isinstance(message, Snapshot) else message
        if not stale:
            self._check_visible(target)
            if message.revision != target.revision:
                raise Impossible("The message shows something else now.")
        elif not can_see(self.user, target.channel) or (
            target.ephemeral_for not in {None, self.user}
        ):
            raise Impossible(f"{self.name} cannot see this message.")
        self._active_channel(target.channel)
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
        return self._interact(
            InteractionType.COMPONENT,
            target.channel,
            data,
            message=target,
            stale_components=None if shown.revision == target.revision else shown.component_data,
        )

    def submit(self, modal: Modal | None, values: Mapping[str, Any] | None = None) -> Reply:
        """Fill in a modal, by labels or custom_ids, and submit it.

        Raises:
            Impossible: if it is another person's modal, or rejects a value.
        """
        if modal is None:
            raise Impossible("There is no form to fill.")
        trigger = modal.interaction
        if trigger.user is not self.user:
            raise Impossible(f"The form is on {trigger.user.display}'s screen.")
        if modal.submitted:
            raise Impossible("The form has been sent already.")
        submitted, resolved = component_input.fill_modal(
            modal, values or {}, self.user, self._world
        )
        modal.submitted = True
        data: JSON = {"custom_id": modal.custom_id, "components": submitted}
        if resolved:
            data["resolved"] = resolved
        return self._interact(
            InteractionType.MODAL, trigger.channel, data, message=trigger.message, trigger=trigger
        )

    def _interact(
        self,
        kind: InteractionType,
        channel: Channel,
        data: JSON,
        *,
        message: Message | None = None,
        stale_components: Sequence[JSON] | None = None,
        trigger: Interaction | None = None,
    ) -> Reply:
        member = None if channel.guild is None else channel.guild.members.get(self.user.id)
        if member is not None and member.timed_out_until is not None:
            raise Impossible(f"{self.user.display} is in a timeout.")
        interaction = self._interactions.create(
            kind,
            self.user,
            channel,
            data,
            message=message,
            stale_components=stale_components,
            trigger=trigger,
        )
        return Reply(self._world, interaction)


def _command_data(command: Command) -> JSON:
    return {"id": str(command.id), "name": command.name, "type": command.type}

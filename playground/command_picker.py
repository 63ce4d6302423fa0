"""Finds the commands that Discord's client offers a person in a channel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from playground.access import permissions_in
from playground.commands import ENTRY_POINT, NESTED, Command
from playground.errors import JSON, Impossible
from playground.interaction import TYPED, context_of, user_install_only
from playground.model import Channel, User
from playground.permissions import Permission
from playground.world import World

SLASH: Final = 1
USER: Final = 2
MESSAGE: Final = 3


def names_of(thing: JSON, locale: str) -> tuple[str, ...]:
    """Return the names that a command, option or choice is found by, shown name first."""
    local = (thing.get("name_localizations") or {}).get(locale)
    return (local, thing["name"]) if local else (thing["name"],)


def shown_name(thing: JSON, locale: str) -> str:
    """Return the name of a command, option or choice in a language."""
    return names_of(thing, locale)[0]


def line_of(words: Sequence[JSON], locale: str) -> str:
    """Return a command as clients show it in a language, from the definitions of its words."""
    slash = "/" if words[0].get("type", SLASH) in TYPED else ""
    return slash + " ".join(shown_name(word, locale) for word in words)


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A slash command, or a sub-command of one."""

    root: Command
    path: tuple[JSON, ...]  # groups and sub-commands below the root

    @property
    def words(self) -> tuple[JSON, ...]:
        """The definitions of its words, root first."""
        return (self.root.data, *self.path)

    @property
    def options(self) -> Sequence[JSON]:
        """Its options."""
        return [o for o in self.words[-1].get("options") or () if o["type"] not in NESTED]

    def line(self, locale: str) -> str:
        """Return the command as a person with this locale types it."""
        return line_of(self.words, locale)


def may_use(command: Command, mine: Permission, channel: Channel) -> bool:
    """Return whether a person's permissions in a channel allow a command."""
    if channel.guild is None:
        return True
    if not mine & Permission.USE_APPLICATION_COMMANDS:
        return False
    needed = command.data["default_member_permissions"]
    if needed is None:
        return True
    required = int(needed) or Permission.ADMINISTRATOR
    return not required & ~mine


def offered(world: World, user: User, channel: Channel, kind: int) -> list[Command]:
    """List the commands of a type that a person may use in a channel."""
    user_install = user_install_only(channel)
    if user_install and not user.installed:
        return []
    context = context_of(channel)
    mine = permissions_in(user, channel)
    return [
        command
        for command in world.commands.available(channel.guild, context, user_install=user_install)
        if command.type == kind and may_use(command, mine, channel)
    ]


def slash_commands(world: World, user: User, channel: Channel) -> list[SlashCommand]:
    """List the slash commands that a person may use in a channel, each sub-command separately."""
    return [
        leaf for root in typed(world, user, channel) for leaf in _leaves(SlashCommand(root, ()))
    ]


def typed(world: World, user: User, channel: Channel) -> list[Command]:
    """List what is typed after a slash: slash commands, and what opens the Activity."""
    kinds = (SLASH, ENTRY_POINT) if world.application.activity_url else (SLASH,)
    return [command for kind in kinds for command in offered(world, user, channel, kind)]


def _leaves(command: SlashCommand) -> Iterator[SlashCommand]:
    nested = [o for o in command.words[-1].get("options") or () if o["type"] in NESTED]
    for option in nested:
        yield from _leaves(SlashCommand(command.root, (*command.path, option)))
    if not nested:
        yield command


def find_slash_command(world: World, user: User, channel: Channel, line: str) -> SlashCommand:
    """Find the slash command for a typed line.

    Raises:
        Impossible: if it is not offered. The message lists those that are.
    """
    words = line.removeprefix("/").split()
    # Only matching commands are expanded; the full list is only for the error.
    named = [
        root
        for root in typed(world, user, channel)
        if words and words[0] in names_of(root.data, user.locale)
    ]
    for command in (leaf for root in named for leaf in _leaves(SlashCommand(root, ()))):
        if len(command.words) == len(words) and all(
            word in names_of(definition, user.locale)
            for word, definition in zip(words, command.words, strict=True)
        ):
            return command
    commands = slash_commands(world, user, channel)
    known = ", ".join(c.line(user.locale) for c in commands) or "no commands at all"
    raise Impossible(f"There is no /{' '.join(words)} here. Discord offers {known}.")


def find_menu_command(world: World, user: User, channel: Channel, name: str, kind: int) -> Command:
    """Find a user or message command in its context menu.

    Raises:
        Impossible: if it is not offered. The message lists those that are.
    """
    commands = offered(world, user, channel, kind)
    for command in commands:
        if name in names_of(command.data, user.locale):
            return command
    known = ", ".join(repr(c.name) for c in commands) or "nothing"
    raise Impossible(f"There is no {name!r} in this menu. It offers {known}.")

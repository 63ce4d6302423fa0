"""The commands that the bot has synced, as Discord keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playground.events import CommandsSynced
from playground.model import Command

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playground.errors import JSON
    from playground.events import Event
    from playground.model import Guild
    from playground.snowflake import Snowflakes

Scope = int | None
"""The id of the server whose commands they are; None for those that hold everywhere."""


class CommandRegistry:
    """Keeps commands.

    Args:
        ids: makes ids.
        application_id: whose commands they are.
        tell: is told of each change.

    Attributes:
        syncs: how often commands were put here.
    """

    def __init__(self, ids: Snowflakes, application_id: int, tell: Callable[[Event], None]) -> None:
        self._ids = ids
        self._application_id = application_id
        self._tell = tell
        self._commands: dict[Scope, dict[int, Command]] = {None: {}}
        self.syncs = 0

    def kept(self, scope: Scope) -> dict[int, Command]:
        """Give the commands of a scope by id. Do not write on it."""
        return self._commands.get(scope, {})

    def sync(self, scope: Scope, definitions: list[JSON]) -> list[Command]:
        """Replace all commands of a scope. One of the same kind and name keeps its id."""
        old = {(c.type, c.name): c for c in self.kept(scope).values()}
        fresh = [self._command(scope, data, old) for data in definitions]
        self._commands[scope] = {command.id: command for command in fresh}
        self.syncs += 1
        self._tell(CommandsSynced(scope))
        return fresh

    def put(self, scope: Scope, definition: JSON) -> Command:
        """Add one command, or replace the one of the same kind and name."""
        commands = self._commands.setdefault(scope, {})
        old = {(c.type, c.name): c for c in commands.values()}
        command = self._command(scope, definition, old)
        commands[command.id] = command
        self.syncs += 1
        self._tell(CommandsSynced(scope))
        return command

    def change(self, command: Command, definition: JSON) -> Command:
        """Define a command anew, name and all. It keeps its id."""
        named = {(definition.get("type", 1), definition["name"]): command}
        changed = self._command(command.guild_id, definition, named)
        self._commands[command.guild_id][command.id] = changed
        self._tell(CommandsSynced(command.guild_id))
        return changed

    def remove(self, command: Command) -> None:
        """Take a command away."""
        del self._commands[command.guild_id][command.id]
        self._tell(CommandsSynced(command.guild_id))

    def _command(self, scope: Scope, data: JSON, old: dict[tuple[int, str], Command]) -> Command:
        before = old.get((data.get("type", 1), data["name"]))
        command_id = before.id if before else self._ids.next()
        granted = data.get("default_member_permissions")
        complete: JSON = {
            "contexts": None,
            "nsfw": False,
            **data,
            "integration_types": data.get("integration_types") or [0],
            "id": str(command_id),
            "application_id": str(self._application_id),
            "version": str(self._ids.next()),
            "type": data.get("type", 1),
            "description": data.get("description", ""),
            "default_member_permissions": None if granted is None else str(granted),
        }
        if scope is None:
            complete["dm_permission"] = data.get("dm_permission") is not False
        else:
            complete["guild_id"] = str(scope)
        return Command(command_id, complete, scope)

    def offered(self, guild: Guild | None, context: int, *, borrowed: bool) -> Iterator[Command]:
        """Go through the commands offered in a server, or in direct messages.

        A command of the server hides one of the same name that holds everywhere.

        Args:
            guild: the server.
            context: Discord's number: 0 a server, 1 direct messages with the bot, 2 others.
            borrowed: whether the application is there through a person's installation only.
        """
        own = self.kept(guild.id) if guild else {}
        hidden = {(c.type, c.name) for c in own.values()}
        yield from own.values()
        for command in self.kept(None).values():
            contexts = command.data["contexts"]
            if contexts is not None:
                here = context in contexts
            else:
                here = context == 0 or (context == 1 and command.data["dm_permission"])
            if borrowed and 1 not in command.data["integration_types"]:
                here = False
            if here and (command.type, command.name) not in hidden:
                yield command

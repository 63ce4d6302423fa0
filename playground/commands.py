"""The application commands that the bot has registered."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from playground.errors import JSON
from playground.events import CommandsSynced, Event
from playground.model import Guild
from playground.snowflake import Snowflakes

ENTRY_POINT: Final = 4
"""The type of the command that opens an application's Activity."""
NESTED: Final = frozenset({1, 2})
"""The types of options that are sub-commands and their groups."""
APP_HANDLER: Final = 1
DISCORD_LAUNCHES: Final = 2
"""Who answers the entry point: the application, or Discord by launching the Activity."""
Scope = int | None
"""The server that commands belong to; None for global commands."""


@dataclass(slots=True, eq=False)
class Command:
    """A registered command: the JSON as Discord returns it."""

    id: int
    data: JSON
    guild_id: int | None = None

    @property
    def type(self) -> int:
        """1 for a slash command, 2 for a user command, 3 for a message command, 4 for the entry point."""
        return int(self.data.get("type", 1))

    @property
    def name(self) -> str:
        """The untranslated name."""
        return str(self.data["name"])

    @property
    def key(self) -> tuple[int, str]:
        """Type and name, unique in a scope."""
        return key_of(self.data)


def key_of(definition: JSON) -> tuple[int, str]:
    """Return the type and name of a command definition."""
    return definition.get("type", 1), definition["name"]


class CommandRegistry:
    """Stores commands by scope.

    Args:
        ids: generates ids.
        application_id: the commands' application.
        emit: called with an event for each change.

    Attributes:
        syncs: number of times commands were overwritten.
    """

    def __init__(self, ids: Snowflakes, application_id: int, emit: Callable[[Event], None]) -> None:
        self._ids = ids
        self._application_id = application_id
        self._emit = emit
        self._commands: dict[Scope, dict[int, Command]] = {None: {}}
        self.syncs = 0

    def registered(self, scope: Scope) -> Mapping[int, Command]:
        """Return the commands of a scope by id."""
        return self._commands.get(scope, {})

    def ensure_entry_point(self, **extra: Any) -> None:
        """Add the command that opens the application's Activity, unless there is one."""
        if all(command.type != ENTRY_POINT for command in self._commands[None].values()):
            self.add_entry_point(**extra)

    def add_entry_point(self, name: str = "launch", /, **extra: Any) -> Command:
        """Add the command that opens the application's Activity, as Discord does by itself."""
        data = {
            "name": name,
            "description": "Launch",
            "type": ENTRY_POINT,
            "handler": DISCORD_LAUNCHES,
            **extra,
        }
        command = self._command(None, data, None)
        self._commands[None][command.id] = command
        self._emit(CommandsSynced(None))
        return command

    def sync(self, scope: Scope, definitions: list[JSON]) -> list[Command]:
        """Replace all commands of a scope. Ids are kept by type and name, or where they are given."""
        old = {command.key: command for command in self.registered(scope).values()}
        named = {command.data["id"]: command for command in old.values()}
        commands = [
            self._command(scope, data, named.get(str(data.get("id"))) or old.get(key_of(data)))
            for data in definitions
        ]
        self._commands[scope] = {command.id: command for command in commands}
        self.syncs += 1
        self._emit(CommandsSynced(scope))
        return commands

    def _command(self, scope: Scope, data: JSON, before: Command | None) -> Command:
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
        if complete["type"] == ENTRY_POINT:
            complete["handler"] = data.get("handler") or APP_HANDLER
        if scope is None:
            complete["dm_permission"] = data.get("dm_permission") is not False
        else:
            complete["guild_id"] = str(scope)
        return Command(command_id, complete, scope)

    def words(self, used: JSON) -> tuple[JSON, ...]:
        """Return the definitions of a used command's words, root first; they have at least a name."""
        number = int(used["id"])
        registered = (known[number].data for known in self._commands.values() if number in known)
        found, given = [next(registered, used)], used.get("options") or []
        while given and given[0]["type"] in NESTED:
            options = {option["name"]: option for option in found[-1].get("options") or ()}
            found.append(options.get(given[0]["name"], given[0]))
            given = given[0].get("options") or []
        return tuple(found)

    def available(
        self, guild: Guild | None, context: int, *, user_install: bool
    ) -> Iterator[Command]:
        """Iterate over the commands available in a context.

        A server's command hides the global one of the same type and name.

        Args:
            guild: the server.
            context: Discord's number: 0 a server, 1 a DM with the bot, 2 another DM.
            user_install: whether the application is only available through a user's installation.
        """
        own = self.registered(guild.id) if guild else {}
        hidden = {command.key for command in own.values()}
        yield from own.values()
        for command in self.registered(None).values():
            contexts = command.data["contexts"]
            if contexts is not None:
                here = context in contexts
            else:
                here = context == 0 or (context == 1 and command.data["dm_permission"])
            if user_install and 1 not in command.data["integration_types"]:
                here = False
            if here and command.key not in hidden:
                yield command

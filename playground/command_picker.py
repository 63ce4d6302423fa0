"""From what a person types to what the bot is sent: commands, options and their values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from playground import payloads
from playground.errors import JSON, Impossible
from playground.interaction import context_of, user_install_only
from playground.model import Channel, Role, User
from playground.permissions import Permission, permissions_in
from playground.uploads import Upload

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playground.model import Command
    from playground.world import World

SUB: Final = 1
GROUP: Final = 2
_TYPE_NAMES: Final = {
    3: "text",
    4: "whole number",
    5: "yes or no",
    6: "user",
    7: "channel",
    8: "role",
    9: "user or role",
    10: "number",
    11: "file",
}


def names_of(thing: JSON, locale: str) -> tuple[str, ...]:
    """Give the names under which a person finds a command, option or choice."""
    local = (thing.get("name_localizations") or {}).get(locale)
    return (local, thing["name"]) if local else (thing["name"],)


def shown_name(thing: JSON, locale: str) -> str:
    """Give the name as a person of that language sees it."""
    return names_of(thing, locale)[0]


_PLAIN: Final[dict[int, tuple[type, ...]]] = {3: (str,), 4: (int,), 5: (bool,), 10: (int, float)}


@dataclass(slots=True)
class Resolved:
    """What ids in option values stand for."""

    channel: Channel
    tables: dict[str, JSON] = field(default_factory=dict)

    def user(self, user: User) -> str:
        """Add a user, with the membership where there is one."""
        key = str(user.id)
        self.tables.setdefault("users", {})[key] = payloads.user(user)
        guild = self.channel.guild
        if guild is not None and user.id in guild.members:
            member = payloads.member_alone(guild.members[user.id])
            member["permissions"] = str(int(permissions_in(user, self.channel)))
            self.tables.setdefault("members", {})[key] = member
        return key

    def role(self, role: Role) -> str:
        """Add a role."""
        self.tables.setdefault("roles", {})[str(role.id)] = payloads.role(role)
        return str(role.id)

    def place(self, channel: Channel, user: User) -> str:
        """Add a channel with what the person may do in it."""
        data = payloads.channel(channel)
        data["permissions"] = str(int(permissions_in(user, channel)))
        self.tables.setdefault("channels", {})[str(channel.id)] = data
        return str(channel.id)

    def file(self, upload: Upload, world: World) -> str:
        """Add a file, which the bot can then fetch."""
        file_id, url = world.upload(upload)
        self.tables.setdefault("attachments", {})[str(file_id)] = {
            "id": str(file_id),
            "filename": upload.filename,
            "size": len(upload.data),
            "url": url,
            "proxy_url": url,
            "content_type": upload.content_type,
            "ephemeral": True,
        }
        return str(file_id)


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """A slash command down to the word that takes options."""

    command: Command
    path: tuple[JSON, ...]  # the groups and sub-commands on the way

    @property
    def options(self) -> Sequence[JSON]:
        """The options that it takes."""
        place = self.path[-1] if self.path else self.command.data
        return [o for o in place.get("options") or () if o["type"] not in {SUB, GROUP}]

    def line(self, locale: str) -> str:
        """Write it as a person of that language types it."""
        things = (self.command.data, *self.path)
        return "/" + " ".join(shown_name(thing, locale) for thing in things)


def may_use(command: Command, user: User, channel: Channel) -> bool:
    """Tell whether Discord offers a command to a person in a channel."""
    if channel.guild is None:
        return True
    mine = permissions_in(user, channel)
    if not mine & Permission.USE_APPLICATION_COMMANDS:
        return False
    needed = command.data["default_member_permissions"]
    if needed is None:
        return True
    required = int(needed) or Permission.ADMINISTRATOR
    return not required & ~mine


def offered(world: World, user: User, channel: Channel, kind: int) -> list[Command]:
    """List the commands of a kind that a person may use in a channel."""
    borrowed = user_install_only(channel)
    if borrowed and not user.installed:
        return []
    return [
        command
        for command in world.commands.offered(channel.guild, context_of(channel), borrowed=borrowed)
        if command.type == kind and may_use(command, user, channel)
    ]


def slash_commands(world: World, user: User, channel: Channel) -> list[SlashCommand]:
    """List every slash command down to its last word."""
    found: list[SlashCommand] = []

    def descend(command: Command, path: tuple[JSON, ...]) -> None:
        place = path[-1] if path else command.data
        inner = [o for o in place.get("options") or () if o["type"] in {SUB, GROUP}]
        for option in inner:
            descend(command, (*path, option))
        if not inner:
            found.append(SlashCommand(command, path))

    for command in offered(world, user, channel, 1):
        descend(command, ())
    return found


def find_slash_command(world: World, user: User, channel: Channel, line: str) -> SlashCommand:
    """Find the slash command that a person types.

    Raises:
        Impossible: when it is not offered there, naming what is.
    """
    words = line.removeprefix("/").split()
    everything = slash_commands(world, user, channel)
    for slash in everything:
        things = (slash.command.data, *slash.path)
        if len(things) == len(words) and all(
            word in names_of(thing, user.locale) for word, thing in zip(words, things, strict=True)
        ):
            return slash
    known = ", ".join(slash.line(user.locale) for slash in everything) or "no commands at all"
    raise Impossible(f"There is no /{' '.join(words)} here. Discord offers {known}.")


def find_menu_command(world: World, user: User, channel: Channel, name: str, kind: int) -> Command:
    """Find a command of a context menu.

    Raises:
        Impossible: when it is not offered there, naming what is.
    """
    commands = offered(world, user, channel, kind)
    for command in commands:
        if name in names_of(command.data, user.locale):
            return command
    known = ", ".join(repr(c.name) for c in commands) or "nothing"
    raise Impossible(f"There is no {name!r} in this menu. It offers {known}.")


def fill(
    slash: SlashCommand,
    given: Mapping[str, Any],
    user: User,
    resolved: Resolved,
    world: World,
    *,
    focused: str | None = None,
) -> list[JSON]:
    """Turn what a person gave into the options of an interaction, groups and all.

    Args:
        slash: the command.
        given: values by option name, in any language; ``_`` may stand for ``-``.
        user: the person.
        resolved: takes what ids stand for.
        world: where things are.
        focused: the option being typed, for completion: it may be incomplete, others missing.

    Raises:
        Impossible: for an option that does not exist, is missing, or has a value that Discord
            would not let the person send.
    """
    by_name = {name: o for o in slash.options for name in names_of(o, user.locale)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        option = by_name.get(name) or by_name.get(name.replace("_", "-"))
        if option is None:
            known = ", ".join(o["name"] for o in slash.options) or "none"
            raise Impossible(
                f"{slash.line(user.locale)} has no option {name!r}. Its options: {known}."
            )
        values[option["name"]] = value
    filled: list[JSON] = []
    for option in slash.options:
        name = option["name"]
        if name not in values:
            if option.get("required") and focused is None:
                raise Impossible(f"{slash.line(user.locale)} needs the option {name!r}.")
            continue
        entry: JSON = {"name": name, "type": option["type"]}
        if name == focused:
            entry |= {"value": str(values[name]), "focused": True}
        else:
            entry["value"] = _value(option, values[name], user, resolved, world)
        filled.append(entry)
    for step in reversed(slash.path):
        filled = [{"name": step["name"], "type": step["type"], "options": filled}]
    return filled


def _value(option: JSON, value: Any, user: User, resolved: Resolved, world: World) -> Any:
    if option.get("choices"):
        return _choice(option, value, user)
    kind = option["type"]
    if kind in {3, 4, 5, 10}:
        return _plain(option, value)
    thing = getattr(value, "user", value)
    if kind in {6, 9} and isinstance(thing, User):
        return resolved.user(thing)
    if kind in {8, 9} and isinstance(thing, Role):
        return resolved.role(thing)
    if kind == 11 and isinstance(value, Upload):
        return resolved.file(value, world)
    allowed = option.get("channel_types")
    if kind == 7 and isinstance(value, Channel) and (not allowed or value.kind in allowed):
        if not world.can_see(user, value):
            raise Impossible(f"{user.display} cannot see #{value.name}.")
        return resolved.place(value, user)
    raise _wrong(option, value)


def _wrong(option: JSON, value: Any) -> Impossible:
    return Impossible(
        f"The option {option['name']!r} takes a {_TYPE_NAMES[option['type']]}, not {value!r}."
    )


def _choice(option: JSON, value: Any, user: User) -> Any:
    for choice in option["choices"]:
        if value in (*names_of(choice, user.locale), choice["value"]):
            return choice["value"]
    known = ", ".join(repr(shown_name(c, user.locale)) for c in option["choices"])
    raise Impossible(f"The option {option['name']!r} offers {known}, not {value!r}.")


def _plain(option: JSON, value: Any) -> Any:
    """Check a text, a number, or yes or no."""
    kind, name = option["type"], option["name"]
    if not isinstance(value, _PLAIN[kind]) or (isinstance(value, bool) and kind != 5):
        raise _wrong(option, value)
    if isinstance(value, str):
        _check_range(name, len(value), option.get("min_length"), option.get("max_length"))
    elif isinstance(value, int | float) and kind != 5:
        _check_range(name, value, option.get("min_value"), option.get("max_value"))
    return value


def _check_range(name: str, size: float, least: float | None, most: float | None) -> None:
    if (least is not None and size < least) or (most is not None and size > most):
        raise Impossible(f"The option {name!r} must be between {least} and {most}, not {size}.")

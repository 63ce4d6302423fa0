"""Turns the values given to a command's options into interaction data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from playground import payloads
from playground.access import can_see, permissions_in
from playground.command_picker import SlashCommand, names_of, shown_name
from playground.errors import JSON, Impossible
from playground.model import Channel, Role, User
from playground.uploads import Upload
from playground.world import World

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
_PLAIN: Final[dict[int, tuple[type, ...]]] = {3: (str,), 4: (int,), 5: (bool,), 10: (int, float)}


@dataclass(slots=True)
class Resolved:
    """The ``resolved`` data of an interaction: the objects behind the ids in values.

    Its methods add an object and return its id.
    """

    channel: Channel
    data: dict[str, JSON] = field(default_factory=dict)

    def user(self, user: User) -> str:
        """Add a user, and their membership if they are a member."""
        guild = self.channel.guild
        if guild is not None and user.id in guild.members:
            member = payloads.partial_member(guild.members[user.id])
            member["permissions"] = str(int(permissions_in(user, self.channel)))
            self._add("members", user.id, member)
        return self._add("users", user.id, payloads.user(user))

    def role(self, role: Role) -> str:
        """Add a role."""
        return self._add("roles", role.id, payloads.role(role))

    def channel_for(self, user: User, channel: Channel) -> str:
        """Add a channel, with a user's permissions in it."""
        permissions = str(int(permissions_in(user, channel)))
        data = payloads.channel(channel) | {"permissions": permissions}
        return self._add("channels", channel.id, data)

    def file(self, upload: Upload, world: World) -> str:
        """Add a file for the bot to download."""
        file_id, url = world.upload(upload)
        data = {
            "id": str(file_id),
            "filename": upload.filename,
            "size": len(upload.data),
            "url": url,
            "proxy_url": url,
            "content_type": upload.content_type,
            "ephemeral": True,
        }
        return self._add("attachments", file_id, data)

    def _add(self, table: str, thing_id: int, data: JSON) -> str:
        self.data.setdefault(table, {})[str(thing_id)] = data
        return str(thing_id)


def fill(
    command: SlashCommand,
    given: Mapping[str, Any],
    user: User,
    resolved: Resolved,
    world: World,
    *,
    focused: str | None = None,
) -> list[JSON]:
    """Return the ``options`` of an interaction, wrapped in the command's groups.

    Args:
        command: the command.
        given: values by option name, in any language; ``_`` may stand for ``-``.
        user: the person giving them.
        resolved: collects the objects behind ids.
        world: has these objects.
        focused: in autocomplete, the option being typed, which may be incomplete, others missing.

    Raises:
        Impossible: if an option is unknown or missing, or Discord would reject its value.
    """
    by_name = {name: o for o in command.options for name in names_of(o, user.locale)}
    values: dict[str, Any] = {}
    for name, value in given.items():
        option = by_name.get(name) or by_name.get(name.replace("_", "-"))
        if option is None:
            known = ", ".join(o["name"] for o in command.options) or "none"
            raise Impossible(
                f"{command.line(user.locale)} has no option {name!r}. Its options: {known}."
            )
        values[option["name"]] = value
    filled: list[JSON] = []
    for option in command.options:
        name = option["name"]
        if name not in values:
            if option.get("required") and focused is None:
                raise Impossible(f"{command.line(user.locale)} needs the option {name!r}.")
            continue
        entry: JSON = {"name": name, "type": option["type"]}
        if name == focused:
            entry |= {"value": str(values[name]), "focused": True}
        else:
            entry["value"] = _value(option, values[name], user, resolved, world)
        filled.append(entry)
    for word in reversed(command.path):
        filled = [{"name": word["name"], "type": word["type"], "options": filled}]
    return filled


def _value(option: JSON, value: Any, user: User, resolved: Resolved, world: World) -> Any:
    if option.get("choices"):
        return _choice(option, value, user)
    kind = option["type"]
    if kind in _PLAIN:
        return _plain(option, value)
    thing = getattr(value, "user", value)
    if kind in {6, 9} and isinstance(thing, User):
        return resolved.user(thing)
    if kind in {8, 9} and isinstance(thing, Role):
        return resolved.role(thing)
    if kind == 11 and isinstance(value, Upload):
        return resolved.file(value, world)
    allowed = option.get("channel_types")
    if kind == 7 and isinstance(value, Channel) and (not allowed or value.type in allowed):
        if not can_see(user, value):
            raise Impossible(f"{user.display} cannot see #{value.name}.")
        return resolved.channel_for(user, value)
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
    """Check a string, number or boolean."""
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

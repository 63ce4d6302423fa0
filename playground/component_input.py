"""Turns menu choices and modal input into interaction data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from playground import components as kinds
from playground.components import SelectMenu
from playground.errors import JSON, Impossible
from playground.model import Channel, Role, User
from playground.options import Resolved
from playground.reply import Field, Modal
from playground.uploads import Upload
from playground.world import World


def choose(menu: SelectMenu, wanted: Iterable[Any], user: User, resolved: Resolved) -> list[str]:
    """Return the ``values`` of an interaction with a select menu.

    Options are picked by label or value; users, roles and channels are passed as objects.

    Raises:
        Impossible: if an option is not offered or picked twice, or for too few or too many.
    """
    values = [_pick(menu, one, user, resolved) for one in wanted]
    if len(set(values)) < len(values):
        raise Impossible("A menu's entry can only be picked once.")
    if not menu.min_values <= len(values) <= menu.max_values:
        raise Impossible(
            f"The menu takes between {menu.min_values} and {menu.max_values} entries, "
            f"not {len(values)}."
        )
    return values


def _pick(menu: SelectMenu, one: Any, user: User, resolved: Resolved) -> str:
    if menu.type == kinds.STRING_SELECT:
        for option in menu.options:
            if one in {option.label, option.value}:
                return option.value
        known = ", ".join(repr(o.label) for o in menu.options)
        raise Impossible(f"The menu does not offer {one!r}. It offers {known}.")
    thing = getattr(one, "user", one)
    if menu.type in {5, 7} and isinstance(thing, User):
        return resolved.user(thing)
    if menu.type in {6, 7} and isinstance(thing, Role):
        return resolved.role(thing)
    if menu.type == 8 and isinstance(thing, Channel):
        return resolved.channel_for(user, thing)
    raise Impossible(f"The menu does not offer {one!r}.")


def fill_modal(
    modal: Modal, given: Mapping[str, Any], user: User, world: World
) -> tuple[list[JSON], JSON]:
    """Return the ``components`` and ``resolved`` data of a modal submission.

    Args:
        modal: the modal.
        given: values by label or custom_id; other inputs keep their defaults.
        user: the person filling it in.
        world: has the users, roles and channels.

    Raises:
        Impossible: if there is no such input, or Discord would reject the value.
    """
    unused = dict(given)
    resolved = Resolved(modal.interaction.channel)
    values: dict[str, JSON] = {}
    for field in modal.fields:
        key = next((k for k in (field.label, field.custom_id) if k in unused), None)
        value = unused.pop(key) if key is not None else None
        values[field.custom_id] = _submitted(field, value, user, resolved, world)
    if unused:
        known = ", ".join(repr(f.label) for f in modal.fields)
        raise Impossible(f"The form has no {next(iter(unused))!r}. It has {known}.")
    components: list[JSON] = []
    for component in modal.component_data:
        base = {"type": component["type"], "id": component["id"]}
        if component["type"] == kinds.LABEL:
            base["component"] = values[component["component"]["custom_id"]]
        elif component["type"] == kinds.ROW:
            base["components"] = [values[c["custom_id"]] for c in component["components"]]
        components.append(base)
    return components, resolved.data


def _submitted(field: Field, value: Any, user: User, resolved: Resolved, world: World) -> JSON:
    component = field.component
    data: JSON = {
        "type": field.type,
        "id": component.get("id", 0),
        "custom_id": field.custom_id,
    }
    if field.type == kinds.TEXT_INPUT:
        return data | {"value": _text(field, value)}
    if field.type == kinds.CHECKBOX:
        return data | {"value": bool(component.get("default") if value is None else value)}
    if field.type == kinds.FILE_UPLOAD:
        files = [value] if isinstance(value, Upload) else list(value or ())
        _check_count(field, len(files))
        return data | {"values": [resolved.file(f, world) for f in files]}
    if field.type in {kinds.RADIO_GROUP, kinds.CHECKBOX_GROUP}:
        return data | _boxes(field, value)
    menu = kinds.menu(component)
    if value is None:
        wanted: list[Any] = [o.value for o in menu.options if o.default]
        if not wanted and not field.required:
            return data | {"values": []}
    else:
        wanted = [value] if isinstance(value, str) or not hasattr(value, "__iter__") else [*value]
    return data | {"values": choose(menu, wanted, user, resolved)}


def _text(field: Field, value: Any) -> str:
    text = field.component.get("value") or "" if value is None else value
    if not isinstance(text, str):
        raise Impossible(f"{field.label!r} takes text, not {text!r}.")
    if not text and not field.required:
        return ""
    least = field.component.get("min_length") or (1 if field.required else 0)
    most = field.component.get("max_length") or 4000
    if not least <= len(text) <= most:
        raise Impossible(
            f"{field.label!r} takes between {least} and {most} characters, not {len(text)}."
        )
    return text


def _boxes(field: Field, value: Any) -> JSON:
    options = field.component["options"]
    if value is None:
        picked = [o["value"] for o in options if o.get("default")]
    else:
        wanted = [value] if isinstance(value, str) else list(value)
        picked = [o["value"] for o in options if o["label"] in wanted or o["value"] in wanted]
        if len(picked) < len(wanted):
            raise Impossible(f"{field.label!r} does not offer all of {wanted!r}.")
    _check_count(field, len(picked))
    if field.type == kinds.RADIO_GROUP:
        return {"value": picked[0] if picked else None}
    return {"values": picked}


def _check_count(field: Field, count: int) -> None:
    component = field.component
    if field.type == kinds.RADIO_GROUP:
        least, most = int(field.required), 1
    else:
        least = component.get("min_values", 1) if field.required else 0
        most = component.get("max_values") or len(component.get("options", ())) or 1
    if not least <= count <= most:
        raise Impossible(f"{field.label!r} takes between {least} and {most} entries, not {count}.")
